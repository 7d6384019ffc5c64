import { grouped } from '../grouped.ts';
import { type MappedRow, because, mapped } from '../mapped.ts';
import type { Reason } from '../reasons.ts';
import { type ForeignCommission, commissionRows } from '../records/commission.ts';
import {
  type OrderFigures,
  figuresOf,
  isClosed,
  isOpen,
  ordersIn,
  withoutOrder,
} from '../records/order.ts';
import type { StagedRow } from '../source.ts';
import { amountOf, idOf, localOf } from '../values.ts';
import { orderReader } from './orders.ts';
import type { Context, Plan, SejoliStep } from './plan.ts';
import type { sejoli } from './source.ts';

type Row = StagedRow<typeof sejoli, 'sejolisa_affiliates'>;

export const commissionsStep: SejoliStep = {
  entity: 'commissions',
  ids: [{ entity: 'commissions', table: 'sejolisa_affiliates' }],
  *map(context) {
    const read = orderReader(context.staging, context.plan);
    const rows = context.staging.database
      .prepare(
        `select * from sejolisa_affiliates
          order by cast(order_id as integer), cast(tier as integer), cast(ID as integer)`,
      )
      .iterate() as Iterable<Row>;
    for (const ofOrder of grouped(rows, ({ order_id }) => order_id)) {
      const found = read(ofOrder[0]?.order_id ?? '');
      const [order] = ordersIn(found);
      if (order) yield* ofOneOrder(ofOrder, figuresOf(order), context);
      else
        for (const { ID } of ofOrder)
          yield mapped('commissions', ID ?? '', { refusal: withoutOrder(found) });
    }
  },
};

interface EarnedCommission {
  readonly commission: ForeignCommission;
  readonly reasons: readonly Reason[];
}

function* ofOneOrder(
  rows: readonly Row[],
  order: OrderFigures,
  { plan, now }: Context,
): Generator<MappedRow> {
  const earned: EarnedCommission[] = [];
  for (const row of rows) {
    const read = readCommission(row, order, plan, now);
    if (typeof read === 'string') yield mapped('commissions', row.ID ?? '', { refusal: read });
    else earned.push(read);
  }
  const written = commissionRows(
    order,
    earned.map(({ commission }) => commission),
  );
  for (const [i, { row, isByHand }] of written.entries())
    yield mapped('commissions', String(row.values.id), {
      rows: [row],
      reasons: [...(earned[i]?.reasons ?? []), ...because({ 'beside-the-rules': isByHand })],
    });
}

function readCommission(
  row: Row,
  order: OrderFigures,
  { exponent, timezone }: Plan,
  now: string,
): EarnedCommission | Reason {
  const amount = amountOf(row.commission, exponent);
  const affiliateId = idOf(row.affiliate_id);
  if (!amount) return 'amount-impossible';
  if (affiliateId === null) return 'no-affiliate';
  const createdAt = localOf(row.created_at, timezone) ?? now;
  const updatedAt = localOf(row.updated_at, timezone) ?? createdAt;
  const deletedAt = localOf(row.deleted_at, timezone);
  const { status, reasons } = statusOf(row, order, deletedAt !== null);
  const isPaid = row.paid_status === '1' && status === 'added';
  // An order that is reopened gives back what it cancelled itself.
  const isByOrder = isClosed(order.status) && deletedAt === null;
  const tier = idOf(row.tier);
  const isStrange = tier === null || tier > 20 || !['0', '1'].includes(row.paid_status ?? '');
  return {
    commission: {
      id: Number(row.ID),
      affiliateId,
      tier: Math.min(20, tier ?? 1),
      amount: amount.units,
      status,
      cancellation: status === 'cancelled' ? (isByOrder ? 'order' : 'hand') : null,
      paidAt: isPaid ? updatedAt : null,
      payoutId: null,
      note: row.paid_status === '1' && !isPaid ? 'was marked as paid before the move' : null,
      createdAt,
      updatedAt,
      deletedAt,
    },
    reasons: [
      ...because({
        'amount-rounded': amount.rounded,
        'value-impossible': isStrange,
        'other-product': idOf(row.product_id) !== order.productId,
      }),
      ...reasons,
    ],
  };
}

/**
 * Returns the status of a commission here: a closed order has no unpaid ones, a completed order no pending ones, and an
 * open order none that are payable.
 */
function statusOf(
  row: Row,
  order: OrderFigures,
  isDeleted: boolean,
): { status: ForeignCommission['status']; reasons: Reason[] } {
  const isPaid = row.paid_status === '1';
  if (row.status === 'cancelled' || isDeleted)
    return {
      status: 'cancelled',
      reasons: because({ 'was-paid': isPaid, deleted: row.status !== 'cancelled' }),
    };
  if (isClosed(order.status) && !isPaid) return { status: 'cancelled', reasons: ['closed-order'] };
  if (row.status === 'added' && !isPaid && isOpen(order.status))
    return { status: 'pending', reasons: ['not-yet-due'] };
  if (row.status === 'added' || isPaid)
    return { status: 'added', reasons: row.status === 'added' ? [] : ['repaired-status'] };
  return order.status === 'completed'
    ? { status: 'added', reasons: ['repaired-status'] }
    : { status: 'pending', reasons: [] };
}
