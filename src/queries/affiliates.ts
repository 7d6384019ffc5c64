import { and, count, desc, eq, getTableColumns, isNull, ne, sql } from 'drizzle-orm';
import { allOf, paged } from '../kernel/database/filters.ts';
import { affiliateClicks } from '../schema/affiliates.ts';
import { userGroups } from '../schema/groups.ts';
import { products } from '../schema/products.ts';
import { users } from '../schema/users.ts';
import { build } from '../kernel/database/statements.ts';
import type { PageWindow } from '../kernel/endpoint/pagination.ts';
import { ownerOfCoupon } from './orders.ts';
import { canHavePhone, lookupLimit } from './users.ts';
import type { AffiliateLookup } from '../domain/affiliate/schemas.ts';

const coupon_codes = sql<string[]>`(
  select coalesce(jsonb_agg(c.code order by c.id), '[]')
    from coupons c where c.user_id = "users"."id" and c.deleted_at is null)`.as('coupon_codes');

/** The affiliates that a lookup names; by phone, those it can be. */
export const lookUpAffiliates = ({ id, email, phone, coupon }: AffiliateLookup) =>
  build
    .select({ person: { ...getTableColumns(users) }, group: userGroups, coupon_codes })
    .from(users)
    .leftJoin(userGroups, eq(userGroups.id, users.group_id))
    .where(
      and(
        ne(users.status, 'anonymised'),
        id === undefined ? undefined : eq(users.id, id),
        email === undefined ? undefined : eq(users.email, email),
        phone === undefined ? undefined : canHavePhone(phone),
        coupon === undefined ? undefined : eq(users.id, ownerOfCoupon(coupon)),
      ),
    )
    .limit(lookupLimit(phone));

const promoted = {
  present: isNull(products.deleted_at),
  published: eq(products.status, 'publish'),
  enabled: sql`(${products.affiliate} ->> 'enabled')::boolean`,
};

/** Products of the affiliate programme, with whether the affiliate bought them. */
export const listPromoted = (affiliate_id: number, window: PageWindow) =>
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

/** One product of the affiliate programme, or the newest of them. */
export const findPromoted = (product_id: number | undefined) =>
  build
    .select()
    .from(products)
    .where(and(allOf(promoted), product_id === undefined ? undefined : eq(products.id, product_id)))
    .orderBy(desc(products.id))
    .limit(100);

/** A published product by id, in the affiliate programme or not. */
export const findPublished = (product_id: number) =>
  build
    .select()
    .from(products)
    .where(
      and(eq(products.id, product_id), isNull(products.deleted_at), eq(products.status, 'publish')),
    );

/** Records a visit through an affiliate's link. */
export const insertClick = (click: typeof affiliateClicks.$inferInsert) =>
  build.insert(affiliateClicks).values(click);
