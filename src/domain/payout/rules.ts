import type { CommissionColumns, PayoutColumns } from '../../schema/commissions.ts';
import type { Payout, PayoutCreate } from './schemas.ts';

/** A payout as stored, with whom it was paid to. */
export interface PayoutRow {
  payout: PayoutColumns;
  affiliate: { id: number; display_name: string };
}

export const toPayout = ({ payout, affiliate }: PayoutRow): Payout => ({ ...payout, affiliate });

export const sumOf = (rows: readonly CommissionColumns[]): number =>
  rows.reduce((sum, { commission }) => sum + commission, 0);

/** A payout of everything in `rows`. */
export function newPayout(
  { date_end, method, reference }: PayoutCreate,
  affiliate: PayoutRow['affiliate'],
  rows: readonly CommissionColumns[],
  { id, currency, now }: { id: number; currency: string; now: Date },
): PayoutRow {
  const at = now.toISOString();
  return {
    affiliate,
    payout: {
      id,
      affiliate_id: affiliate.id,
      amount: sumOf(rows),
      currency,
      commissions: rows.length,
      method,
      reference,
      date_end: date_end ?? null,
      status: 'paid',
      cancelled_at: null,
      created_at: at,
      updated_at: at,
      version: 1,
    },
  };
}

export const cancelledPayout = ({ payout, affiliate }: PayoutRow, now: Date): PayoutRow => ({
  affiliate,
  payout: {
    ...payout,
    status: 'cancelled',
    cancelled_at: now.toISOString(),
    updated_at: now.toISOString(),
    version: payout.version + 1,
  },
});
