import { addSeconds } from '../../lib/instant.ts';
import { nextVersion } from '../../lib/versions.ts';
import type { OrderRow } from '../order/rules.ts';
import { isCovered } from '../risk/rules.ts';
import type { CommissionColumns } from '../../schema/commissions.ts';
import type { OrderColumns } from '../../schema/orders.ts';
import type { RiskColumns } from '../../schema/risks.ts';
import { type LedgerChange, phaseOf, revised, withAdjustments } from './ledger-change.ts';
import type { OrderRisk } from './order-risks.ts';

export interface DecidedOrders {
  readonly orders: readonly OrderRow[];
  readonly rows: readonly CommissionColumns[];
  readonly risks: readonly (OrderRisk & { readonly order_id: number })[];
  /** By the product's id. */
  readonly holdDays: ReadonlyMap<number, number>;
  readonly people: readonly { readonly id: number; readonly display_name: string }[];
  readonly ids: readonly number[];
  readonly now: Date;
}

export interface DecisionEffect {
  readonly ledger: LedgerChange;
  /** The orders that start or stop counting for their affiliate. */
  readonly orders: readonly OrderRow[];
}

export function followDecision(after: RiskColumns, state: DecidedOrders): DecisionEffect {
  const changed: CommissionColumns[] = [];
  const added: CommissionColumns[] = [];
  const orders: OrderRow[] = [];
  let ids = state.ids;
  for (const row of state.orders) {
    const risks = state.risks
      .filter(({ order_id }) => order_id === row.order.id)
      .map(({ risk, tier }) => ({
        tier,
        status: risk.id === after.id ? after.status : risk.status,
      }));
    const isLost = (tier: number) => isCovered(risks, tier, 'confirmed');
    const before = state.rows.filter(({ order_id }) => order_id === row.order.id);
    const next = before.map((each) =>
      revised(each, decidedRow(each, isLost(each.tier), row.order, state), state.now),
    );
    const ledger = withAdjustments(before, next, [], { ...state, order: row.order, ids, risks });
    changed.push(...ledger.changed);
    added.push(...ledger.added);
    ids = ids.slice(ledger.added.length);
    const order = counted(row.order, isLost(1), state.now);
    const affiliate = state.people.find(({ id }) => id === order.affiliate_id) ?? null;
    if (order !== row.order) orders.push({ ...row, order, affiliate });
  }
  return { ledger: { changed, added }, orders };
}

function decidedRow(
  { status, cancellation, paid_at, created_at }: CommissionColumns,
  isLost: boolean,
  order: OrderColumns,
  { holdDays, now }: DecidedOrders,
): Partial<CommissionColumns> | undefined {
  if (isLost) {
    const isTaken = paid_at === null && status !== 'cancelled';
    return isTaken ? { status: 'cancelled', cancellation: 'risk', hold_until: null } : undefined;
  }
  if (cancellation !== 'risk') return undefined;
  const days = holdDays.get(order.product_id) ?? 0;
  const completed_at = order.completed_at ?? now.toISOString();
  // The affiliate may have been set after the order was completed.
  const earnedAt = created_at > completed_at ? created_at : completed_at;
  switch (phaseOf(order)) {
    case 'pending':
      return { status: 'pending', cancellation: null };
    case 'added':
      return {
        status: 'added',
        cancellation: null,
        hold_until: addSeconds(earnedAt, days * 86_400),
      };
    case 'ended':
      return { cancellation: 'order' };
  }
}

/** Makes an order count for its affiliate, or stop counting. */
function counted(order: OrderColumns, isLost: boolean, now: Date): OrderColumns {
  const { attribution, affiliate_id } = order;
  if (!attribution) return order;
  const { rejected_reason, ...kept } = attribution;
  if (isLost && affiliate_id !== null) {
    const rejected = { ...kept, rejected_reason: 'fraud' } as const;
    return { ...order, affiliate_id: null, attribution: rejected, ...nextVersion(order, now) };
  }
  if (isLost || affiliate_id !== null || rejected_reason !== 'fraud') return order;
  return {
    ...order,
    affiliate_id: kept.affiliate_id,
    attribution: kept,
    ...nextVersion(order, now),
  };
}
