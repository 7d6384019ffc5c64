import { type SQL, and, eq, gt, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import { waitedForTransfer, waitsPlainly } from '../schema/orders.ts';
import { requireFigureFree } from './order-guards.ts';
import { payableClaims } from '../schema/payments.ts';
import { type Argument, instantOf, type Write, build, raw } from '../kernel/database/statements.ts';
import type { Instant } from '../lib/instant.ts';
import { largestAmount } from '../lib/money.ts';
import type { OrderColumns } from '../schema/orders.ts';

/**
 * Returns amounts that are taken for an order: reserved ones, and totals of open orders without a code. Held ones come
 * first, oldest first. An amount that two
 * earlier orders may still be paid by can't be taken over: a reservation records only two codes.
 * @param wanted a row with the currency, the amount to search around and the largest code; none if codes don't matter
 * @param own the order itself, whose own amounts count as free
 */
const findTakenFigures = (wanted: SQL, own: Argument<number>, now: Argument<Date>) => {
  // The price is an estimate, so half as many amounts again are read on each side.
  const nearby = sql`limit (select largest * 3 / 2 from wanted)`;
  const reserved = (
    side: SQL,
  ) => sql`(select amount, held_until, order_id, earlier_until from payable_claims
    where currency = (select currency from wanted) and amount ${side} ${nearby})`;
  const plain = (
    side: SQL,
  ) => sql`(select distinct grand_total, null::timestamptz, false from orders
    where ${waitsPlainly} and currency = (select currency from wanted) and id <> ${own}
      and grand_total ${side} ${nearby})`;
  const above = (column: SQL) => sql`>= (select amount from wanted) order by ${column}`;
  const below = (column: SQL) => sql`< (select amount from wanted) order by ${column} desc`;
  const [amount, total] = [sql`amount`, sql`grand_total`];
  return raw<{ amount: string; is_held: boolean }>(sql`
    with wanted as materialized (${wanted}), reserved as (
      ${reserved(above(amount))} union all ${reserved(below(amount))}
    )
    select amount, held_until is not null and not is_of_two as is_held from (
      select amount, held_until, coalesce(earlier_until > ${instantOf(now)}, false) as is_of_two from reserved
       where (held_until is null or held_until > ${instantOf(now)})
         and order_id is distinct from ${own}
      union all ${plain(above(total))} union all ${plain(below(total))}) others
     order by held_until, amount`);
};

/** Amounts taken near the price of a new order, if the store uses codes. */
export const findFiguresNearProduct = (
  product_id: Argument<number>,
  quantity: Argument<number>,
  due: Argument<number>,
  now: Argument<Date>,
) =>
  findTakenFigures(
    sql`select s.currency, coalesce(${due}::bigint,
          least(p.price::numeric * ${quantity}::int, ${largestAmount})::bigint) as amount,
          s.unique_code_largest as largest
      from settings s, products p where s.unique_code_enabled and p.id = ${product_id}`,
    0,
    now,
  );

/** Amounts taken near the present or future price of an order, if its transfers have codes. */
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
        as amount, s.unique_code_largest as largest
      from settings s, orders o
     where o.id = ${id} and (s.unique_code_enabled or o.unique_code <> 0)`,
    id,
    now,
  );

type Payable = Pick<OrderColumns, 'id' | 'currency' | 'grand_total'>;
type OrderCode = Pick<OrderColumns, 'id' | 'unique_code'>;

/**
 * Reserves the amount that an order waits for: a free one, or one that the order had before. The database refuses
 * another order's amount, even if that order has no code.
 * @param takesOver true to take an amount that another order gave up, whose late transfer may still come
 */
export const reserveAmount = (
  order: Payable,
  takesOver: boolean,
  now: Date,
): Write<'transfer_figure_taken'>[] => [
  build
    .update(payableClaims)
    .set({
      order_id: order.id,
      held_until: null,
      earlier_until: sql`case when order_id = ${order.id} then earlier_until
        else greatest(earlier_until, held_until) end`,
      earlier_code: sql`case when order_id = ${order.id} then earlier_code else unique_code end`,
    })
    .where(
      and(
        eq(payableClaims.currency, order.currency),
        eq(payableClaims.amount, order.grand_total),
        isNotNull(payableClaims.held_until),
        takesOver
          ? or(
              eq(payableClaims.order_id, order.id),
              isNull(payableClaims.earlier_until),
              lte(payableClaims.earlier_until, now.toISOString()),
            )
          : or(
              eq(payableClaims.order_id, order.id),
              lte(payableClaims.held_until, now.toISOString()),
            ),
      ),
    ),
  raw(sql`insert into payable_claims (currency, amount, order_id)
    select ${order.currency}, ${order.grand_total}, ${order.id}
     where not exists (select from payable_claims where currency = ${order.currency}
       and amount = ${order.grand_total} and order_id = ${order.id} and held_until is null)`),
  requireFigureFree(order),
];

/** True if the transfer of an order's last payment was reported. */
export const isReported = (order_id: number | SQL) =>
  sql`exists (select from bank_mutations m join orders p on p.id = m.order_id
    where m.order_id = ${order_id} and m.updated_at >= p.paid_at)`;

/** True if the transfer that a reservation `c` was kept for has come. */
const isSpent = sql`(c.held_until is not null and ${isReported(sql`c.order_id`)})`;

/** The seconds that a transfer may take to be reported after its order was marked paid. */
export const lagSeconds = 86_400;

/**
 * Frees the amount that an order was paid with by a reported transfer. If another order had it before, the reservation
 * continues for that order.
 */
export const releaseAmount = ({ id }: Pick<Payable, 'id'>, now: Date) => [
  build
    .update(payableClaims)
    .set({
      order_id: null,
      unique_code: payableClaims.earlier_code,
      held_until: payableClaims.earlier_until,
      earlier_until: null,
      earlier_code: null,
    })
    .where(and(isAwaited(id), isReported(id), gt(payableClaims.earlier_until, now.toISOString()))),
  build.delete(payableClaims).where(and(isAwaited(id), isReported(id))),
];

/** Reserves an amount after its order stopped waiting, because a transfer may be on its way. */
export const holdAmount = ({ id, unique_code }: OrderCode, until: Instant) => [
  build
    .update(payableClaims)
    .set({ unique_code, held_until: sql`greatest(${until}::timestamptz, earlier_until)` })
    .where(isAwaited(id)),
];

/** Reserves a total whose order no longer shows it, unless the order's transfer was reported. */
export const holdTotal = (
  { id, currency, grand_total, unique_code }: Payable & OrderCode,
  until: Instant,
) =>
  raw(sql`insert into payable_claims as c (currency, amount, order_id, unique_code, held_until)
    select ${currency}, ${grand_total}::bigint, ${id}::bigint, ${unique_code}::bigint, ${until}::timestamptz
     where not ${isReported(id)}
    ${orExtended}`);

/** Reserves the total of a cancelled order that is erased. */
export const holdErased = (id: number) =>
  raw(sql`insert into payable_claims as c (currency, amount, order_id, unique_code, held_until)
    select currency, grand_total, id, unique_code, cancelled_at + make_interval(days => (select transfer_hold_days from settings))
      from orders where id = ${id} and ${waitedForTransfer} and cancelled_at is not null
    ${orExtended}`);

/**
 * Extends a reservation of the same amount: `earlier_until` keeps another order's, unless its transfer was reported
 * since.
 */
const orExtended = sql`on conflict (currency, amount) do update set
  order_id = case when ${isSpent} then excluded.order_id else c.order_id end,
  unique_code = case when ${isSpent} or c.order_id = excluded.order_id then excluded.unique_code
    else c.unique_code end,
  held_until = case when ${isSpent} then excluded.held_until
    when c.held_until is not null then greatest(c.held_until, excluded.held_until) end,
  earlier_until = case when ${isSpent} or c.order_id = excluded.order_id then c.earlier_until
    else greatest(c.earlier_until, excluded.held_until) end,
  earlier_code = case when ${isSpent} or c.order_id = excluded.order_id then c.earlier_code
    else coalesce(nullif(excluded.unique_code, 0), c.earlier_code) end`;

/** Frees the amounts of a paid order whose transfer is reported, unless another order recently had them. */
export const releaseReported = (order_id: number, now: Date) =>
  build
    .delete(payableClaims)
    .where(
      and(
        eq(payableClaims.order_id, order_id),
        isNotNull(payableClaims.held_until),
        sql`coalesce(${payableClaims.earlier_until} <= ${now.toISOString()}, true)`,
      ),
    );

const isAwaited = (order_id: number) =>
  and(eq(payableClaims.order_id, order_id), isNull(payableClaims.held_until));
