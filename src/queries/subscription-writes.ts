import { and, eq, isNull, sql } from 'drizzle-orm';
import { type Write, build, raw } from '../kernel/database/statements.ts';
import { holdRow, updateRow } from '../kernel/database/versions.ts';
import { type OrderTarget, firstOfChain } from '../domain/order/change.ts';
import type { Chain, ChangedChain } from '../domain/subscription/chain.ts';
import type { SubscriptionMove } from '../domain/subscription/changes.ts';
import type { OrderColumns } from '../schema/orders.ts';
import {
  subscriptionChanges,
  subscriptionTerms,
  subscriptions,
  type SubscriptionColumns,
} from '../schema/subscriptions.ts';
import { chainOf, countInstalments, countSignups } from './order-chains.ts';

export const holdSubscription = (before: SubscriptionColumns) => holdRow(subscriptions, before);

/**
 * Locks a chain for a renewal or a reopened order, so that nobody cancels it meanwhile. Orders of a plan are serialised,
 * and never exceed its number of payments. Only one order has the sign-up fee, closed ones aside.
 * @param signedUp the error if another one has it
 */
export const holdChain = <C extends string>(
  order: OrderColumns,
  before: SubscriptionColumns,
  { subscription }: ChangedChain,
  signedUp: C,
): Write<'plan_complete' | C>[] => [
  ...(subscription === before ? [holdRow(subscriptions, before)] : []),
  ...(order.type === 'subscription-signup'
    ? [
        {
          code: signedUp,
          statement: raw(sql`select svc_guard(
            ${countSignups(firstOfChain(order))} <= 1, ${signedUp})`),
        },
      ]
    : []),
  ...(order.agreed.plan
    ? [
        {
          code: 'plan_complete' as const,
          statement: raw(sql`select svc_guard(
            ${countInstalments(firstOfChain(order))} <= ${order.agreed.plan.payments}, 'plan_complete')`),
        },
      ]
    : []),
];

/** Draws an id for the subscription that an order may begin; none if its chain has one. */
export function drawSubscriptionId(target: OrderTarget) {
  const subscribes =
    target.kind === 'existing'
      ? sql`exists (select from orders o where o.id = ${target.id} and o.type <> 'regular')`
      : sql`exists (select from products p
          where p.id = ${target.product_id} and (p.subscription ->> 'active')::boolean)`;
  return raw<{ id: string }>(sql`select nextval('subscriptions_id_seq') as id
    where ${subscribes}
      and not exists (select from subscriptions where first_order_id = ${chainOf(target)})`);
}

/** Writes a chain's new state, if the former is unchanged. */
export function saveChain(before: Chain, { subscription, term, step }: ChangedChain): Write[] {
  const known = before.terms.some(({ order_id }) => order_id === term.order_id);
  return [
    ...(subscription === before.subscription ? [] : saveSubscription(before, subscription)),
    ...(!known ? [build.insert(subscriptionTerms).values(term)] : []),
    ...(known && step
      ? [
          build
            .update(subscriptionTerms)
            .set({ activated_at: term.activated_at, until: term.until })
            .where(eq(subscriptionTerms.order_id, term.order_id)),
        ]
      : []),
  ];
}

function saveSubscription(before: Chain, after: SubscriptionColumns | undefined): Write[] {
  if (!after) return [];
  return [
    before.subscription
      ? updateRow(subscriptions, before.subscription, after)
      : build.insert(subscriptions).values(after),
  ];
}

/** Writes a subscription's new state, if the former is unchanged. */
export const saveMove = (
  before: SubscriptionColumns,
  { subscription, added, resumed_at }: SubscriptionMove,
): Write[] =>
  subscription === before
    ? []
    : [
        updateRow(subscriptions, before, subscription),
        ...(resumed_at === undefined
          ? []
          : [
              build
                .update(subscriptionChanges)
                .set({ resumed_at })
                .where(
                  and(
                    eq(subscriptionChanges.first_order_id, before.first_order_id),
                    eq(subscriptionChanges.kind, 'pause'),
                    isNull(subscriptionChanges.resumed_at),
                  ),
                ),
            ]),
        ...(added ? [build.insert(subscriptionChanges).values(added)] : []),
      ];

/** Fails the write, so that the change is decided again. */
export const tryAgain: Write = {
  code: 'rest_conflict',
  statement: raw(sql`select svc_guard(false, 'rest_conflict')`),
};
