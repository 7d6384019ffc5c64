import * as z from 'zod';
import { pageParameters } from '../../kernel/lists/query.ts';
import { dateOrInstant, dateParameters, queryId } from '../../kernel/schemas/parameters.ts';
import { Id, Instant, changeFields, requiredUpTo } from '../../lib/schemas.ts';
import { payoutStatuses } from '../../schema/lists.ts';

export const Payout = z
  .object({
    id: Id,
    affiliate_id: Id,
    affiliate: z.object({ id: Id, display_name: z.string() }),
    amount: z
      .int()
      .describe('The sum of the commissions it paid, less amounts taken back.')
      .meta({ examples: [126_000] }),
    currency: z.string(),
    commissions: z
      .int()
      .describe('Number of commissions it paid.')
      .meta({ examples: [1] }),
    method: z
      .string()
      .describe(
        'For a line of a payout run, the name of the bank; `Transfer` if the account was known as text only.',
      )
      .meta({ examples: ['BCA'] }),
    reference: z.string().meta({ examples: ['TRX-2026-03-0042'] }),
    date_end: z
      .string()
      .nullable()
      .describe(
        'Only commissions created up to then were paid, with all adjustments of these and of commissions paid before; null = all.',
      ),
    status: z.enum(payoutStatuses),
    cancelled_at: Instant.nullable(),
    ...changeFields,
  })
  .meta({ id: 'Payout', description: 'Amounts are in the smallest unit of `currency`.' });
export type Payout = z.output<typeof Payout>;

export const PayoutCreate = z
  .strictObject({
    affiliate_id: Id,
    date_end: dateOrInstant
      .optional()
      .describe(
        "Pay only commissions created up to the end of this day in the store's time zone, or up to this instant. Adjustments of these, and of commissions that were paid before, always count, for example by a refund.",
      ),
    method: requiredUpTo(100).describe(
      'The payment method, for example the name of a bank or wallet.',
    ),
    reference: requiredUpTo(500).describe('Reference of the transfer.'),
  })
  .meta({
    id: 'PayoutCreate',
    examples: [{ affiliate_id: 3, method: 'BCA', reference: 'TRX-2026-03-0042' }],
  });
export type PayoutCreate = z.output<typeof PayoutCreate>;

export const PayoutQuery = z.object({
  ...pageParameters,
  affiliate_id: queryId.optional(),
  status: z.enum(payoutStatuses).optional(),
  ...dateParameters,
});
export type PayoutQuery = z.output<typeof PayoutQuery>;
