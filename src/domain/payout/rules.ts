import type { PayoutColumns } from '../../schema/commissions.ts';
import type { Payout, PayoutCreate } from './schemas.ts';
import { firstVersion, nextVersion } from '../../lib/versions.ts';

export interface PayoutRow {
  payout: PayoutColumns;
  affiliate: { id: number; display_name: string };
}

export const toPayout = ({ payout, affiliate }: PayoutRow): Payout => ({ ...payout, affiliate });

export interface PayableSum {
  readonly amount: number;
  readonly commissions: number;
}

export function newPayout(
  { date_end, method, reference }: PayoutCreate,
  affiliate: PayoutRow['affiliate'],
  sum: PayableSum,
  { id, currency, now }: { id: number; currency: string; now: Date },
): PayoutRow {
  return {
    affiliate,
    payout: {
      id,
      affiliate_id: affiliate.id,
      ...sum,
      currency,
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
