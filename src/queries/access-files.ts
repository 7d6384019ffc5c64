import { and, eq, or, sql } from 'drizzle-orm';
import { build, raw } from '../kernel/database/statements.ts';
import { accessContent, accessGrants } from '../schema/access.ts';

/** The content that a file is attached to, or is to be. */
export const findContentOfFile = (id: number, content_id: number | null | undefined) =>
  build
    .select()
    .from(accessContent)
    .where(
      sql`${accessContent.id} = ${content_id ?? sql`(select f.content_id from files f where f.id = ${id})`}`,
    );

/** Loads the rights of a person to the files of a product, or of a file's product. */
export function findFileRights(user_id: number, of: { product_id: number } | { file_id: number }) {
  const product =
    'file_id' in of
      ? sql`(select f.product_id from files f where f.id = ${of.file_id})`
      : sql`${of.product_id}::bigint`;
  const contents = sql`(select f.content_id from files f where f.product_id = ${product})`;
  return {
    grants: build
      .select()
      .from(accessGrants)
      .where(
        and(
          eq(accessGrants.user_id, user_id),
          or(
            sql`${accessGrants.product_id} = ${product}`,
            sql`${accessGrants.product_id} in (
              select unnest(c.product_ids) from access_content c where c.id in ${contents})`,
          ),
        ),
      ),
    options: raw<{ order_id: string; option_id: string }>(sql`
      select g.order_id, v ->> 'option_id' as option_id from access_grants g
        join orders o on o.id = g.order_id cross join jsonb_array_elements(o.variants) v
       where g.user_id = ${user_id} and g.product_id = ${product}`),
    contents: build
      .select()
      .from(accessContent)
      .where(sql`${accessContent.id} in ${contents}`),
  };
}
