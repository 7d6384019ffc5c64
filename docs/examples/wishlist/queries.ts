import { and, eq, isNull, sql } from 'drizzle-orm';
import { type Window, allOf, paged } from '../../../src/kernel/database/filters.ts';
import { products } from '../../../src/schema/products.ts';
import { wishes } from '../../../src/schema/wishlist.ts';
import { build } from '../../../src/kernel/database/statements.ts';

const counted = sql<number>`count(*)`.mapWith(Number);

const selectWishes = () =>
  build
    .select({
      id: wishes.id,
      product_id: wishes.product_id,
      title: products.title,
      price: products.price,
      image_url: products.image_url,
      created_at: wishes.created_at,
    })
    .from(wishes)
    .innerJoin(products, eq(products.id, wishes.product_id));

/** A product that is no longer sold is no longer wished for. */
const offered = and(isNull(products.deleted_at), eq(products.status, 'publish'));

const ofUser = (user_id: number) => ({ user_id: eq(wishes.user_id, user_id), offered });

export const listWishes = (user_id: number, window: Window) =>
  paged(selectWishes().$dynamic(), wishes.id, ofUser(user_id), window, {
    ids: build
      .select({ id: wishes.id })
      .from(wishes)
      .innerJoin(products, eq(products.id, wishes.product_id))
      .$dynamic(),
  });

export const countWishes = (user_id: number) =>
  build
    .select({ total: counted })
    .from(wishes)
    .innerJoin(products, eq(products.id, wishes.product_id))
    .where(allOf(ofUser(user_id)));

/** A user's wish for a product, where there is one. */
export const findWish = (user_id: number, product_id: number) =>
  selectWishes().where(and(eq(wishes.user_id, user_id), eq(wishes.product_id, product_id)));

export const insertWish = (row: typeof wishes.$inferSelect) => build.insert(wishes).values(row);

/** A wish by its id, where it is the user's. */
export const findOwnWish = (id: number, user_id: number) =>
  build
    .select({ id: wishes.id })
    .from(wishes)
    .where(and(eq(wishes.id, id), eq(wishes.user_id, user_id)));

export const removeWish = (id: number) => build.delete(wishes).where(eq(wishes.id, id));

/** The products that are wished for most. */
export const findMostWished = () =>
  build
    .select({ product_id: products.id, title: products.title, wishes: counted })
    .from(wishes)
    .innerJoin(products, eq(products.id, wishes.product_id))
    .where(offered)
    .groupBy(products.id)
    .orderBy(sql`count(*) desc, ${products.id}`)
    .limit(100);
