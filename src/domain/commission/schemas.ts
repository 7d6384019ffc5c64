import * as z from 'zod';
import { rateTypes } from '../../schema/product-parts.ts';
import { pageParameters } from '../../kernel/endpoint/pagination.ts';
import { dateParameters, queryId, queryInteger } from '../../kernel/endpoint/parameters.ts';
import { Id, Instant, noteText, payable, shortText } from '../../lib/schemas.ts';
import {
  commissionFlags,
  commissionKinds,
  commissionStates,
  commissionStatuses,
  rateSources,
} from '../../schema/lists.ts';

/** A row of the commission ledger. */
export const Commission = z
  .object({
    id: Id,
    order_id: Id,
    product_id: Id,
    affiliate_id: Id.describe('Who earns it.'),
    buyer_id: Id,
    tier: z.int().describe('1 = who sold, n + 1 = the n-th upline.'),
    kind: z
      .enum(commissionKinds)
      .describe('A `refund-adjustment` corrects the sale `parent_id`; the rows of a tier sum up.'),
    commission: z.int().describe('Negative for what an adjustment takes back.'),
    currency: z.string(),
    base_amount: z.int().describe('What of the order it was worked out from.'),
    rate_type: z.enum(rateTypes),
    rate: z.number().describe('In percent, or an amount for each item.'),
    rate_source: z.enum(rateSources).describe('Where the rate is from; `manual`: set by hand.'),
    status: z.enum(commissionStatuses),
    paid_status: z.boolean(),
    state: z
      .enum(commissionStates)
      .describe('Derived: an added one is held until `hold_until`, then payable, then paid.'),
    hold_until: Instant.nullable(),
    paid_at: Instant.nullable(),
    payout_id: Id.nullable(),
    flags: z.array(z.enum(commissionFlags)).describe('What should be looked at before paying.'),
    parent_id: Id.nullable(),
    note: z.string().nullable(),
    created_at: Instant,
    updated_at: Instant,
    version: z.int(),
  })
  .meta({ id: 'Commission', description: 'Amounts are in the smallest unit of `currency`.' });
export type Commission = z.output<typeof Commission>;

export const CommissionFilters = z.object({
  affiliate_id: queryId.optional(),
  product_id: queryId.optional(),
  order_id: queryId.optional(),
  status: z
    .enum([...commissionStatuses, 'paid', 'unpaid'])
    .optional()
    .describe('`paid` and `unpaid` are the two kinds of `added`.'),
  ...dateParameters,
});
export type CommissionFilters = z.output<typeof CommissionFilters>;

export const CommissionQuery = CommissionFilters.extend({
  ...pageParameters,
  limit: queryInteger({ min: 1 })
    .transform((n) => Math.min(n, 100))
    .optional()
    .describe('Older name of `per_page`; comes before it.'),
  offset: queryInteger({ max: 1_000_000_000 })
    .optional()
    .describe('Records to skip, in place of `page`.'),
});
export type CommissionQuery = z.output<typeof CommissionQuery>;

export const CommissionUpdate = z
  .object({
    status: z.enum(commissionStatuses).describe('Of the whole tier: adjustments go along.'),
    paid_status: z.boolean().describe('true pays this one by hand, outside a payout.'),
    commission: payable.describe('Sets what the tier gets of the order in full. Needs `reason`.'),
    reason: shortText.min(1).describe('Kept as the note beside a figure set by hand.'),
    note: noteText.nullable(),
  })
  .partial()
  .refine((input) => input.commission === undefined || input.reason !== undefined, {
    path: ['reason'],
    message: 'is required with commission',
  })
  .meta({ id: 'CommissionUpdate', examples: [{ note: 'Looked at, all right.' }] });
export type CommissionUpdate = z.output<typeof CommissionUpdate>;
