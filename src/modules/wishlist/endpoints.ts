import * as z from 'zod';
import { capable, session } from '../../auth/access.ts';
import { drawId, nextId } from '../../db/statements.ts';
import { endpoint } from '../../http/endpoint.ts';
import { Deleted, collection, one, ownPage, record } from '../../http/envelope.ts';
import { refuse, unknownReference } from '../../http/errors.ts';
import { pageOf, pageParameters, readPage } from '../../http/pagination.ts';
import { IdParams } from '../../http/parameters.ts';
import { asOwn } from '../../resources/me/rules.ts';
import { findProduct } from '../../resources/products/queries.ts';
import {
  countWishes,
  findMostWished,
  findOwnWish,
  findWish,
  insertWish,
  listWishes,
  removeWish,
} from './queries.ts';
import { Wish, WishCreate, WishedProduct } from './schemas.ts';

export const listOwnWishes = endpoint({
  id: 'wishlist.list',
  route: ['GET /me/wishlist'],
  summary: 'List the own wishes',
  description: 'Newest first; products that are no longer offered are left out.',
  access: session(),
  effect: 'read',
  query: z.object(pageParameters),
  reply: [200, ownPage(Wish)],
}).handle(async ({ principal, query, db }) => {
  const { rows, total } = await readPage(
    db,
    query,
    (window) => listWishes(principal.userId, window),
    () => countWishes(principal.userId),
  );
  return asOwn(principal, pageOf(query, rows, total));
});

export const addWish = endpoint({
  id: 'wishlist.add',
  route: ['POST /me/wishlist'],
  summary: 'Wish for a product',
  description: 'A product that is wished for already stays so once.',
  access: session(),
  effect: 'write',
  body: WishCreate,
  reply: [201, record(Wish)],
  errors: ['rest_not_found'],
}).handle(async ({ principal, body, db, now }) =>
  db.change({
    load: {
      id: drawId('wishes'),
      found: findProduct(body.product_id),
      earlier: findWish(principal.userId, body.product_id),
    },
    decide: ({ id, found: [found], earlier: [earlier] }) => {
      if (found?.product.status !== 'publish') return unknownReference('product_id');
      if (earlier) return { write: [], reply: one(earlier) };
      const { title, price, image_url } = found.product;
      const wish = {
        id: nextId(id),
        product_id: body.product_id,
        created_at: now.toISOString(),
      };
      return {
        write: [insertWish({ ...wish, user_id: principal.userId })],
        reply: one({ ...wish, title, price, image_url }),
      };
    },
  }),
);

export const takeWishBack = endpoint({
  id: 'wishlist.remove',
  route: ['DELETE /me/wishlist/:id'],
  summary: 'Take a wish back',
  access: session(),
  effect: 'write',
  conditional: false,
  params: IdParams,
  reply: [200, Deleted],
  errors: ['rest_not_found'],
}).handle(async ({ principal, params, db }) =>
  db.change({
    load: { found: findOwnWish(params.id, principal.userId) },
    decide: ({ found }) =>
      found[0]
        ? {
            write: [removeWish(params.id)],
            reply: one({ id: params.id, deleted: true as const }),
          }
        : refuse('rest_not_found'),
  }),
);

export const listMostWished = endpoint({
  id: 'wishlist.popular',
  route: ['GET /me/wishlist/popular'],
  summary: 'List what is wished for most',
  description: 'The first 100 products, for those who look after the store.',
  access: capable('read_admin'),
  effect: 'read',
  reply: [200, collection(WishedProduct)],
}).handle(async ({ db }) => {
  const { found } = await db.query({ found: findMostWished() });
  return one(found);
});
