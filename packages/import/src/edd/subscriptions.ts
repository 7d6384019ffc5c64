import { accessGrants, subscriptions, subscriptionTerms } from '../../../../src/exports/store.ts';
import { because, change, insertInto } from '../mapped.ts';
import { type ForeignOrder, statusOf, withoutOrder } from '../records/order.ts';
import type { Span } from '../records/recurrence.ts';
import { announcedEnd } from '../records/subscription.ts';
import { utcOf } from '../values.ts';
import { orderReader } from './orders.ts';
import { eachRow } from './plan.ts';
import { periods } from './recurrence.ts';

/**
 * Imports subscriptions as access until the end of the paid time. The gateway goes on charging the buyer's card: the
 * report has its id of the subscription.
 */
export const subscriptionsStep = eachRow({
  entity: 'subscriptions',
  table: 'edd_subscriptions',
  reader({ staging, plan, now }) {
    const read = orderReader(staging, plan);
    const done = new Set<number>();
    return (row, id) => {
      const found = read(row.parent_payment_id ?? '');
      const order = found && 'orders' in found ? found.subscribed.get(row.id ?? '') : undefined;
      if (!order) return { refusal: withoutOrder(found) };
      if (done.has(order.id)) return { refusal: 'joined', outcome: 'left-out' };
      done.add(order.id);
      const ends = utcOf(row.expiration);
      const counts = statusOf(order) === 'completed';
      const rows = subscriptionRows(order, {
        id,
        term: periods[row.period ?? ''] ?? { duration: 1, period: 'monthly' },
        until: counts ? ends : null,
        now,
      });
      const reasons = because({
        'charged-elsewhere': row.profile_id !== '' && row.profile_id !== null,
        'several-products': String(order.id) !== row.parent_payment_id,
        'not-paid': !counts,
        'date-unknown': counts && !ends,
      });
      return { rows, targets: [order.id], reasons, detail: row.profile_id ?? undefined };
    };
  },
});

function subscriptionRows(
  order: ForeignOrder,
  { id, term, until, now }: { id: number; term: Span; until: string | null; now: string },
) {
  const completed = order.history.find(({ status }) => status === 'completed');
  const isCompleted = statusOf(order) === 'completed';
  const start = isCompleted ? (completed?.at ?? order.createdAt) : null;
  // A subscription without an end date ends where it began: no further time is known.
  const end = isCompleted ? (until ?? start) : null;
  const rows = [
    insertInto(subscriptionTerms, {
      order_id: order.id,
      first_order_id: order.id,
      type: order.type,
      ...term,
      activated_at: start,
      until: end,
    }),
    insertInto(subscriptions, {
      id,
      user_id: order.userId,
      product_id: order.productId,
      first_order_id: order.id,
      order_id: order.id,
      type: order.type,
      status: end === null ? 'inactive' : end <= now ? 'expired' : 'active',
      start,
      end_date: end,
      announced_end: announcedEnd(end, now),
      created_at: order.createdAt,
      updated_at: order.updatedAt,
    }),
  ];
  if (end === null) return rows;
  // Manually revoked access stays revoked.
  const grant = order.revokedAt
    ? []
    : [
        change(accessGrants, order.id, {
          subscription_id: id,
          status: 'active',
          start,
          end_active: end,
        }),
      ];
  return [...rows, ...grant];
}
