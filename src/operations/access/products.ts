import { apiKey, collection, endpoint, IdParams, one } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { findGrantsOf } from '../../queries/access.ts';
import { toAccessProducts } from '../../domain/access/rules.ts';
import { AccessProduct } from '../../domain/access/schemas.ts';
import { findAccessUser } from '../../queries/users.ts';

export const listAccessProducts = endpoint({
  id: 'access.products',
  route: ['GET /users/:id/access-products'],
  summary: 'List the products a user has or had access to',
  description:
    "Each with the user's best grant for it: a live one before any other, then the one that ends last.",
  access: apiKey('access:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, collection(AccessProduct)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db, now }) => {
  const { user, grants } = await db.query({
    user: findAccessUser(params.id),
    grants: findGrantsOf(params.id),
  });
  return user.length > 0
    ? one(toAccessProducts(grants, now.toISOString()))
    : refuse('rest_not_found');
});
