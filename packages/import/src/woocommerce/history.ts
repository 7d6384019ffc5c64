import type { Instant, OrderStatus } from '../../../../src/exports/store.ts';
import type { OrderMoment } from '../records/order.ts';
import { utcOf } from '../values.ts';
import type { OrderRow } from './gathered.ts';

export function historyOf(
  row: OrderRow,
  createdAt: Instant,
  end: Instant,
  status: OrderStatus,
  refundedAt: Instant,
): readonly [OrderMoment, ...OrderMoment[]] {
  const first: OrderMoment = { at: createdAt, status: 'on-hold' };
  const moments: [OrderMoment, ...OrderMoment[]] = [first];
  const go = (to: OrderStatus, wanted: Instant) => {
    const before = moments.at(-1) ?? first;
    if (before.status === to) return;
    moments.push({ at: wanted > before.at ? wanted : before.at, status: to });
  };
  const [paidAt, completedAt] = [utcOf(row.paid), utcOf(row.completed)];
  if (status !== 'on-hold' && status !== 'payment-confirm') {
    if (paidAt) go('in-progress', paidAt);
    if (completedAt && status !== 'in-progress') go('completed', completedAt);
  }
  // An order paid on delivery is in progress from the beginning.
  go(status, status === 'refunded' ? refundedAt : status === 'in-progress' ? createdAt : end);
  const last = moments.at(-1) ?? first;
  if (!isPlain(row.status)) moments[moments.length - 1] = { ...last, note: row.status };
  return moments;
}

/** Tells if a status of WooCommerce has the same meaning in the store. */
export const isPlain = (status: string) =>
  /^wc-(pending|on-hold|processing|completed|refunded|cancelled)$/.test(status);
