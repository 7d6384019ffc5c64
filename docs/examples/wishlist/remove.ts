import {
  deleted,
  Deleted,
  endpoint,
  IdParams,
  session,
} from '../../../src/kernel/endpoint/declare.ts';
import { refuse } from '../../../src/kernel/errors/errors.ts';
import { findOwnWish, removeWish } from './queries.ts';

export const takeWishBack = endpoint({
  id: 'me.wishlist.remove',
  route: ['DELETE /me/wishlist/:id'],
  summary: 'Remove a product from your wishlist',
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
            reply: deleted(params.id),
          }
        : refuse('rest_not_found'),
  }),
);
