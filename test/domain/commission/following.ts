import { isRefusal } from '../../../src/kernel/errors/errors.ts';
import { followOrder } from '../../../src/domain/commission/ledger-change.ts';
import type { OrderChange } from '../../../src/domain/order/change.ts';
import type { CommissionColumns } from '../../../src/schema/commissions.ts';
import type { TierRisk } from '../../../src/domain/risk/rules.ts';
import type { OrderColumns } from '../../../src/schema/orders.ts';
import { at, later, order, product, sale } from '../../harness/rows.ts';

/** The time of an order's change, and the end of the hold if it completes. */
export const moment = new Date(later(60));
export const heldUntil = later(60 + 7 * 86_400);
export const touched = { updated_at: later(60), version: 2 };

export const completed = { status: 'completed' } as const;
export const cancelled = { status: 'cancelled' } as const;
export const paidOut = { status: 'added', paid_at: at } as const;

export function follow(
  before: Partial<OrderColumns> | null,
  after: Partial<OrderColumns>,
  rows: CommissionColumns[],
  sales: CommissionColumns[] = [],
  risks: TierRisk[] = [],
) {
  const change = {
    before: before && order(before),
    after: order(after),
    product: product({ affiliate: { enabled: true, hold_days: 7 } }),
    now: moment,
  } as OrderChange;
  const ledger = followOrder(change, rows, sales, [501, 502, 503, 504], risks);
  if (isRefusal(ledger)) return ledger.refused;
  return ledger;
}

export const correction = (fields: Partial<CommissionColumns> = {}) =>
  sale({
    id: 501,
    kind: 'refund-adjustment',
    parent_id: 1,
    created_at: later(60),
    updated_at: later(60),
    ...fields,
  });
