import * as z from 'zod';
import { outcomes } from '../../kernel/auth/outcomes.ts';
import { record } from '../../kernel/schemas/replies.ts';
import { Id, Instant, InstantInput, requiredUpTo } from '../../lib/schemas.ts';
import { scopes } from '../../schema/scopes.ts';

export const keyStatuses = ['active', 'expired', 'revoked'] as const;

/** Seconds for which the old secret of a rotated key may stay valid. */
export const overlaps = [0, 900, 3600, 21_600, 86_400] as const;

const scope = z.enum(scopes.map(({ name }) => name));

export const KeyName = requiredUpTo(100).meta({ examples: ['Shop backend'] });

/** An IP address or a range in CIDR notation. */
export const AddressRange = z
  .union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
    error: 'must be an address or a range like 203.0.113.0/24',
  })
  .meta({ examples: ['203.0.113.0/24'] });

const fields = {
  name: KeyName,
  scopes: z.array(scope).min(1).max(scopes.length).describe('The rights of the key.'),
  expires_at: InstantInput.nullable().describe('When it ends; null = when it is revoked.'),
  ip_allow: z
    .array(AddressRange)
    .min(1)
    .max(50)
    .nullable()
    .describe('Addresses and ranges it may be used from; null = everywhere.'),
  signs_in_administrators: z
    .boolean()
    .describe(
      'True if it may issue sessions for administrators, with which everything can be done.',
    ),
};

export const KeyCreate = z
  .strictObject(fields)
  .partial()
  .required({ name: true, scopes: true })
  .meta({ id: 'KeyCreate' });
export type KeyCreate = z.output<typeof KeyCreate>;

export const KeyUpdate = z.object(fields).partial().meta({ id: 'KeyUpdate' });
export type KeyUpdate = z.output<typeof KeyUpdate>;

export const KeyRotate = z
  .object({
    overlap: z
      .literal(overlaps)
      .describe(
        'Number of seconds for which the present secret remains valid; 0 = it ends at once.',
      ),
  })
  .meta({ id: 'KeyRotate' });

/** An API key, without its secret. */
export const ApiKey = z
  .object({
    id: Id,
    ...fields,
    scopes: z.array(z.string()),
    expires_at: Instant.nullable(),
    ip_allow: z.array(z.string()).nullable(),
    status: z.enum(keyStatuses),
    secrets: z
      .array(
        z.object({
          prefix: z
            .string()
            .describe('The part between `svcapi_` and the next `_`, which is no secret.'),
          expires_at: Instant.nullable().describe('When it ends; null = with the key.'),
        }),
      )
      .describe(
        'Secrets that have not ended, oldest first: more than one while a rotation overlaps.',
      ),
    created_by: z
      .object({ id: Id, display_name: z.string() })
      .nullable()
      .describe('The person who made it in the console; null for a key made on the command line.'),
    created_at: Instant,
    revoked_at: Instant.nullable(),
    last_used_at: Instant.nullable().describe('To the minute.'),
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.output<typeof ApiKey>;

export const KeyWithToken = record(
  ApiKey.extend({
    token: z.string().describe('The whole key: this is the only time it is shown.'),
  }).meta({ id: 'ApiKeyWithToken' }),
);

export const KeyUse = record(
  z
    .object({
      key_id: Id,
      days: z
        .array(
          z.object({
            day: z.iso.date(),
            calls: z
              .record(z.enum(outcomes), z.int())
              .describe('Approximate number of calls by outcome.'),
          }),
        )
        .describe('The last 30 days in the time zone of the store, oldest first.'),
      refusals: z
        .array(
          z.object({
            at: Instant,
            operation: z.string(),
            status: z.int(),
            code: z.string(),
            request_id: z.string(),
          }),
        )
        .describe(
          'The last 50 requests that ended in an error, newest first. A 429 is only counted.',
        ),
      unused_scopes: z
        .array(z.string())
        .describe(
          'Scopes that no call of the key needed in these days. Webhooks, the feed and coupons may still use them.',
        ),
    })
    .meta({ id: 'ApiKeyUse' }),
);
