import type * as z from 'zod';
import { catalogue } from '../domain/webhook/catalogue.ts';
import { typeOf } from '../kernel/events/send.ts';
import { exampleOf } from './example.ts';
import { componentName } from './names.ts';
import { type JsonSchema, reference } from './schema.ts';
import type { Shared } from './shared.ts';

/** An operation of the receiver for each event. */
export function webhooks(shared: Shared) {
  const mapping = Object.fromEntries(
    Object.keys(catalogue).map((event) => [event, reference(`${componentName(event)}Event`).$ref]),
  );
  shared.schemas['WebhookEvent'] = {
    description:
      "The body of a webhook's request; `event` says which event it is. More events may be added.",
    oneOf: Object.values(mapping).map(($ref) => ({ $ref })),
    discriminator: { propertyName: 'event', mapping },
  };
  return Object.fromEntries(
    Object.entries(catalogue).map(([event, { summary, payload }]) => {
      const name = `${componentName(event)}Event`;
      shared.schemas[name] = message(event, payload, shared);
      const schema = reference(name);
      const example = exampleOf(schema, shared);
      const post = {
        operationId: `on${componentName(event)}`,
        tags: ['Webhooks'],
        summary,
        // The signature authenticates the sender.
        security: [],
        parameters: Object.keys(webhookHeaders).map((name) => ({
          $ref: `#/components/parameters/${name}`,
        })),
        requestBody: { required: true, content: { 'application/json': { schema, example } } },
        responses: { '2XX': { description: 'Received. Any other answer is tried again later.' } },
      };
      return [event, { post }];
    }),
  );
}

function message(event: string, payload: z.ZodType, shared: Shared): JsonSchema {
  const data = shared.output(payload);
  const record = exampleOf(data, shared) as { id: number };
  const properties: Record<string, JsonSchema> = {
    id: {
      type: 'string',
      description: 'The id of the event; the same in every attempt to deliver it.',
      examples: ['evt_0b9f4c1e-6d2a-4c57-9a55-3f1f0a7d2c11'],
    },
    type: { type: 'string', const: typeOf(event) },
    event: { type: 'string', const: event },
    object_id: {
      type: 'integer',
      format: 'int64',
      description: 'The id of the record in `data`.',
      examples: [record.id],
    },
    created_at: { type: 'string', format: 'date-time' },
    data,
  };
  return { type: 'object', properties, required: Object.keys(properties) };
}

export const webhookHeaders = {
  WebhookId: {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: 'The `id` of the event.',
    schema: { type: 'string' },
  },
  WebhookTimestamp: {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'When this attempt was made, in seconds since 1970-01-01 UTC.',
    schema: { type: 'string' },
  },
  WebhookSignature: {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      'Signatures, separated by spaces. Each is `v1,` followed by the Base64-encoded HMAC-SHA256 of `<id>.<timestamp>.<body>`, keyed with the secret.',
    schema: { type: 'string' },
  },
} as const;
