import type { CommissionColumns, PayoutColumns } from '../../schema/commissions.ts';
import type { Payout, PayoutCreate } from './schemas.ts';
import { firstVersion, nextVersion } from '../../lib/versions.ts';

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
      ...firstVersion(now.toISOString()),
    },
  };
}

export const cancelledPayout = ({ payout, affiliate }: PayoutRow, now: Date): PayoutRow => ({
  affiliate,
  payout: {
    ...payout,
    status: 'cancelled',
    cancelled_at: now.toISOString(),
    ...nextVersion(payout, now),
  },
});
