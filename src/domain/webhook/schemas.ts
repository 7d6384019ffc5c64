import * as z from 'zod';
import { eventNames, eventPatterns } from './catalogue.ts';
import { pageParameters } from '../../kernel/lists/query.ts';
import { PathId, dateParameters, queryId, queryInteger } from '../../kernel/schemas/parameters.ts';
import { Id, Instant, InstantInput, changeFields, textUpTo } from '../../lib/schemas.ts';
import { deliveryStatuses, pauseReasons, webhookStatuses } from '../../kernel/events/lists.ts';

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
    .describe('Names of events; `<resource>.*` or `*` for all of a resource or all events.')
    .meta({ examples: [['order.*', 'product.updated']] }),
  status: z
    .enum(webhookStatuses)
    .describe(
      '`paused` = events wait until it is active again; `disabled` = events are not sent at all. A failing webhook is paused automatically.',
    ),
};

const answerCode = z
  .int()
  .describe('HTTP status of the answer; 0 if there was none.')
  .meta({ examples: [200] });

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
    last_attempt: z
      .object({
        at: Instant,
        status: z.enum(deliveryStatuses),
        code: answerCode,
        milliseconds: z
          .int()
          .describe('Its duration.')
          .meta({ examples: [143] }),
        error: z.string().nullable(),
      })
      .meta({ id: 'WebhookLastAttempt' })
      .nullable()
      .describe(
        'Result of the last attempt to deliver; null before the first, and once no attempt is kept any more.',
      ),
    previous_secret_expires_at: Instant.nullable().describe(
      'Until then, deliveries are also signed with the previous secret; null if there is none.',
    ),
    ...changeFields,
  })
  .meta({ id: 'Webhook' });
export type Webhook = z.output<typeof Webhook>;

/** The signing secret is shown only when it is made. */
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

export const WebhookTest = z
  .object({
    webhook_id: Id,
    event_id: z.string().describe('The `webhook-id` of the delivery.'),
  })
  .meta({ id: 'WebhookTest' });

export const ReplayQuery = z.object({
  from: InstantInput.describe('Events from this moment on are sent again.'),
});

export const WebhookReplay = z
  .object(ReplayQuery.shape)
  .meta({ id: 'WebhookReplay', examples: [{ from: '2026-01-31T17:00:00.000Z' }] });

export const Replayed = z
  .object({
    webhook_id: Id,
    replayed: z.int().describe('Number of events to be sent, including those delivered before.'),
    next_from: Instant.nullable().describe(
      'Start the next replay here if there were more events than fit in one; otherwise null.',
    ),
  })
  .meta({ id: 'WebhookReplayed' });
export type Replayed = z.output<typeof Replayed>;

const redacted = z
  .literal(true)
  .optional()
  .describe(
    'Present if parts are left out because the key lacks the scope to read what the event carries.',
  );

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
    code: answerCode,
    attempt: z
      .int()
      .describe('Number of this attempt to deliver the event, from 1.')
      .meta({ examples: [1] }),
    milliseconds: z
      .int()
      .describe('The duration of the attempt.')
      .meta({ examples: [143] }),
    error: z
      .string()
      .nullable()
      .describe(
        'The reason why there was no answer, or why it does not count as success; null otherwise.',
      ),
    answer: z
      .string()
      .describe('The first 2 kB of the answer; empty if the delivery is `redacted`.')
      .meta({ examples: ['ok'] }),
    redacted,
  })
  .meta({ id: 'WebhookDelivery' });
export type WebhookDelivery = z.output<typeof WebhookDelivery>;

export const WholeDelivery = WebhookDelivery.extend({
  headers: z
    .record(z.string(), z.string())
    .describe('The headers as sent, with the signature; without a signature if nothing was sent.')
    .meta({
      examples: [
        {
          'content-type': 'application/json',
          'user-agent': 'sales-api webhooks',
          'webhook-id': 'evt_0b9f4c1e-6d2a-4c57-9a55-3f1f0a7d2c11',
          'webhook-timestamp': '1773135667',
          'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
        },
      ],
    }),
  body: z
    .string()
    .describe(
      'The body, byte by byte; the same for every attempt. Empty if the delivery is `redacted`.',
    )
    .meta({ examples: ['{"id":"evt_0b9f4c1e-6d2a-4c57-9a55-3f1f0a7d2c11"}'] }),
  delivered_at: Instant.nullable().describe('When the event was delivered; null while it is not.'),
  next_attempt_at: Instant.nullable().describe(
    'The earliest time of the next attempt; null once the event is delivered.',
  ),
  attempts: z
    .array(WebhookDelivery)
    .describe('The attempts to deliver this event, this one included, newest first.'),
}).meta({ id: 'WholeWebhookDelivery' });
export type WholeDelivery = z.output<typeof WholeDelivery>;

export const DeliveryQuery = z.object({
  ...pageParameters,
  status: z.enum(deliveryStatuses).optional(),
  event: z.enum(eventNames).optional(),
  code: z
    .string()
    .regex(/^([0-9]{1,3}|[1-5]xx)$/, 'must be an HTTP status, or a class of them like 5xx')
    .optional()
    .describe('HTTP status of the answer, or a class of them like `5xx`; 0 = there was none.')
    .meta({ examples: ['5xx'] }),
  ...dateParameters,
});
export type DeliveryQuery = z.output<typeof DeliveryQuery>;

export const FiguresQuery = z.object({
  days: queryInteger({ min: 1, max: 90 })
    .optional()
    .describe('Number of days up to today: 30 by default.'),
});

export const WebhookFigures = z
  .object({
    webhook_id: Id,
    timezone: z
      .string()
      .describe("The store's time zone, in which days begin and end.")
      .meta({ examples: ['Asia/Jakarta'] }),
    days: z.array(
      z
        .object({
          date: z.iso.date().meta({ examples: ['2026-03-10'] }),
          delivered: z.int().describe('Attempts that succeeded.'),
          failed: z.int().describe('Attempts that failed.'),
          pending: z
            .int()
            .describe(
              'Events of that day that still wait to be delivered, among the 10,000 that are due first.',
            ),
        })
        .meta({
          id: 'WebhookDay',
          examples: [{ date: '2026-03-10', delivered: 41, failed: 2, pending: 1 }],
        }),
    ),
  })
  .meta({ id: 'WebhookFigures' });

export const DeliveryParams = z.object({
  id: PathId,
  log_id: PathId.meta({
    type: 'integer',
    minimum: 1,
    description: 'The `id` of the attempt in the log.',
  }),
});

export const FeedEntry = z
  .object({
    id: z.int().describe('Position in the log, to continue from.'),
    type: z.string().meta({ examples: ['order-created'] }),
    at: z
      .string()
      .describe('When the attempt was made: `YYYY-MM-DD HH:MM:SS` in UTC.')
      .meta({ examples: ['2026-01-31 17:00:00'] }),
    status: z.enum(deliveryStatuses),
    code: answerCode,
    data: z.object({
      event: z.string().meta({ examples: ['order.created'] }),
      data: z
        .record(z.string(), z.unknown())
        .describe('Record of the event; empty if the entry is `redacted`.')
        .meta({ examples: [{ id: 12, number: 'INV-000012' }] }),
      object_id: z.int().describe('Id of the record the event is about.'),
    }),
    redacted,
  })
  .meta({ id: 'FeedEntry' });
export type FeedEntry = z.output<typeof FeedEntry>;

const feedLimit = 250;

export const FeedQuery = z.object({
  webhook_id: queryId
    .optional()
    .describe('The webhook whose log to read. Required.')
    // An empty answer has a body of its own.
    .meta({ demanded: true }),
  since_id: queryInteger()
    .optional()
    .describe(
      'The last `id` you read, or `next_since`; 0 by default. At most the last entry of the webhook.',
    ),
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
