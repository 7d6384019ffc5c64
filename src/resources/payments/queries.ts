import { type SQL, eq, sql } from 'drizzle-orm';
import { payableClaims } from '../../db/schema/payments.ts';
import { build } from '../../db/statements.ts';

/** How many figures are looked at for a free one: those nearest to what the order will cost. */
const nearby = 3000;

/** The figures that open orders wait for, where the store tells transfers apart by them. */
const findTakenFigures = (near: SQL) =>
  build
    .select({ amount: payableClaims.amount })
    .from(payableClaims)
    .where(sql`(select unique_code_enabled from settings)`)
    .orderBy(sql`abs(${payableClaims.amount} - (${near}))`)
    .limit(nearby);

/** Those near to what a new order of a product will cost. */
export const findFiguresNearProduct = (product_id: number, quantity: number) =>
  findTakenFigures(sql`select price * ${quantity}::int from products where id = ${product_id}`);

/** Those near to what an order costs, or is about to cost. */
export const findFiguresNearOrder = (id: number, total: number | undefined) =>
  findTakenFigures(
    total === undefined
      ? sql`select grand_total from orders where id = ${id}`
      : sql`${total}::bigint`,
  );

/** Takes the figure an order waits for; another open order's is refused by the database. */
export const claimFigure = (order: { id: number; currency: string; grand_total: number }) =>
  build
    .insert(payableClaims)
    .values({ order_id: order.id, currency: order.currency, amount: order.grand_total });

export const releaseFigure = ({ id }: { id: number }) =>
  build.delete(payableClaims).where(eq(payableClaims.order_id, id));
