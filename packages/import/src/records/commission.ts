import {
  type Instant,
  type cancellations,
  commissionBase,
  commissions,
  earnedByTier,
  keptBase,
} from '../../../../src/exports/store.ts';
import { type NewRow, insertInto } from '../mapped.ts';
import { type OrderFigures, isClosed } from './order.ts';

export interface ForeignCommission {
  readonly id: number;
  readonly affiliateId: number;
  /** 1 = the seller, n + 1 = the n-th upline; 20 at most. */
  readonly tier: number;
  /** In the smallest unit of the order's currency. */
  readonly amount: number;
  readonly status: 'pending' | 'added' | 'cancelled';
  readonly cancellation: (typeof cancellations)[number] | null;
  readonly paidAt: Instant | null;
  readonly payoutId: number | null;
  readonly note: string | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly deletedAt: Instant | null;
}

/**
 * The rows of an order's commissions, in the given order. They are sales if the store's rules give the same amounts, also
 * for an order with refunds. Otherwise they are manual amounts, which follow the order's status and affiliate only.
 */
export function commissionRows(
  order: OrderFigures,
  earned: readonly ForeignCommission[],
): { readonly row: NewRow<typeof commissions>; readonly isByHand: boolean }[] {
  // The amounts of a closed order are those before its refunds. Those of any other order are left after them.
  const earning = isClosed(order.status) ? { ...order, refunded_total: 0 } : order;
  const base = keptBase(commissionBase(earning), earning);
  const isByHand = !keepsToRules(earning, base, earned);
  return earned.map((commission) => ({ row: rowOf(order, base, commission, isByHand), isByHand }));
}

function keepsToRules(
  order: OrderFigures,
  base: number,
  earned: readonly ForeignCommission[],
): boolean {
  const terms = earned.map(({ tier, amount }) => ({ ...ownTerms(amount, base), tier }));
  const tiers = earnedByTier(terms, order);
  return (
    tiers.size === earned.length &&
    earned.every(({ tier, amount }) => amount >= 0 && amount === tiers.get(tier)?.kept) &&
    (!isClosed(order.status) || earned.every(({ status }) => status === 'cancelled'))
  );
}

/** A commission of this amount, whatever the product's rate is. */
const ownTerms = (commission: number, base_amount: number) =>
  ({
    commission,
    base_amount,
    rate_type: 'fixed',
    rate: commission,
    rate_source: 'manual',
  }) as const;

const rowOf = (
  order: OrderFigures,
  base: number,
  commission: ForeignCommission,
  isByHand: boolean,
): NewRow<typeof commissions> =>
  insertInto(commissions, {
    id: commission.id,
    order_id: order.id,
    product_id: order.productId,
    affiliate_id: commission.affiliateId,
    buyer_id: order.userId,
    tier: commission.tier,
    kind: isByHand ? 'manual' : 'sale',
    currency: order.currency,
    ...ownTerms(commission.amount, base),
    status: commission.status,
    cancellation: commission.cancellation,
    paid_at: commission.paidAt,
    payout_id: commission.payoutId,
    flags: [],
    note: commission.note,
    deleted_at: commission.deletedAt,
    created_at: commission.createdAt,
    updated_at: commission.updatedAt,
  });
