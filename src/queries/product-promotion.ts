import { products } from '../schema/products.ts';
import { and, count, desc, eq, isNull, sql } from 'drizzle-orm';
import { type Window, allOf, paged } from '../kernel/database/filters.ts';
import { build } from '../kernel/database/statements.ts';

const promoted = {
  present: isNull(products.deleted_at),
  published: eq(products.status, 'publish'),
  enabled: sql`(${products.affiliate} ->> 'enabled')::boolean`,
};

/** Products of the affiliate programme. Tells if the affiliate bought each. */
export const listPromoted = (affiliate_id: number, window: Window) =>
  paged(
    build
      .select({
        product: products,
        bought: sql<boolean>`exists (select from orders o where o.user_id = ${affiliate_id}
          and o.product_id = "products"."id" and o.status = 'completed' and o.deleted_at is null)`,
      })
      .from(products)
      .$dynamic(),
    products.id,
    promoted,
    window,
  );

export const countPromoted = () =>
  build.select({ total: count() }).from(products).where(allOf(promoted));

/** A product of the affiliate programme, or the newest ones. */
export const findPromoted = (product_id: number | undefined) =>
  build
    .select()
    .from(products)
    .where(and(allOf(promoted), product_id === undefined ? undefined : eq(products.id, product_id)))
    .orderBy(desc(products.id))
    .limit(100);

/** A published product, in or outside the affiliate programme. */
export const findPublished = (product_id: number) =>
  build
    .select()
    .from(products)
    .where(
      and(eq(products.id, product_id), isNull(products.deleted_at), eq(products.status, 'publish')),
    );
