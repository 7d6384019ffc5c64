import * as z from 'zod';
import { blockReasons, contentMatches, contentStatuses } from '../../schema/access.ts';
import { pageParameters } from '../../kernel/lists/query.ts';
import { queryId } from '../../kernel/schemas/parameters.ts';
import {
  Id,
  Instant,
  InstantInput,
  changeFields,
  noteText,
  requiredUpTo,
  shortText,
  webLink,
} from '../../lib/schemas.ts';
import { verdictReasons } from './schemas.ts';

const dripDays =
  "Days with access before the content opens; 0 = at once. Days after access ended, and paused days, don't count.";

const fields = {
  title: requiredUpTo(300),
  url: webLink.describe('Address of the content: an http(s) URL or a path.'),
  product_ids: z
    .array(Id)
    .min(1)
    .max(50)
    .transform((ids) => [...new Set(ids)]),
  match: z
    .enum(contentMatches)
    .describe('Condition for several products: access to any one of them, or to all.'),
  drip_day: z.int().min(0).max(3650).describe(dripDays),
  release_at: InstantInput.nullable().describe(
    'Nobody can see the content before this moment; null = no such limit.',
  ),
  status: z.enum(contentStatuses),
};

export const Content = z
  .object({
    id: Id,
    title: z.string().meta({ examples: ['Lesson 2: the starter'] }),
    url: z.string().meta({ examples: ['https://demo.example/lessons/2'] }),
    product_ids: z.array(Id),
    match: z
      .enum(contentMatches)
      .describe('Condition for several products: access to any one of them, or to all.'),
    drip_day: z.int().describe(dripDays),
    release_at: Instant.nullable().describe(
      'Nobody can see the content before this moment; null = no such limit.',
    ),
    status: z.enum(contentStatuses),
    ...changeFields,
  })
  .meta({ id: 'Content' });
export type Content = z.output<typeof Content>;

export const ContentUpdate = z
  .object(fields)
  .partial()
  .meta({ id: 'ContentUpdate', examples: [{ drip_day: 7 }] });
export type ContentUpdate = z.output<typeof ContentUpdate>;

export const ContentCreate = ContentUpdate.strict()
  .required({ title: true, product_ids: true })
  .meta({
    id: 'ContentCreate',
    examples: [
      { title: 'Lesson 2: the starter', url: '/lessons/2', product_ids: [1], drip_day: 7 },
    ],
  });
export type ContentCreate = z.output<typeof ContentCreate>;

export const ContentQuery = z.object({
  ...pageParameters,
  status: z.enum(contentStatuses).optional(),
  product_id: queryId.optional().describe('Only content that this product opens.'),
});
export type ContentQuery = z.output<typeof ContentQuery>;

const placeholders =
  'HTML; unsafe parts are removed. The placeholders `{{product-name}}`, `{{days-left}}`, `{{end-date}}` and `{{renew-url}}` are filled in when it is shown.';

const Message = z
  .object({
    title: z.string().describe(placeholders),
    message: z.string().describe(placeholders),
  })
  .meta({ id: 'BlockText' });

const MessageInput = z
  .object({ title: shortText.describe(placeholders), message: noteText.describe(placeholders) })
  .partial()
  .meta({ id: 'BlockTextInput' });

const byReason = <T extends z.ZodType>(message: T) =>
  Object.fromEntries(blockReasons.map((reason) => [reason, message])) as Record<
    (typeof blockReasons)[number],
    T
  >;

export const BlockMessage = z
  .object({
    content_id: Id,
    redirect_active: z.boolean(),
    redirect_link: z.string().meta({ examples: ['https://demo.example/course'] }),
    messages: z.object(byReason(Message)).meta({
      examples: [
        {
          'not-bought': {
            title: 'Part of the course',
            message: '<p>This lesson is part of the course.</p>',
          },
          expired: {
            title: 'Your access has ended',
            message: '<p>Your access ended on {{end-date}}.</p>',
          },
          'drip-content': {
            title: 'Not yet open',
            message: '<p>This lesson opens in {{days-left}} days.</p>',
          },
        },
      ],
    }),
    version: z.int(),
    rendered: z
      .object({
        reason: z.enum(verdictReasons),
        title: z.string(),
        message: z.string(),
      })
      .optional()
      .describe('Message for the given user; empty strings if there is none.'),
  })
  .meta({ id: 'BlockMessage' });
export type BlockMessage = z.output<typeof BlockMessage>;

export const BlockMessageUpdate = z
  .object({
    redirect_active: z.boolean(),
    redirect_link: webLink,
    messages: z.object(byReason(MessageInput)).partial(),
  })
  .partial()
  .meta({
    id: 'BlockMessageUpdate',
    examples: [
      {
        messages: {
          expired: {
            title: 'Welcome back',
            message: '<p>Your access ended on {{end-date}}. <a href="{{renew-url}}">Renew</a></p>',
          },
        },
      },
    ],
  });
export type BlockMessageUpdate = z.output<typeof BlockMessageUpdate>;

export const BlockMessageQuery = z.object({
  user_id: queryId.optional().describe('Also return what this user would be shown.'),
});
