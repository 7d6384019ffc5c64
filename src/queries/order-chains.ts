import { type SQL, and, eq, sql } from 'drizzle-orm';
import { orders } from '../schema/orders.ts';
import type { OrderTarget } from '../domain/order/change.ts';
import { type Argument, build, isGiven, sendIf } from '../kernel/database/statements.ts';
import { subscriptions } from '../schema/subscriptions.ts';

/** The first order of the chain that an order belongs to. */
export const firstOrderOf = (order_id: number | SQL) =>
  sql`(select coalesce(o.order_parent_id, o.id) from orders o where o.id = ${order_id})`;

/** The first order of the chain that an order belongs to or is about to join; 0 for a new one. */
export const chainOf = (target: OrderTarget) =>
  firstOrderOf(target.kind === 'existing' ? target.id : (target.order_parent_id ?? 0));

/** The quantity of every order of a chain: that of the first. */
export const quantityOfChain = (order_id: number | SQL) =>
  sql<number>`(select f.quantity from orders f where f.id = ${firstOrderOf(order_id)})`.mapWith(
    Number,
  );

/** The order that another names as its parent, with the subscription of its chain. */
export const findParentOrder = (id: Argument<number> | undefined) =>
  sendIf(isGiven(id), () =>
    build
      .select({
        first_order_id: sql<string>`coalesce(${orders.order_parent_id}, ${orders.id})`.mapWith(
          Number,
        ),
        quantity: quantityOfChain(id ?? 0),
        user_id: orders.user_id,
        product_id: orders.product_id,
        subscription: subscriptions,
      })
      .from(orders)
      .leftJoin(
        subscriptions,
        eq(subscriptions.first_order_id, sql`coalesce(${orders.order_parent_id}, ${orders.id})`),
      )
      .where(and(eq(orders.id, id ?? 0), sql`${orders.deleted_at} is null`)),
  );
