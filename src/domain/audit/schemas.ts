import * as z from 'zod';
import { actorTypes } from '../../kernel/auth/actor.ts';
import { pageParameters } from '../../kernel/lists/query.ts';
import { dateParameters, queryId } from '../../kernel/schemas/parameters.ts';
import { Id, Instant, textUpTo } from '../../lib/schemas.ts';

const fields = z.record(z.string(), z.unknown()).nullable();

export const AuditEntry = z
  .object({
    id: Id,
    at: Instant,
    actor_type: z
      .enum(actorTypes)
      .describe('`user` = a person · `key` = an API key · `system` = the command line.'),
    actor_id: Id.nullable().describe('Id of the user or of the API key.'),
    actor_name: z
      .string()
      .nullable()
      .describe('Present name of the user or the key.')
      .meta({ examples: ['Ayu Lestari'] }),
    acting_as: Id.nullable().describe('The user that an administrator acted as.'),
    operation: z
      .string()
      .describe('The operation, as the document names it.')
      .meta({ examples: ['products.update'] }),
    subject_type: z
      .string()
      .describe('The kind of record that was changed.')
      .meta({ examples: ['products'] }),
    subject_id: z
      .string()
      .nullable()
      .describe('Id of the changed record; null for singletons such as settings.')
      .meta({ examples: ['1'] }),
    subject_number: z
      .string()
      .nullable()
      .describe('The number of the order, if the record is an order that still exists.')
      .meta({ examples: [null] }),
    subject_name: z
      .string()
      .nullable()
      .describe(
        'Present name of the record: the number of an order, also for its payment proofs, refunds, commissions, messages and reminders; the title of a product, also for its access, subscriptions and licences; the name of a person, also for an affiliate’s payouts and risks, for callers with `users:read`; the code of a coupon; the name of a file, group, role, webhook or API key. Null for other kinds, and once the record is gone.',
      )
      .meta({ examples: ['Rye Bread'] }),
    before: fields
      .describe(
        'The changed fields before the change, if a record was changed. `[personal]` stands for personal data, `[long]` for more than 2,000 characters; secrets are never shown.',
      )
      .meta({ examples: [{ price: 300_000 }] }),
    after: fields
      .describe(
        'The same fields after the change; for a sign-in to the console, its country and browser.',
      )
      .meta({ examples: [{ price: 350_000 }] }),
    reason: z
      .string()
      .nullable()
      .describe('The reason that an administrator gave for acting as somebody.')
      .meta({ examples: ['The buyer asked for help.'] }),
    request_id: z
      .string()
      .nullable()
      .describe('Id of the request, as in its reply and in the log.')
      .meta({ examples: ['8f0c2f6d4e1b-SIN'] }),
  })
  .meta({ id: 'AuditEntry' });

const { per_page, cursor, sort } = pageParameters;

export const AuditQuery = z.object({
  per_page,
  cursor,
  sort,
  actor_type: z.enum(actorTypes).optional(),
  actor_id: queryId.optional().describe('Send it together with `actor_type`.'),
  operation: textUpTo(100).optional(),
  subject_type: textUpTo(100).optional(),
  subject_id: textUpTo(200).optional().describe('Send it together with `subject_type`.'),
  ...dateParameters,
});
export type AuditQuery = z.output<typeof AuditQuery>;
