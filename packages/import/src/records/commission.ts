import { type cancellations, type Instant, commissions } from '../../../../src/exports/store.ts';
import { type NewRow, insertInto } from '../mapped.ts';
import type { OrderFigures } from './order.ts';

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
 * The rows of an order's commissions, in the given order. Commissions that the store's rules would
 * have calculated stay part of the ledger; others become manual amounts, which the ledger doesn't
 * change.
 */
export function commissionRows(
  order: OrderFigures,
  earned: readonly ForeignCommission[],
): { readonly row: NewRow<typeof commissions>; readonly isByHand: boolean }[] {
  const isByHand = !keepsToRules(order, earned);
  return earned.map((commission) => ({ row: rowOf(order, commission, isByHand), isByHand }));
}

function keepsToRules(order: OrderFigures, earned: readonly ForeignCommission[]): boolean {
  const isClosed = order.status === 'refunded' || order.status === 'cancelled';
  const sum = earned.reduce((total, { amount }) => total + amount, 0);
  return (
    order.base > 0 &&
    sum <= order.base &&
    earned.every(({ amount }) => amount >= 0) &&
    new Set(earned.map(({ tier }) => tier)).size === earned.length &&
    (isClosed ? earned.every(({ status }) => status === 'cancelled') : order.refunded === 0)
  );
}

const rowOf = (
  order: OrderFigures,
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
    commission: commission.amount,
    currency: order.currency,
    base_amount: order.base,
    rate_type: 'fixed',
    rate: commission.amount,
    rate_source: 'manual',
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
