import { type SQL, and, eq, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import { waitsPlainly } from '../schema/orders.ts';
import { requireFigureFree } from './order-guards.ts';
import { payableClaims } from '../schema/payments.ts';
import { type Argument, instantOf, type Write, build, raw } from '../kernel/database/statements.ts';
import type { Instant } from '../lib/instant.ts';
import { largestAmount } from '../lib/money.ts';
import type { OrderColumns } from '../schema/orders.ts';

/** How many figures on either side of what the order will cost are looked at for a free one. */
const nearby = 1500;

/**
 * The figures that an order can't wait for at a moment: those that are reserved, and those that orders
 * without a code wait for.
 * @param wanted a row of the currency and the amount to look around; none where codes don't matter
 * @param own the order it is for: its own figures are not another's
 */
const findTakenFigures = (wanted: SQL, own: Argument<number>, now: Argument<Date>) => {
  const reserved = (side: SQL) => sql`(select amount, held_until, order_id from payable_claims
    where currency = (select currency from wanted) and amount ${side} limit ${nearby})`;
  const plain = (side: SQL) => sql`(select distinct grand_total from orders
    where ${waitsPlainly} and currency = (select currency from wanted) and id <> ${own}
      and grand_total ${side} limit ${nearby})`;
  const above = (column: SQL) => sql`>= (select amount from wanted) order by ${column}`;
  const below = (column: SQL) => sql`< (select amount from wanted) order by ${column} desc`;
  const [amount, total] = [sql`amount`, sql`grand_total`];
  return raw<{ amount: string }>(sql`
    with wanted as materialized (${wanted}), reserved as (
      ${reserved(above(amount))} union all ${reserved(below(amount))}
    )
    select amount from reserved
     where (held_until is null or held_until > ${instantOf(now)})
       and order_id is distinct from ${own}
    union all ${plain(above(total))} union all ${plain(below(total))}`);
};

/** Those near to what a new order of a product costs, or else may cost, where the store tells transfers apart. */
export const findFiguresNearProduct = (
  product_id: Argument<number>,
  quantity: Argument<number>,
  due: Argument<number>,
  now: Argument<Date>,
) =>
  findTakenFigures(
    sql`select s.currency, coalesce(${due}::bigint,
          least(p.price::numeric * ${quantity}::int, ${largestAmount})::bigint) as amount
      from settings s, products p where s.unique_code_enabled and p.id = ${product_id}`,
    0,
    now,
  );

/** Those near to what an order costs, or is about to cost, where its transfer is told apart. */
export const findFiguresNearOrder = (
  id: Argument<number>,
  quantity: Argument<number> | null,
  due: Argument<number> | null,
  now: Argument<Date>,
) =>
  findTakenFigures(
    sql`select o.currency, coalesce(${due}::bigint, least(o.grand_total
          + (o.subtotal + o.variant_total)::numeric / o.quantity
          * (coalesce(${quantity}::int, o.quantity) - o.quantity), ${largestAmount})::bigint)
        as amount
      from settings s, orders o
     where o.id = ${id} and (s.unique_code_enabled or o.unique_code <> 0)`,
    id,
    now,
  );

type Payable = Pick<OrderColumns, 'id' | 'currency' | 'grand_total'>;

/**
 * Reserves the figure an order waits for: one that is free, or that was its own before. Another's is
 * refused by the database, also where that other order has no code.
 */
export const claimFigure = (order: Payable, now: Date): Write<'transfer_figure_taken'>[] => [
  build
    .delete(payableClaims)
    .where(
      and(
        eq(payableClaims.currency, order.currency),
        eq(payableClaims.amount, order.grand_total),
        isNotNull(payableClaims.held_until),
        or(eq(payableClaims.order_id, order.id), lte(payableClaims.held_until, now.toISOString())),
      ),
    ),
  build
    .insert(payableClaims)
    .values({ order_id: order.id, currency: order.currency, amount: order.grand_total }),
  requireFigureFree(order),
];

/** Frees the figure that an order was paid with. */
export const freeFigure = ({ id }: Pick<Payable, 'id'>) =>
  build.delete(payableClaims).where(isAwaited(id));

/** Keeps the figure that an order no longer waits for until a moment: a transfer may be on its way. */
export const holdFigure = ({ id }: Pick<Payable, 'id'>, until: Instant) =>
  build.update(payableClaims).set({ held_until: until }).where(isAwaited(id));

const isAwaited = (order_id: number) =>
  and(eq(payableClaims.order_id, order_id), isNull(payableClaims.held_until));
