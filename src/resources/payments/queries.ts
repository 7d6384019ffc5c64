import { type SQL, and, eq, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import { payableClaims } from '../../db/schema/payments.ts';
import { type Write, build, raw } from '../../db/statements.ts';
import type { Instant } from '../../lib/instant.ts';
import { largestAmount } from '../../lib/money.ts';
import type { OrderColumns } from '../orders/rules.ts';

/** How many figures on either side of what the order will cost are looked at for a free one. */
const nearby = 1500;

/** The figures that are reserved at a moment, where the store tells transfers apart by them. */
const findTakenFigures = (near: SQL, now: Date) =>
  raw<{ amount: string }>(sql`
    with wanted as (
      select currency, (${near}) as amount from settings where unique_code_enabled
    ), reserved as (
      (select amount, held_until from payable_claims
        where currency = (select currency from wanted) and amount >= (select amount from wanted)
        order by amount limit ${nearby})
      union all
      (select amount, held_until from payable_claims
        where currency = (select currency from wanted) and amount < (select amount from wanted)
        order by amount desc limit ${nearby})
    )
    select amount from reserved where held_until is null or held_until > ${now.toISOString()}`);

/** Those near to what a new order of a product will cost. */
export const findFiguresNearProduct = (product_id: number, quantity: number | SQL, now: Date) =>
  findTakenFigures(
    sql`select least(price::numeric * ${quantity}::int, ${largestAmount})::bigint
      from products where id = ${product_id}`,
    now,
  );

/** Those near to what an order costs, or is about to cost. */
export const findFiguresNearOrder = (id: number, total: number | undefined, now: Date) =>
  findTakenFigures(
    total === undefined
      ? sql`select grand_total from orders where id = ${id}`
      : sql`${total}::bigint`,
    now,
  );

/** The figures as the decisions take them. */
export const figuresOf = ({ rows }: { rows: { amount: string }[] }): number[] =>
  rows.map(({ amount }) => Number(amount));

type Payable = Pick<OrderColumns, 'id' | 'currency' | 'grand_total'>;

/**
 * Reserves the figure an order waits for: one that is free, or that was its own before. Another's is
 * refused by the database.
 */
export const claimFigure = ({ id, currency, grand_total }: Payable, now: Date): Write[] => [
  build
    .delete(payableClaims)
    .where(
      and(
        eq(payableClaims.currency, currency),
        eq(payableClaims.amount, grand_total),
        isNotNull(payableClaims.held_until),
        or(eq(payableClaims.order_id, id), lte(payableClaims.held_until, now.toISOString())),
      ),
    ),
  build.insert(payableClaims).values({ order_id: id, currency, amount: grand_total }),
];

/** Keeps the figure that an order no longer waits for until a moment: a transfer may be on its way. */
export const holdFigure = ({ id }: Pick<Payable, 'id'>, until: Instant) =>
  build
    .update(payableClaims)
    .set({ held_until: until })
    .where(and(eq(payableClaims.order_id, id), isNull(payableClaims.held_until)));
