import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { findSettings } from '../../queries/settings.ts';
import { grantManually } from '../../domain/access/manual-grants.ts';
import {
  drawGrantIds,
  findGrantsOf,
  holdGrants,
  insertGrants,
  saveGrant,
} from '../../queries/access.ts';
import { toAccessProducts } from '../../domain/access/rules.ts';
import { AccessProduct, AccessProductsUpdate } from '../../domain/access/schemas.ts';
import { findAccessUser } from '../../queries/users.ts';
import { findPresentProducts } from '../../queries/products.ts';

import * as z from 'zod';

export const updateAccessProducts = endpoint({
  id: 'access.updateProducts',
  route: ['POST /users/:id/access-products'],
  summary: 'Grant a user access to products',
  description: 'Adds to what the user has, or replaces what was granted manually before.',
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
      const changed = grantManually(state, body, now);
      if (isRefusal(changed)) return changed;
      const at = now.toISOString();
      return {
        write: [
          ...holdGrants(
            params.id,
            grants.map(({ grant }) => grant),
          ),
          ...changed.saved.map((grant) => saveGrant(grant)),
          ...insertGrants(changed.added),
        ],
        events: changed.events,
        reply: one(toAccessProducts(changed.rows, at)),
      };
    },
  }),
);
