import { apiKey } from '../../../auth/access.ts';
import { drawId, nextId } from '../../../db/statements.ts';
import { endpoint } from '../../../http/endpoint.ts';
import { Deleted, one, page, record } from '../../../http/envelope.ts';
import { isStale, refuse, unknownReference } from '../../../http/errors.ts';
import { pageOf, readPage } from '../../../http/pagination.ts';
import { IdParams } from '../../../http/parameters.ts';
import { findSettings } from '../../platform/queries.ts';
import { accessEvents } from '../events.ts';
import {
  countGrants,
  findAccessUser,
  findGrant,
  findGrants,
  findGrantsBeside,
  findPresentProducts,
  insertGrants,
  listGrants,
  saveGrant,
} from '../queries.ts';
import { changedGrant, endRefusal, newGrant, revokedGrant, toAccess } from '../rules.ts';
import { Access, AccessCreate, AccessQuery } from '../schemas.ts';

export const listAccess = endpoint({
  id: 'access.list',
  route: ['GET /access'],
  summary: 'List access grants',
  description:
    'Newest first. A user may have several grants of one product; what they come to is at `/users/{id}/access-products`.',
  access: apiKey('access:read'),
  effect: 'read',
  query: AccessQuery,
  reply: [200, page(Access)],
}).handle(async ({ query, db, now }) => {
  const { rows, total } = await readPage(
    db,
    query,
    (window) => listGrants(query, now, window),
    () => countGrants(query, now),
  );
  return pageOf(
    query,
    rows.map((row) => toAccess(row, now.toISOString())),
    total,
  );
});

export const getAccess = endpoint({
  id: 'access.get',
  route: ['GET /access/:id'],
  summary: 'Read an access grant',
  access: apiKey('access:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, record(Access)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db, now }) => {
  const { found } = await db.query({ found: findGrant(params.id) });
  return found[0] ? one(toAccess(found[0], now.toISOString())) : refuse('rest_not_found');
});

export const createAccess = endpoint({
  id: 'access.create',
  route: ['POST /access'],
  summary: 'Grant access by hand',
  access: apiKey('access:write'),
  effect: 'write',
  body: AccessCreate,
  reply: [201, record(Access)],
  errors: ['rest_not_found', 'rest_invalid_param'],
}).handle(async ({ body, db, now }) =>
  db.change({
    load: {
      id: drawId('access_grants'),
      user: findAccessUser(body.user_id),
      product: findPresentProducts([body.product_id]),
      others: findGrants(body.user_id, body.product_id),
      settings: findSettings(),
    },
    decide: ({ id, user, product: [product], others, settings: [settings] }) => {
      if (user.length === 0) return unknownReference('user_id');
      if (!product) return unknownReference('product_id');
      const grant = newGrant(body, nextId(id), now);
      const row = { grant, product, timezone: settings?.timezone ?? 'UTC' };
      const at = now.toISOString();
      return (
        endRefusal(grant) ?? {
          write: insertGrants([grant]),
          events: accessEvents(undefined, row, others, at),
          reply: one(toAccess(row, at)),
        }
      );
    },
  }),
);

export const deleteAccess = endpoint({
  id: 'access.delete',
  route: ['DELETE /access/:id'],
  summary: 'Take an access grant away',
  description: 'Checks say `revoked` from then on, unless another grant of the product is live.',
  access: apiKey('access:delete'),
  effect: 'write',
  params: IdParams,
  reply: [200, Deleted],
  errors: ['rest_not_found'],
}).handle(async ({ params, db, ifMatch, now }) =>
  db.change({
    load: { found: findGrant(params.id), others: findGrantsBeside(params.id) },
    decide: ({ found: [row], others }) => {
      if (!row) return refuse('rest_not_found');
      if (isStale(ifMatch, row.grant)) return refuse('rest_conflict');
      const at = now.toISOString();
      const { status } = row.grant;
      const grant =
        status === 'revoked'
          ? changedGrant(row.grant, { deleted_at: at }, now)
          : { ...revokedGrant(row.grant, 'deleted', now), deleted_at: at };
      return {
        write: [saveGrant(grant)],
        events: accessEvents(row.grant, { ...row, grant }, others, at),
        reply: one({ id: params.id, deleted: true as const }),
      };
    },
  }),
);
