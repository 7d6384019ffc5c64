import * as z from 'zod';
import { record } from '../../kernel/schemas/replies.ts';
import { pageParameters } from '../../kernel/lists/query.ts';
import { queryId } from '../../kernel/schemas/parameters.ts';
import * as schemas from '../../lib/schemas.ts';
import * as lists from '../../schema/lists.ts';

export const Reminder = z
  .object({
    id: schemas.Id,
    order_id: schemas.Id.nullable(),
    subscription_id: schemas.Id.nullable(),
    user_id: schemas.Id,
    recipient: z
      .string()
      .nullable()
      .describe(
        "The e-mail address or phone number that it was sent to, or would be sent to now. It follows the user's own unless another was given. Null in events, and for keys without `orders:read`.",
      )
      .meta({ examples: ['dewi.kartika@demo.example'] }),
    title: z.string().meta({ examples: ['Your order is waiting'] }),
    content: z.string().describe('The text; placeholders are filled in when it is sent.'),
    media_type: z.enum(lists.messageMedia),
    reminder_type: z.enum(lists.reminderTypes),
    send_day: z
      .int()
      .describe(
        "Days after the order was placed, or after the subscription's end; negative = before.",
      ),
    send_hours: z
      .int()
      .describe("Hour of the day, 0 to 23, in the store's time zone.")
      .meta({ examples: [9] }),
    scheduled_at: schemas.Instant,
    status: z.enum(lists.reminderStatuses),
    sent_at: schemas.Instant.nullable(),
    attempts: z.int().describe('Attempts to send it so far.'),
    last_error: z.string().nullable().describe('Why the last attempt failed.'),
    template_id: schemas.Id.nullable(),
    ...schemas.changeFields,
  })
  .meta({ id: 'Reminder' });

const title = schemas.requiredUpTo(300);
const content = schemas
  .requiredUpTo(10_000)
  .describe(
    'The text, with the placeholders `{{name}}`, `{{order-number}}`, `{{product-name}}`, `{{end-date}}` and `{{amount}}`: what is to be paid for the order or, in a `recurring` reminder, for a renewal.',
  );
const hour = z.int().min(0).max(23).describe("Hour of the day, 0 to 23, in the store's time zone.");

export const ReminderCreate = z
  .object({
    order_id: schemas.Id,
    title,
    content,
    media_type: z.enum(lists.messageMedia).optional().describe('`email` by default.'),
    recipient: schemas
      .trimmedUpTo(254)
      .min(3)
      .optional()
      .describe(
        "By default the buyer's own e-mail address or phone number at the time of sending.",
      ),
    scheduled_at: schemas.InstantInput.optional().describe('When to send it; now by default.'),
  })
  .meta({
    id: 'ReminderCreate',
    examples: [
      {
        order_id: 1,
        title: 'Your order is waiting',
        content: 'Hello {{name}}, please pay {{amount}}.',
      },
    ],
  });
export type ReminderCreate = z.output<typeof ReminderCreate>;

export const ReminderUpdate = z
  .object({
    title,
    content,
    recipient: schemas.trimmedUpTo(254).min(3),
    scheduled_at: schemas.InstantInput,
    status: z.enum(['pending', 'cancelled']),
  })
  .partial()
  .meta({ id: 'ReminderUpdate', examples: [{ scheduled_at: '2026-03-12T02:00:00.000Z' }] });
export type ReminderUpdate = z.output<typeof ReminderUpdate>;

export const ReminderQuery = z.object({
  ...pageParameters,
  order_id: queryId.optional(),
  user_id: queryId.optional(),
  status: z.enum(lists.reminderStatuses).optional(),
  media_type: z.enum(lists.messageMedia).optional(),
});
export type ReminderQuery = z.output<typeof ReminderQuery>;

export const ReminderTemplate = z
  .object({
    id: schemas.Id,
    type: z
      .enum(lists.reminderTypes)
      .describe(
        'Start of the count of days: `order` = the day of the order; `recurring` = the end of the subscription.',
      ),
    offset: z
      .int()
      .describe('Number of days.')
      .meta({ examples: [2] }),
    direction: z.enum(lists.reminderDirections).meta({ examples: ['after'] }),
    hour: z
      .int()
      .describe("Hour of the day, 0 to 23, in the store's time zone.")
      .meta({ examples: [9] }),
    media: z.array(z.enum(lists.messageMedia)),
    title: z.string().meta({ examples: ['Your order is waiting'] }),
    content: z.string(),
    active: z.boolean().meta({ examples: [true] }),
    ...schemas.changeFields,
  })
  .meta({ id: 'ReminderTemplate' });

const templateFields = {
  type: z.enum(lists.reminderTypes),
  offset: z.int().min(0).max(365).describe('Number of days.'),
  direction: z.enum(lists.reminderDirections),
  hour,
  media: z
    .array(z.enum(lists.messageMedia))
    .min(1)
    .max(lists.messageMedia.length)
    .transform((media) => [...new Set(media)]),
  title,
  content,
  active: z.boolean(),
};

export const TemplateCreate = z
  .object(templateFields)
  .partial()
  .required({ type: true, offset: true, title: true, content: true })
  .refine(({ type, direction }) => !(type === 'order' && direction === 'before'), {
    path: ['direction'],
    message: 'nothing is sent before an order is placed',
  })
  .meta({
    id: 'ReminderTemplateCreate',
    examples: [
      {
        type: 'order',
        offset: 2,
        title: 'Your order is waiting',
        content: 'Hello {{name}}, please pay {{amount}}.',
      },
    ],
  });
export type TemplateCreate = z.output<typeof TemplateCreate>;

export const TemplateUpdate = z
  .object(templateFields)
  .omit({ type: true })
  .partial()
  .meta({ id: 'ReminderTemplateUpdate', examples: [{ active: false }] });
export type TemplateUpdate = z.output<typeof TemplateUpdate>;

export const ReminderReply = record(Reminder);
export const TemplateReply = record(ReminderTemplate);
