import { type SQL, sql } from 'drizzle-orm';

/** What an order says of itself, for the statements of what it names. */
export const ofOrder = (column: 'user_id' | 'product_id' | 'coupon_id', id: number | SQL) =>
  sql`(select ${sql.identifier(column)} from orders where id = ${id})`;
