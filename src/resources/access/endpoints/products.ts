import * as z from 'zod';
import { apiKey } from '../../../auth/access.ts';
import { endpoint } from '../../../http/endpoint.ts';
import { collection, one, record } from '../../../http/envelope.ts';
import { isRefusal, refuse } from '../../../http/errors.ts';
import { IdParams } from '../../../http/parameters.ts';
import { findSettings } from '../../platform/queries.ts';
import { grantByHand } from '../by-hand.ts';
import {
  drawGrantIds,
  findAccessUser,
  findGrantsOf,
  findPresentProducts,
  insertGrants,
  saveGrant,
} from '../queries.ts';
import { toAccessProducts } from '../rules.ts';
import { AccessProduct, AccessProductsUpdate } from '../schemas.ts';

export const listAccessProducts = endpoint({
  id: 'access.products',
  route: ['GET /users/:id/access-products'],
  summary: 'List the products a user has or had access to',
  description: 'Each with the best of its grants: live ones first, then the later end.',
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

export const updateAccessProducts = endpoint({
  id: 'access.updateProducts',
  route: ['POST /users/:id/access-products'],
  summary: 'Grant a user products by hand',
  description: 'Adds to what the user has, or replaces what was granted by hand before.',
  access: apiKey('access:write'),
  effect: 'write',
  conditional: false,
  params: IdParams,
  body: AccessProductsUpdate,
  reply: [200, record(z.array(AccessProduct))],
  errors: ['rest_not_found', 'rest_invalid_param'],
}).handle(async ({ params, body, db, now }) =>
  db.change({
    load: {
      user: findAccessUser(params.id),
      products: findPresentProducts(body.product_ids),
      grants: findGrantsOf(params.id),
      ids: drawGrantIds(body.product_ids.length),
      settings: findSettings(),
    },
    decide: ({ user, products, grants, ids, settings: [settings] }) => {
      if (user.length === 0) return refuse('rest_not_found');
      const state = {
        user_id: params.id,
        products,
        grants,
        ids: ids.rows.map(({ id }) => Number(id)),
        timezone: settings?.timezone ?? 'UTC',
      };
      const changed = grantByHand(state, body, now);
      if (isRefusal(changed)) return changed;
      const at = now.toISOString();
      return {
        write: [...changed.saved.map((grant) => saveGrant(grant)), ...insertGrants(changed.added)],
        events: changed.events,
        reply: one(toAccessProducts(changed.rows, at)),
      };
    },
  }),
);
