import {
  type Instant,
  accessGrants,
  subscriptionChanges,
  subscriptions,
  subscriptionTerms,
} from '../../../../src/exports/store.ts';
import { type ChangedRow, type NewRow, change, insertInto } from '../mapped.ts';
import type { Reason } from '../reasons.ts';
import { type ForeignOrder, cameInto, isPaid, statusOf } from './order.ts';

export type Term = typeof subscriptionTerms.$inferInsert;

/** An order of a chain, with its term. */
export interface TermPurchase {
  readonly order: ForeignOrder;
  readonly term: Term;
}

export interface ReportedTerm extends TermPurchase {
  readonly reasons: readonly Reason[];
}

/** The end that the shop has already announced to the buyer: one within 72 hours. */
export function announcedEnd(end: Instant | null, now: Instant): Instant | null {
  const soon = new Date(Date.parse(now) + 72 * 3_600_000).toISOString();
  return end !== null && end <= soon ? end : null;
}

/**
 * Returns the term of an order.
 * @param until its end; without one it ends where it began, because no further time is known
 * @param activatedAt null if it doesn't count; by default it counts if the order is completed
 */
export function boughtBy(
  order: ForeignOrder,
  {
    until,
    activatedAt = activationOf(order),
    ...term
  }: Pick<Term, 'type' | 'duration' | 'period'> & {
    until: Instant | null;
    activatedAt?: Instant | null;
  },
): TermPurchase {
  return {
    order,
    term: {
      ...term,
      order_id: order.id,
      first_order_id: order.rootId ?? order.id,
      activated_at: activatedAt,
      until: activatedAt && (until ?? activatedAt),
    },
  };
}

/** Returns the completion of an order; null if it isn't completed. */
export function activationOf(order: ForeignOrder): Instant | null {
  const completed = order.history.findLast(({ status }) => status === 'completed');
  return statusOf(order) === 'completed' ? (completed?.at ?? null) : null;
}

/** Returns the completion of an order, or the payment of one that isn't completed yet; null if it isn't paid. */
export const paidActivationOf = (order: ForeignOrder): Instant | null =>
  activationOf(order) ?? (isPaid(statusOf(order)) ? cameInto(order, isPaid) : null);

/**
 * Makes every term end no earlier than the terms before it, so that the last term ends the
 * subscription.
 */
export function lastingOn<T extends ReportedTerm>(bought: readonly T[]): T[] {
  let latest = '';
  const lasting = new Map<T, T>();
  for (const one of [...bought].sort((a, b) => compareTerms(a.term, b.term))) {
    const { until } = one.term;
    if (!until) continue;
    if (until < latest)
      lasting.set(one, {
        ...one,
        term: { ...one.term, until: latest },
        reasons: [...one.reasons, 'outlasted'],
      });
    else latest = until;
  }
  return bought.map((one) => lasting.get(one) ?? one);
}

/**
 * Returns the subscription of a chain's orders, and the access it gives.
 * @param cancelledAt the time of the cancellation
 * @param cancelledBy `member` if the buyer may withdraw it until the end
 */
export function subscriptionRows(
  rootId: number,
  id: number,
  bought: readonly TermPurchase[],
  {
    now,
    cancelledAt = null,
    cancelledBy = 'member',
  }: { now: Instant; cancelledAt?: Instant | null; cancelledBy?: 'member' | 'store' },
): (NewRow | ChangedRow)[] {
  const counting = bought
    .filter(({ term }) => term.activated_at)
    .sort((a, b) => compareTerms(a.term, b.term));
  const [first, last] = [counting[0], counting.at(-1)];
  const of = last ?? bought[0];
  if (!of) return [];
  const end = last?.term.until ?? null;
  // Without a paid term the first order decides, as in the store, and there is nothing to cancel.
  const isClosed = bought.some(
    ({ order }) => order.id === rootId && ['cancelled', 'refunded'].includes(statusOf(order)),
  );
  const cancelled = end === null || cancelledAt === null ? null : cancelledAt;
  const over = cancelled === null ? 'expired' : 'cancelled';
  const paid = end !== null && end <= now ? over : 'active';
  const subscription = insertInto(subscriptions, {
    id,
    user_id: of.order.userId,
    product_id: of.order.productId,
    first_order_id: rootId,
    order_id: of.order.id,
    type: of.term.type,
    status: last ? paid : isClosed ? 'inactive' : 'pending',
    start: first?.term.activated_at ?? null,
    end_date: end,
    announced_end: announcedEnd(end, now),
    cancelled_at: cancelled,
    cancelled_by: cancelled === null ? null : cancelledBy,
    created_at: of.order.createdAt,
    updated_at: of.order.updatedAt,
  });
  if (end === null) return [subscription];
  const grant = change(accessGrants, rootId, {
    user_id: of.order.userId,
    subscription_id: id,
    status: 'active',
    start: first?.term.activated_at ?? null,
    end_active: end,
    revoked_at: null,
    revoke_reason: null,
    deleted_at: null,
  });
  return [subscription, grant];
}

/** Tells if a chain has time left. */
export const isRunning = (bought: readonly TermPurchase[], now: Instant): boolean =>
  bought.some(({ term }) => (term.until ?? '') > now);

/**
 * Pauses a running subscription and its access: the store resumes it for the days that are left.
 * @param rows those of `subscriptionRows`
 * @param id of the pause
 */
export function pausedRows(
  rows: readonly (NewRow | ChangedRow)[],
  id: number,
  bought: readonly TermPurchase[],
  now: Instant,
): (NewRow | ChangedRow)[] {
  // A pause begins after all terms, even if the shop dates one of them in the future.
  const at = bought
    .map(({ term }) => term.activated_at ?? now)
    .reduce((latest, each) => (each > latest ? each : latest), now);
  const paused = rows.map((row) => ({
    ...row,
    values: {
      ...row.values,
      ...(row.table === subscriptions
        ? { status: 'paused', paused_at: at }
        : { status: 'revoked', revoked_at: at, revoke_reason: 'paused' }),
    },
  }));
  const first_order_id = bought[0]?.term.first_order_id ?? 0;
  return [...paused, insertInto(subscriptionChanges, { id, first_order_id, kind: 'pause', at })];
}

/** Sorts terms by their start; terms that don't count come first. */
function compareTerms(a: Term, b: Term): number {
  const [first, second] = [a.activated_at ?? '', b.activated_at ?? ''];
  return first < second ? -1 : first > second ? 1 : a.order_id - b.order_id;
}
