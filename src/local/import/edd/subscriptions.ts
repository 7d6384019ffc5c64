import { accessGrants } from '../../../schema/access.ts';
import { subscriptionTerms, subscriptions } from '../../../schema/subscriptions.ts';
import {
  type Mapped,
  type StepContext,
  change,
  imported,
  insertInto,
  without,
  withReasons,
} from '../mapped.ts';
import { type ForeignOrder, statusOf } from '../records/order.ts';
import { utcOf } from '../values.ts';
import { orderReader } from './orders.ts';
import type { Plan } from './plan.ts';
import type { edd } from './source.ts';

/** How long before it ends somebody is told that a subscription does. */
const noticeHours = 72;

const periods: Readonly<
  Record<string, { duration: number; period: 'daily' | 'monthly' | 'yearly' }>
> = {
  day: { duration: 1, period: 'daily' },
  week: { duration: 7, period: 'daily' },
  month: { duration: 1, period: 'monthly' },
  quarter: { duration: 3, period: 'monthly' },
  'semi-year': { duration: 6, period: 'monthly' },
  year: { duration: 1, period: 'yearly' },
};

/**
 * Subscriptions: access until what was paid for ends. Who charges the buyer's card goes on doing so elsewhere: the
 * report names its id at the gateway.
 */
export function* subscriptionsStep({
  staging,
  plan,
  numbers,
  now,
}: StepContext<typeof edd, Plan>): Generator<Mapped> {
  const read = orderReader(staging, plan);
  const done = new Set<number>();
  for (const row of staging.rows('edd_subscriptions')) {
    const id = row.id ?? '';
    numbers.above(subscriptions, Number(id));
    const found = read(row.parent_payment_id ?? '');
    const order = found && 'parts' in found ? found.subscribed.get(id) : undefined;
    if (!order || done.has(order.id)) {
      const reason = !found ? 'order-missing' : order ? 'joined' : 'order-not-imported';
      yield without('subscriptions', id, order ? 'left-out' : 'refused', reason);
      continue;
    }
    done.add(order.id);
    const ends = utcOf(row.expiration);
    const counts = statusOf(order) === 'completed';
    const rows = subscriptionRows(order, {
      id: Number(id),
      term: periods[row.period ?? ''] ?? { duration: 1, period: 'monthly' },
      until: counts ? ends : null,
      now,
    });
    const isCharged = row.profile_id !== '' && row.profile_id !== null;
    yield withReasons(
      imported('subscriptions', id, [order.id], rows),
      [
        ...(isCharged ? (['charged-elsewhere'] as const) : []),
        ...(String(order.id) === row.parent_payment_id ? [] : (['several-products'] as const)),
        ...(counts ? [] : (['not-paid'] as const)),
        ...(counts && !ends ? (['date-unknown'] as const) : []),
      ],
      row.profile_id ?? undefined,
    );
  }
}

function subscriptionRows(
  order: ForeignOrder,
  {
    id,
    term,
    until,
    now,
  }: {
    id: number;
    term: { duration: number; period: 'daily' | 'monthly' | 'yearly' };
    until: string | null;
    now: string;
  },
) {
  const completed = order.history.find(({ status }) => status === 'completed');
  const isCompleted = statusOf(order) === 'completed';
  const start = isCompleted ? (completed?.at ?? order.createdAt) : null;
  // Without an end of its own it ends where it began: nobody knows of more.
  const end = isCompleted ? (until ?? start) : null;
  const soon = new Date(Date.parse(now) + noticeHours * 3_600_000).toISOString();
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
      announced_end: end !== null && end <= soon ? end : null,
      created_at: order.createdAt,
      updated_at: order.updatedAt,
    }),
  ];
  if (end === null) return rows;
  // Access that was taken away by hand stays away.
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
