import {
  type AgreedPlan,
  type Instant,
  accessGrants,
  defaultParts,
  orders,
  subscriptions,
} from '../../../../src/exports/store.ts';
import { type ChangedRow, type NewRow, change } from '../mapped.ts';
import type { ForeignOrder } from '../records/order.ts';
import { pricedAs } from '../records/pricing.ts';
import type { Span } from '../records/recurrence.ts';
import type { TermPurchase } from '../records/subscription.ts';
import { utcOf } from '../values.ts';
import type { Context, Plan } from './plan.ts';

interface Subscription {
  readonly status: string | null;
  readonly expiration: string | null;
}

/** Tells if all payments of a subscription are made. */
export const isCompleted = ({ status }: Pick<Subscription, 'status'>): boolean =>
  status === 'completed';

/** Tells if the shop gives access for good, because all payments are made. */
export const isKept = (row: Pick<Subscription, 'status'>, { keepsCompleted }: Plan): boolean =>
  isCompleted(row) && keepsCompleted;

/**
 * Makes a chain a payment plan of which all payments are made, so that its access never ends.
 * @param chain all its orders
 * @param rows those of `subscriptionRows`
 */
export function keptRows(
  chain: readonly ForeignOrder[],
  bought: readonly TermPurchase[],
  span: Span,
  rows: readonly (NewRow | ChangedRow)[],
): (NewRow | ChangedRow)[] {
  const starts = bought.flatMap(({ term }) => term.activated_at ?? []).sort();
  const [plan_start] = starts;
  const [first] = chain;
  if (plan_start === undefined || !first) return [...rows];
  const payments = starts.length;
  const plan: AgreedPlan = {
    ...{ ...span, payments, after: 'keep', grace_days: 0, price: pricedAs(first).unit_price },
    ...{ tax: pricedAs(first).agreed.tax, signup: defaultParts.subscription.signup },
  };
  const endless = { end_date: null, announced_end: null, payments, paid: payments, plan_start };
  return [
    ...rows.map((row) => {
      if (row.table === subscriptions)
        return { ...row, values: { ...row.values, ...endless, status: 'active' } };
      if (row.table === accessGrants)
        return { ...row, values: { ...row.values, end_active: null } };
      return row;
    }),
    ...chain.map((order) =>
      change(orders, order.id, { agreed: { ...pricedAs(order).agreed, plan } }),
    ),
  ];
}

/** An order, with the id of the shop's order that it is a part of. */
interface SoldBy {
  readonly payment: string;
  readonly order: Pick<ForeignOrder, 'productId'>;
}

/** Reads when the subscription of a sale ends: null if it never does, undefined without a subscription. */
export function endReader({ staging, plan }: Context) {
  const select = staging.database.prepare(
    `select status, expiration from edd_subscriptions
      where (parent_payment_id = ?1 and id_of(product_id) = ?2)
         or id = (select cast(subscription as text) from renewal where order_id = cast(?1 as integer))
      order by rowid limit 1`,
  );
  return ({ payment, order }: SoldBy): Instant | null | undefined => {
    const row = select.get(payment, order.productId) as Subscription | undefined;
    if (!row) return undefined;
    // Without an end it ended where it began.
    return isKept(row, plan) ? null : (utcOf(row.expiration) ?? '');
  };
}
