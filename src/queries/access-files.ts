import { type SQL, and, eq, or, sql } from 'drizzle-orm';
import { type Argument, build, raw } from '../kernel/database/statements.ts';
import { ofOrder } from './order-columns.ts';
import { accessContent, accessGrants } from '../schema/access.ts';

/** The content that a file has or is about to get. */
export const findContentOfFile = (id: number, content_id: number | null | undefined) =>
  build
    .select()
    .from(accessContent)
    .where(
      sql`${accessContent.id} = ${content_id ?? sql`(select f.content_id from files f where f.id = ${id})`}`,
    );

/**
 * Selects the files of a product, of an order's product, one file, or the files of all products that a person ever had.
 */
export type FilesAsked =
  | { product_id: number }
  | { order_id: number }
  | { file_id: number }
  | 'all';

/** The products of the selected files. */
function productsOf(user_id: Argument<number>, asked: FilesAsked): SQL {
  if (asked === 'all')
    return sql`(select g.product_id from access_grants g where g.user_id = ${user_id})`;
  if ('order_id' in asked) return sql`(${ofOrder('product_id', asked.order_id)})`;
  return 'file_id' in asked
    ? sql`(select f.product_id from files f where f.id = ${asked.file_id})`
    : sql`(${asked.product_id}::bigint)`;
}

/** Loads a person's rights to files. */
export function findFileRights(user_id: Argument<number>, asked: FilesAsked) {
  const ofThem = productsOf(user_id, asked);
  const contents = sql`(select f.content_id from files f where f.product_id in ${ofThem})`;
  return {
    grants: build
      .select()
      .from(accessGrants)
      .where(
        and(
          eq(accessGrants.user_id, user_id),
          or(
            sql`${accessGrants.product_id} in ${ofThem}`,
            sql`${accessGrants.product_id} in (
              select unnest(c.product_ids) from access_content c where c.id in ${contents})`,
          ),
        ),
      ),
    options: raw<{ order_id: string; option_id: string }>(sql`
      select g.order_id, v ->> 'option_id' as option_id from access_grants g
        join orders o on o.id = g.order_id cross join jsonb_array_elements(o.variants) v
       where g.user_id = ${user_id} and g.product_id in ${ofThem}`),
    contents: build
      .select()
      .from(accessContent)
      .where(sql`${accessContent.id} in ${contents}`),
  };
}
