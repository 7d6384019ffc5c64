import * as z from 'zod';
import { rateTypes } from '../../schema/product-parts.ts';
import { changeParameters } from '../../kernel/lists/query.ts';
import {
  dateParameters,
  queryId,
  queryInteger,
  querySize,
} from '../../kernel/schemas/parameters.ts';
import { Id, Instant, changeFields, noteText, payable, requiredUpTo } from '../../lib/schemas.ts';
import {
  riskKinds,
  commissionKinds,
  commissionStates,
  commissionStatuses,
  rateSources,
} from '../../schema/lists.ts';

export const Commission = z
  .object({
    id: Id,
    order_id: Id,
    product_id: Id,
    affiliate_id: Id.describe('The affiliate who earns it.'),
    buyer_id: Id.meta({ examples: [4] }),
    tier: z
      .int()
      .describe("1 = the order's affiliate, n + 1 = their n-th upline.")
      .meta({ examples: [1] }),
    kind: z
      .enum(commissionKinds)
      .describe(
        '`refund-adjustment` corrects the sale named by `parent_id`; what a tier earns is the sum of its rows. `manual` is an imported amount beside these rules: refunds of a part do not change it.',
      ),
    commission: z
      .int()
      .describe('Amount of this row. Negative if an adjustment takes something back.'),
    currency: z.string(),
    base_amount: z
      .int()
      .describe(
        "The part of the order's total that the commission is calculated from: goods after discounts and overrides, without tax, shipping, fees and unique code.",
      )
      .meta({ examples: [630_000] }),
    rate_type: z.enum(rateTypes).meta({ examples: ['percentage'] }),
    rate: z
      .number()
      .describe('In percent, or an amount per item, as `rate_type` says.')
      .meta({ examples: [20] }),
    rate_source: z.enum(rateSources).describe('Source of the rate; `manual` = set individually.'),
    status: z.enum(commissionStatuses).meta({ examples: ['added'] }),
    paid_status: z.boolean(),
    state: z
      .enum(commissionStates)
      .describe(
        'Derived. An `added` commission is `held` until `hold_until` and while a risk is open, then `payable`, then `paid`.',
      )
      .meta({ examples: ['held'] }),
    hold_until: Instant.nullable().meta({ examples: ['2026-03-17T09:41:07.312Z'] }),
    paid_at: Instant.nullable().meta({ examples: [null] }),
    payout_id: Id.nullable(),
    payout_line_id: Id.nullable().describe(
      'The line of a draft payout run that it is in; the payout of that line gets the same id.',
    ),
    flags: z
      .array(z.enum(riskKinds))
      .describe('Kinds of the risks that were found with it. `/risks` has the decisions on them.')
      .meta({ examples: [[]] }),
    parent_id: Id.nullable(),
    note: z.string().nullable(),
    ...changeFields,
  })
  .meta({ id: 'Commission', description: 'Amounts are in the smallest unit of `currency`.' });
export type Commission = z.output<typeof Commission>;

export const commissionFilterStatuses = [...commissionStatuses, 'paid', 'unpaid'] as const;

const queryKinds = z
  .string()
  .transform((list) => list.split(','))
  .pipe(z.array(z.enum(riskKinds)).min(1).max(riskKinds.length))
  .meta({ type: 'string', examples: ['same-bank'] });

export const CommissionFilters = z.object({
  affiliate_id: queryId.optional(),
  product_id: queryId.optional(),
  order_id: queryId.optional(),
  status: z
    .enum(commissionFilterStatuses)
    .optional()
    .describe('`paid` and `unpaid` select among the `added` ones.'),
  flags: queryKinds
    .optional()
    .describe('Kinds of risks, separated by commas: commissions with any of these flags.'),
  ...dateParameters,
  updated_since: changeParameters.updated_since,
});
export type CommissionFilters = z.output<typeof CommissionFilters>;

export const CommissionQuery = CommissionFilters.extend({
  ...changeParameters,
  limit: querySize(100).optional().describe('Older name of `per_page`; takes precedence over it.'),
  offset: queryInteger({ max: 1_000_000_000 })
    .optional()
    .describe('Number of records to skip, instead of `page`.'),
});
export type CommissionQuery = z.output<typeof CommissionQuery>;

export const CommissionUpdate = z
  .object({
    status: z
      .enum(commissionStatuses)
      .describe(
        'Applies to the whole tier, including its adjustments. `cancelled` stays, whatever the status of the order; `pending` and `added` follow its next change of status. If the order gets another affiliate, all tiers earn anew.',
      ),
    paid_status: z.boolean().describe('`true` marks this commission as paid outside a payout.'),
    commission: payable.describe(
      'Commission of the tier from the order before refunds, in the smallest unit of `currency`. Requires `reason`.',
    ),
    reason: requiredUpTo(500).describe('Kept as the note on the changed amount.'),
    note: noteText.nullable(),
  })
  .partial()
  .refine((input) => input.commission === undefined || input.reason !== undefined, {
    path: ['reason'],
    message: 'is required with commission',
  })
  .meta({ id: 'CommissionUpdate', examples: [{ note: 'Looked at, all right.' }] });
export type CommissionUpdate = z.output<typeof CommissionUpdate>;
