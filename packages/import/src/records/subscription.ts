import {
  type Instant,
  accessGrants,
  subscriptionChanges,
  subscriptions,
  subscriptionTerms,
} from '../../../../src/exports/store.ts';
import { type ChangedRow, type NewRow, change, insertInto } from '../mapped.ts';
import type { Reason } from '../reasons.ts';
import { type ForeignOrder, cameInto, isClosed, isPaid, statusOf } from './order.ts';

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
 * @param nextPrice that of an item of a renewal; null if it is the product's
 */
export function subscriptionRows(
  rootId: number,
  id: number,
  bought: readonly TermPurchase[],
  {
    now,
    cancelledAt = null,
    cancelledBy = 'member',
    nextPrice = null,
  }: {
    now: Instant;
    cancelledAt?: Instant | null;
    cancelledBy?: 'member' | 'store';
    nextPrice?: number | null;
  },
): (NewRow | ChangedRow)[] {
  const counting = bought
    .filter(({ term }) => term.activated_at)
    .sort((a, b) => compareTerms(a.term, b.term));
  const [first, last] = [counting[0], counting.at(-1)];
  const of = last ?? bought[0];
  if (!of) return [];
  const end = last?.term.until ?? null;
  // Without a paid term a member has nothing to cancel.
  const cancelled = end === null && cancelledBy === 'member' ? null : cancelledAt;
  const subscription = insertInto(subscriptions, {
    id,
    user_id: of.order.userId,
    product_id: of.order.productId,
    first_order_id: rootId,
    order_id: of.order.id,
    type: of.term.type,
    status: statusAt(now, end, cancelled) ?? statusBefore(rootId, bought),
    start: first?.term.activated_at ?? null,
    end_date: end,
    announced_end: announcedEnd(end, now),
    cancelled_at: cancelled,
    cancelled_by: cancelled === null ? null : cancelledBy,
    next_price: nextPrice,
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

function statusAt(now: Instant, end: Instant | null, cancelledAt: Instant | null) {
  if (end === null) return undefined;
  if (end > now) return 'active';
  return cancelledAt === null ? 'expired' : 'cancelled';
}

/** Returns the status without a paid term: the first order decides, as in the store. */
function statusBefore(rootId: number, bought: readonly TermPurchase[]) {
  const root = bought.find(({ order }) => order.id === rootId);
  return root && isClosed(statusOf(root.order)) ? 'inactive' : 'pending';
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
