import { endpoint, one, record, session } from '../../../src/kernel/endpoint/declare.ts';
import { drawId, nextId } from '../../../src/kernel/database/statements.ts';
import { unknownReference } from '../../../src/kernel/errors/errors.ts';
import { findProduct } from '../../../src/queries/products.ts';
import { findWish, insertWish } from './queries.ts';
import { Wish, WishCreate } from './schemas.ts';

export const addWish = endpoint({
  id: 'me.wishlist.add',
  route: ['POST /me/wishlist'],
  summary: 'Add a product to your wishlist',
  description: 'Adding a product that is already on the wishlist changes nothing.',
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
