import * as z from 'zod';
import { accessSources } from '../../schema/access.ts';
import { pageParameters } from '../../kernel/lists/query.ts';
import { queryId } from '../../kernel/schemas/parameters.ts';
import { Id, Instant, InstantInput, changeFields, noteText } from '../../lib/schemas.ts';

export const accessStatuses = ['pending', 'active', 'expired', 'revoked'] as const;
export type AccessStatus = (typeof accessStatuses)[number];

const start = Instant.nullable().describe(
  'When access starts; null until it becomes active. Access that resumes after its end or a pause moves it on by the time without access.',
);
const startDay = z
  .int()
  .nullable()
  .describe("Whole days with access since the start, in the store's time zone.");
const end = Instant.nullable().describe('When access ends; null = never.');

/** One reason for a user's access to a product. The best one counts. */
export const Access = z
  .object({
    id: Id,
    user_id: Id,
    product_id: Id,
    product_name: z.string(),
    order_id: Id.nullable().describe(
      'The order it comes from; for a subscription, its first order.',
    ),
    subscription_id: Id.nullable(),
    source: z.enum(accessSources),
    status: z
      .enum(accessStatuses)
      .describe('`pending` = unpaid or not started yet; `expired` = `end_active` has passed.')
      .meta({ examples: ['active'] }),
    start,
    start_day: startDay,
    end_active: end,
    revoked_at: Instant.nullable(),
    revoke_reason: z.string().nullable(),
    note: z.string().nullable(),
    ...changeFields,
  })
  .meta({ id: 'Access' });
export type Access = z.output<typeof Access>;

export const AccessQuery = z.object({
  ...pageParameters,
  user_id: queryId.optional(),
  product_id: queryId.optional(),
  order_id: queryId
    .optional()
    .describe('Only grants of this order; for a subscription, give its first order.'),
  status: z.enum(accessStatuses).optional(),
});
export type AccessQuery = z.output<typeof AccessQuery>;

export const AccessCreate = z
  .strictObject({
    user_id: Id,
    product_id: Id,
    start: InstantInput.optional().describe('When access starts; now by default.'),
    end_active: InstantInput.nullable()
      .optional()
      .describe('When access ends; null or absent = never.'),
    source: z.enum(['manual', 'import']).optional().describe('`manual` by default.'),
    note: noteText.nullable().optional(),
  })
  .meta({
    id: 'AccessCreate',
    examples: [{ user_id: 4, product_id: 1, note: 'Prize of the winter quiz.' }],
  });
export type AccessCreate = z.output<typeof AccessCreate>;

/** A user's access to one product, by all of their grants. */
export const AccessProduct = z
  .object({
    product_id: Id,
    name: z.string().meta({ examples: ['Sourdough for beginners'] }),
    start,
    start_day: startDay,
    end_active: end,
    status: z.enum(accessStatuses).meta({ examples: ['active'] }),
  })
  .meta({ id: 'AccessProduct' });
export type AccessProduct = z.output<typeof AccessProduct>;

export const AccessProductsUpdate = z
  .strictObject({
    product_ids: z.array(Id).max(100),
    mode: z
      .enum(['add', 'replace'])
      .optional()
      .describe(
        '`add` by default. `replace` also revokes manual grants for products that are not listed; what was bought stays.',
      ),
    end_active: InstantInput.nullable()
      .optional()
      .describe('When access ends; never by default. If sent, it also changes existing grants.'),
  })
  .meta({ id: 'AccessProductsUpdate', examples: [{ product_ids: [1, 2], mode: 'add' }] });
export type AccessProductsUpdate = z.output<typeof AccessProductsUpdate>;

export const verdictReasons = [
  'ok',
  'not-bought',
  'expired',
  'drip-content',
  'revoked',
  'not-published',
  'user-blocked',
] as const;
export type VerdictReason = (typeof verdictReasons)[number];

export const Block = z.object({
  title: z.string(),
  message: z.string().describe('Sanitised HTML.'),
  redirect: z.string().nullable().describe('Address to redirect the visitor to; null = none.'),
});
export type Block = z.output<typeof Block>;

export const Verdict = z
  .object({
    success: z.literal(true),
    can_access: z.boolean().meta({ examples: [true] }),
    reason: z
      .enum(verdictReasons)
      .describe(
        'The first that applies of `user-blocked`, `not-published`, `not-bought`, `revoked`, `expired` and `drip-content`; otherwise `ok`.',
      ),
    product_id: Id,
    user_id: Id,
    detail: z.object({
      grant_id: Id.nullable().describe('The grant the verdict is based on.'),
      order_id: Id.nullable(),
      start,
      start_day: startDay,
      end_active: end,
      available_at: Instant.nullable().describe(
        'When the content becomes, or became, available to the user.',
      ),
      drip_day: z.int().nullable(),
      matched_product_ids: z
        .array(Id)
        .describe(
          'The products of the content, or the product in the request, as far as the user has access to them.',
        ),
      block: Block.nullable()
        .describe('Message in place of the content; null if there is none.')
        .meta({ examples: [null] }),
    }),
  })
  .meta({ id: 'AccessVerdict' });
export type Verdict = z.output<typeof Verdict>;

export const AccessCheckQuery = z.object({ user_id: queryId, product_id: queryId });

export const ContentCheckQuery = z.object({ user_id: queryId });
