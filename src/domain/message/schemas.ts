import * as z from 'zod';
import { record } from '../../kernel/schemas/replies.ts';
import { pageParameters } from '../../kernel/lists/query.ts';
import { queryId } from '../../kernel/schemas/parameters.ts';
import { Id, Instant, changeFields } from '../../lib/schemas.ts';
import { languages, messageKinds, messageMedia, messageStatuses } from '../../schema/lists.ts';

const kind = z
  .enum(messageKinds)
  .describe(
    'The occasion of the message; `reminder` = a reminder, `test` = a template sent as a test.',
  )
  .meta({ examples: ['order-placed'] });

export const Message = z
  .object({
    id: Id,
    kind,
    medium: z.enum(messageMedia),
    user_id: Id.nullable().describe('The user it is for; null for the seller.'),
    order_id: Id.nullable(),
    reminder_id: Id.nullable().meta({ examples: [null] }),
    recipient: z
      .string()
      .describe(
        'The e-mail address, or the phone number in E.164. Empty until the first attempt, which uses the address of the reader at that time.',
      )
      .meta({ examples: ['dewi.kartika@demo.example'] }),
    subject: z
      .string()
      .nullable()
      .describe('Null until the message is filled in, right before the first attempt.')
      .meta({ examples: ['Your order INV-2026-0012'] }),
    text: z
      .string()
      .nullable()
      .describe('Its content as plain text.')
      .meta({ examples: ['Hello Dewi Kartika,\n\nthank you for your order.'] }),
    language: z.enum(languages).nullable(),
    status: z
      .enum(messageStatuses)
      .describe(
        '`queued` = waiting, or being sent · `sent` = accepted by the sender · `delivered`, `read` = as far as the sender reports it · `failed` = see `last_error` · `suppressed` = not sent, since its address is suppressed · `gathered` = not sent on its own, but as a part of the summary `gathered_in`.',
      )
      .meta({ examples: ['sent'] }),
    gathered_in: Id.nullable()
      .describe(
        'The message to the seller that sums up this one and others, since more than 20 of its kind came within an hour.',
      )
      .meta({ examples: [null] }),
    sender: z
      .string()
      .nullable()
      .describe('The sender.')
      .meta({ examples: ['resend'] }),
    provider_id: z
      .string()
      .nullable()
      .describe("The sender's own id for it.")
      .meta({ examples: ['49a3999c-0ce1-4ea6-ab68-afcd6dc2e794'] }),
    attempts: z.int().describe('Attempts to send it so far.'),
    last_error: z
      .string()
      .nullable()
      .describe(
        "Why the last attempt failed, as the sender's code. `no_answer` = the sender may have accepted it; it is tried again only if the sender recognises a repeat.",
      )
      .meta({ examples: [null] }),
    due_at: Instant.describe('The time of the next attempt, while it is queued.'),
    sent_at: Instant.nullable(),
    delivered_at: Instant.nullable().meta({ examples: [null] }),
    read_at: Instant.nullable().meta({ examples: [null] }),
    bounced_at: Instant.nullable()
      .describe('When the sender reported that messages to the address cannot be delivered.')
      .meta({ examples: [null] }),
    complained_at: Instant.nullable()
      .describe('When the sender reported that its reader called it spam.')
      .meta({ examples: [null] }),
    ...changeFields,
  })
  .meta({ id: 'Message' });
export type Message = z.output<typeof Message>;

export const MessageQuery = z.object({
  ...pageParameters,
  order_id: queryId.optional(),
  user_id: queryId.optional(),
  medium: z.enum(messageMedia).optional(),
  status: z.enum(messageStatuses).optional(),
  kind: z.enum(messageKinds).optional(),
});
export type MessageQuery = z.output<typeof MessageQuery>;

export const MessageReply = record(Message);
