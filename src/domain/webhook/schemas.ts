import * as z from 'zod';
import { eventPatterns } from './catalogue.ts';
import { pageParameters } from '../../kernel/endpoint/pagination.ts';
import { PathId, queryId, queryInteger } from '../../kernel/endpoint/parameters.ts';
import { Id, Instant, InstantInput, textUpTo } from '../../lib/schemas.ts';
import { deliveryStatuses, pauseReasons, webhookStatuses } from '../../kernel/events/lists.ts';

/** What a caller may say of a webhook. */
const fields = {
  name: textUpTo(200).meta({ examples: ['Bookkeeping'] }),
  url: z
    .url()
    .max(2000)
    .describe('An https URL with a public host name, on port 443 or 8443.')
    .meta({ examples: ['https://hooks.example.com/sales'] }),
  events: z
    .array(z.enum(eventPatterns))
    .min(1)
    .max(eventPatterns.length)
    .describe('Names of events; `<resource>.*` or `*` for all of a resource or all there are.')
    .meta({ examples: [['order.*', 'product.updated']] }),
  status: z
    .enum(webhookStatuses)
    .describe(
      '`paused` = events wait until it is active again; `disabled` = events are not sent at all. A failing webhook is paused automatically.',
    ),
};

/** A webhook: where events are sent to. */
export const Webhook = z
  .object({
    id: Id,
    ...fields,
    url: z.string(),
    events: z.array(z.string()),
    paused_reason: z
      .enum(pauseReasons)
      .nullable()
      .describe(
        '`gone` = it answered 410; `failing` = five days without a success; `manual` = a caller paused it.',
      ),
    failing_since: Instant.nullable().describe(
      'When deliveries began to fail; null while they succeed.',
    ),
    last_success_at: Instant.nullable(),
    previous_secret_expires_at: Instant.nullable().describe(
      'Until then, deliveries are also signed with the previous secret; null if there is none.',
    ),
    created_at: Instant,
    updated_at: Instant,
    version: z.int(),
  })
  .meta({ id: 'Webhook' });
export type Webhook = z.output<typeof Webhook>;

/** A webhook with its signing secret; shown when the secret is made, and never again. */
export const WebhookWithSecret = Webhook.extend({
  secret: z
    .string()
    .describe(
      'The secret that deliveries are signed with, as Standard Webhooks prescribes. Store it: it is shown only now.',
    )
    .meta({ examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] }),
}).meta({ id: 'WebhookWithSecret' });

export const WebhookCreate = z
  .object(fields)
  .partial()
  .required({ url: true })
  .meta({ id: 'WebhookCreate', description: 'By default it is active and receives all events.' });
export type WebhookCreate = z.output<typeof WebhookCreate>;

export const WebhookUpdate = z.object(fields).partial().meta({ id: 'WebhookUpdate' });
export type WebhookUpdate = z.output<typeof WebhookUpdate>;

export const WebhookQuery = z.object({
  ...pageParameters,
  status: z.enum(webhookStatuses).optional(),
});
export type WebhookQuery = z.output<typeof WebhookQuery>;

/** A test event on its way. */
export const WebhookTest = z
  .object({
    webhook_id: Id,
    event_id: z.string().describe('The `webhook-id` of the delivery.'),
  })
  .meta({ id: 'WebhookTest' });

export const WebhookReplay = z
  .object({ from: InstantInput.describe('Events from this moment on are sent again.') })
  .meta({ id: 'WebhookReplay', examples: [{ from: '2026-01-31T17:00:00.000Z' }] });

/** What a replay set going. */
export const Replayed = z
  .object({
    webhook_id: Id,
    replayed: z.int().describe('Number of events to be sent, including those delivered before.'),
    next_from: Instant.nullable().describe(
      'Start the next replay here if there were more events than fit in one; otherwise null.',
    ),
  })
  .meta({ id: 'WebhookReplayed' });

/** Says that something of a delivery is kept back. */
const redacted = z
  .literal(true)
  .optional()
  .describe(
    'Present if parts are left out because the key lacks the scope to read what the event carries.',
  );

/** A finished attempt to deliver an event. */
export const WebhookDelivery = z
  .object({
    id: z.int().describe("Number of the attempt within the webhook's log; the `id` in the feed."),
    webhook_id: Id,
    event_id: z.string().describe('The `webhook-id` of the delivery: the same for every attempt.'),
    type: z.string().meta({ examples: ['order-created'] }),
    event: z.string().meta({ examples: ['order.created'] }),
    object_id: z.int().describe('Id of the record the event is about.'),
    at: Instant.describe('When the attempt was made.'),
    status: z.enum(deliveryStatuses),
    code: z
      .int()
      .describe('HTTP status of the answer; 0 if there was none.')
      .meta({ examples: [200] }),
    attempt: z
      .int()
      .describe('Which attempt to deliver the event this was, starting from 1.')
      .meta({ examples: [1] }),
    milliseconds: z
      .int()
      .describe('How long the attempt took.')
      .meta({ examples: [143] }),
    error: z
      .string()
      .nullable()
      .describe('Why there was no answer, or why it does not count as success; null otherwise.'),
    answer: z
      .string()
      .describe('The first 2 kB of the answer; empty where the delivery is `redacted`.')
      .meta({ examples: ['ok'] }),
    redacted,
  })
  .meta({ id: 'WebhookDelivery' });
export type WebhookDelivery = z.output<typeof WebhookDelivery>;

export const DeliveryQuery = z.object({
  ...pageParameters,
  status: z.enum(deliveryStatuses).optional(),
});
export type DeliveryQuery = z.output<typeof DeliveryQuery>;

export const DeliveryParams = z.object({
  id: PathId,
  log_id: PathId.meta({
    type: 'integer',
    minimum: 1,
    description: 'The `id` of the attempt in the log.',
  }),
});

/** An entry of the delivery log, as the feed shows it. */
export const FeedEntry = z
  .object({
    id: z.int().describe('Position in the log, to continue from.'),
    type: z.string().meta({ examples: ['order-created'] }),
    at: z
      .string()
      .describe('When the attempt was made: `YYYY-MM-DD HH:MM:SS` in UTC.')
      .meta({ examples: ['2026-01-31 17:00:00'] }),
    status: z.enum(deliveryStatuses),
    code: z
      .int()
      .describe('HTTP status of the answer; 0 if there was none.')
      .meta({ examples: [200] }),
    data: z.object({
      event: z.string().meta({ examples: ['order.created'] }),
      data: z
        .record(z.string(), z.unknown())
        .describe('What the event carries; empty where the entry is `redacted`.')
        .meta({ examples: [{ id: 12, number: 'INV-000012' }] }),
      object_id: z.int().describe('Id of the record the event is about.'),
    }),
    redacted,
  })
  .meta({ id: 'FeedEntry' });
export type FeedEntry = z.output<typeof FeedEntry>;

/** The most entries of the feed in one answer. */
const feedLimit = 250;

export const FeedQuery = z.object({
  webhook_id: queryId
    .optional()
    .describe('The webhook whose log to read. Required.')
    // Its absence has a body of its own.
    .meta({ demanded: true }),
  since_id: queryInteger()
    .optional()
    .describe('The last `id` you read, or `next_since`; 0 by default.'),
  limit: z
    .string()
    .regex(/^-?[0-9]{1,15}$/, 'must be a whole number')
    .transform((text) => Math.min(Math.max(Number(text), 1), feedLimit))
    .meta({ type: 'integer' })
    .optional()
    .describe(`100 by default; below 1 counts as 1, above ${feedLimit} as ${feedLimit}.`),
  status: z
    .enum([...deliveryStatuses, ''])
    .optional()
    .describe('`success` by default; an empty value means every attempt.')
    .meta({ allowEmptyValue: true }),
});

export const FeedReply = z.object({
  success: z.literal(true),
  data: z.array(FeedEntry),
  next_since: z
    .int()
    .describe('Send it as `since_id` with the next call.')
    .meta({ examples: [1] }),
});
