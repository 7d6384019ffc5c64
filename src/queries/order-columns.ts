import { type SQL, sql } from 'drizzle-orm';

/** Selects a column of an order, to look up the record that it names. */
export const ofOrder = (column: 'user_id' | 'product_id' | 'coupon_id', id: number | SQL) =>
  sql`(select ${sql.identifier(column)} from orders where id = ${id})`;
