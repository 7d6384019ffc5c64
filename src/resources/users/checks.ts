import * as z from 'zod';
import { apiKey } from '../../auth/access.ts';
import { endpoint } from '../../http/endpoint.ts';
import { refuse, unknownReference } from '../../http/errors.ts';
import { IdParams, queryId } from '../../http/parameters.ts';
import { Id, Instant } from '../../lib/schemas.ts';
import { findAccessProduct } from '../access/queries.ts';
import { findLastCompleted, findUser, findUserId } from './queries.ts';
import { adminAccess, affiliateAccess } from './rules.ts';

/** The answer whether a user may enter a part of the store, with the reason. */
const Entrance = <const R extends string>(...reasons: [R, ...R[]]) =>
  z.object({
    success: z.literal(true),
    can_access: z.boolean(),
    reason: z.enum(reasons),
    user_id: Id,
  });

const entrance = <R extends string>(reason: R, user_id: number) => ({
  success: true as const,
  can_access: reason === 'ok',
  reason,
  user_id,
});

export const canAccessAffiliate = endpoint({
  id: 'users.canAccessAffiliate',
  route: ['GET /users/:id/can-access-affiliate'],
  summary: 'Check whether a user may enter the affiliate area',
  description: 'What `can_affiliate` says, with the reason.',
  access: apiKey('users:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, Entrance('ok', 'group-denied', 'blocked', 'no-capability')],
  errors: ['rest_not_found'],
}).handle(async ({ params, db }) => {
  const { found } = await db.query({ found: findUser(params.id) });
  const [row] = found;
  if (!row) return refuse('rest_not_found');
  return entrance(affiliateAccess({ ...row.user, group: row.group }), params.id);
});

export const canAccessAdmin = endpoint({
  id: 'users.canAccessAdmin',
  route: ['GET /users/:id/can-access-wp-admin'],
  summary: 'Check whether a user may enter the administration',
  access: apiKey('users:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, Entrance('ok', 'no-capability', 'blocked')],
  errors: ['rest_not_found'],
}).handle(async ({ params, db }) => {
  const { found } = await db.query({ found: findUser(params.id) });
  return found[0] ? entrance(adminAccess(found[0].user), params.id) : refuse('rest_not_found');
});

export const hasBought = endpoint({
  id: 'users.hasBought',
  route: ['GET /users/:id/has-bought'],
  summary: 'Check whether a user has bought a product',
  description: 'Only completed orders count; the last of them is named.',
  access: apiKey('users:read'),
  effect: 'read',
  params: IdParams,
  query: z.object({ product_id: queryId }),
  reply: [
    200,
    z.object({
      success: z.literal(true),
      has_bought: z.boolean(),
      order_id: Id.nullable(),
      last_bought_at: Instant.nullable(),
      user_id: Id,
      product_id: Id,
    }),
  ],
  errors: ['rest_not_found'],
}).handle(async ({ params, query: { product_id }, db }) => {
  const { user, product, bought } = await db.query({
    user: findUserId(params.id),
    product: findAccessProduct(product_id),
    bought: findLastCompleted(params.id, product_id),
  });
  if (user.length === 0) return refuse('rest_not_found');
  if (product.length === 0) return unknownReference('product_id');
  const [order] = bought;
  return {
    success: true,
    has_bought: order !== undefined,
    order_id: order?.id ?? null,
    last_bought_at: order?.at ?? null,
    user_id: params.id,
    product_id,
  };
});
