import * as z from 'zod';
import { apiKey } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { collection, one } from '../../kernel/schemas/replies.ts';
import { Instant } from '../../lib/schemas.ts';
import { sendersOf } from '../../providers/messages/index.ts';
import { countQueued, findSenders } from '../../queries/message-claims.ts';
import { messageMedia } from '../../schema/lists.ts';

/** The sender of a medium, and its condition. */
const MessageSender = z
  .object({
    medium: z.enum(messageMedia),
    sender: z
      .string()
      .nullable()
      .describe('Null where none is set up: reminders are then only noted in the log.')
      .meta({ examples: ['resend'] }),
    queued: z.int().describe('Messages waiting to be sent.'),
    problem: z
      .string()
      .nullable()
      .describe(
        "The fault of the account, as the sender's code. Messages wait until it is corrected; the service tries again every five minutes.",
      )
      .meta({ examples: [null] }),
    problem_since: Instant.nullable(),
  })
  .meta({ id: 'MessageSender' });

export const listMessageSenders = endpoint({
  id: 'messages.senders',
  route: ['GET /messages/senders'],
  summary: 'List the senders of messages',
  description:
    "The sender of each medium, the number of waiting messages, and the sender's fault, if any.",
  access: apiKey('messages:read'),
  effect: 'read',
  reply: [200, collection(MessageSender)],
}).handle(async ({ db, config }) => {
  const { states, queued } = await db.query({ states: findSenders(), queued: countQueued() });
  const senders = sendersOf(config);
  return one(
    messageMedia.map((medium) => {
      const state = states.find((one) => one.medium === medium);
      return {
        medium,
        sender: senders[medium]?.id ?? null,
        queued: queued.find((one) => one.medium === medium)?.total ?? 0,
        problem: state?.problem ?? null,
        problem_since: state?.problem_since ?? null,
      };
    }),
  );
});
