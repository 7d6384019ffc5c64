import { apiKey } from '../../../auth/access.ts';
import { drawId, nextId } from '../../../db/statements.ts';
import { endpoint } from '../../../http/endpoint.ts';
import { collection, one, page, record } from '../../../http/envelope.ts';
import { isStale, refuse, unknownReference } from '../../../http/errors.ts';
import { IdParams } from '../../../http/parameters.ts';
import { isSameRecord } from '../../../lib/objects.ts';
import { findProduct } from '../../products/queries.ts';
import { findUserId } from '../../users/queries.ts';
import { canonicalCode, newCode } from '../codes.ts';
import { licenseEvent } from '../events.ts';
import { readLicenses } from '../listing.ts';
import {
  findLicense,
  findLicenseByCode,
  findLicensesByString,
  findPayingOrder,
  insertLicenses,
  saveByHand,
} from '../queries.ts';
import { forList, licenseByHand, toLicense, updatedLicense } from '../rules.ts';
import {
  CodeParams,
  License,
  LicenseCreate,
  LicenseQuery,
  LicenseReveal,
  LicenseUpdate,
  StringParams,
} from '../schemas.ts';
import { canonicalString } from '../strings.ts';

export const listLicensesEndpoint = endpoint({
  id: 'licenses.list',
  route: ['GET /licenses'],
  summary: 'List licences',
  description: 'Newest first. Codes are masked unless `reveal=true`.',
  access: apiKey('licenses:read'),
  effect: 'read',
  query: LicenseQuery,
  reply: [200, page(License)],
}).handle(async ({ query, db, now }) => readLicenses(db, query, now));

export const getLicense = endpoint({
  id: 'licenses.get',
  route: ['GET /licenses/:id'],
  summary: 'Read a licence',
  access: apiKey('licenses:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, record(License)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db, now }) => {
  const { found } = await db.query({ found: findLicense(params.id) });
  return found[0] ? one(toLicense(found[0], now)) : refuse('rest_not_found');
});

export const getLicenseByCode = endpoint({
  id: 'licenses.byCode',
  route: ['GET /licenses/by-code/:code'],
  summary: 'Read a licence by its code',
  access: apiKey('licenses:read'),
  effect: 'read',
  params: CodeParams,
  reply: [200, record(License)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db, now }) => {
  const { found } = await db.query({ found: findLicenseByCode(canonicalCode(params.code)) });
  return found[0] ? one(toLicense(found[0], now)) : refuse('rest_not_found');
});

export const getLicensesByString = endpoint({
  id: 'licenses.byString',
  route: ['GET /licenses/by-string/:string'],
  summary: 'Read the licences that are registered for a string',
  description:
    'The newest 100 of them. The string is compared as it is registered: of a URL the host, without `www.`. Codes are masked unless `reveal=true`.',
  access: apiKey('licenses:read'),
  effect: 'read',
  params: StringParams,
  query: LicenseReveal,
  reply: [200, collection(License)],
  errors: ['rest_not_found'],
}).handle(async ({ params, query, db, now }) => {
  const { found } = await db.query({
    found: findLicensesByString(canonicalString(params.string)),
  });
  if (found.length === 0) return refuse('rest_not_found');
  return one(found.map((row) => forList(toLicense(row, now), query.reveal)));
});

export const createLicense = endpoint({
  id: 'licenses.create',
  route: ['POST /licenses'],
  summary: 'Create a licence by hand',
  description: 'Orders make theirs when they are completed; this one needs none.',
  access: apiKey('licenses:write'),
  effect: 'write',
  body: LicenseCreate,
  reply: [201, record(License)],
  errors: ['rest_not_found', 'rest_invalid_param'],
}).handle(async ({ body, db, now }) =>
  db.change({
    load: {
      id: drawId('licenses'),
      product: findProduct(body.product_id),
      user: findUserId(body.user_id),
      order: findPayingOrder(body.order_id),
    },
    decide: ({ id, product: [product], user: [user], order: [order] }) => {
      const { product_id, user_id, order_id = null } = body;
      if (!product) return unknownReference('product_id');
      if (!user) return unknownReference('user_id');
      if (order_id !== null && !order) return unknownReference('order_id');
      if (order && (order.product_id !== product_id || order.user_id !== user_id)) {
        return refuse('rest_invalid_param', {
          params: { order_id: 'must be an order of this user for this product' },
        });
      }
      const row = licenseByHand(body, {
        id: nextId(id),
        code: newCode(),
        product: product.product,
        user_id,
        order_id: order?.first ?? null,
        now,
      });
      const license = toLicense(row, now);
      return {
        write: insertLicenses([row]),
        events: [licenseEvent('license.created', license)],
        reply: one(license),
      };
    },
  }),
);

export const updateLicense = endpoint({
  id: 'licenses.update',
  route: ['POST /licenses/:id'],
  summary: 'Update a licence',
  description:
    'A partial update. A licence that is turned off by hand stays off, whatever becomes of its orders. With fewer seats than are taken, those stay and no others are given.',
  access: apiKey('licenses:write'),
  effect: 'write',
  params: IdParams,
  body: LicenseUpdate,
  reply: [200, record(License)],
  errors: ['rest_not_found'],
}).handle(async ({ params, body, db, ifMatch, now }) =>
  db.change({
    load: { found: findLicense(params.id) },
    decide: ({ found: [before] }) => {
      if (!before) return refuse('rest_not_found');
      if (isStale(ifMatch, before.license)) return refuse('rest_conflict');
      const after = updatedLicense(before, body, now);
      if (isSameRecord(before.license, after.license)) {
        return { write: [], reply: one(toLicense(before, now)) };
      }
      const license = toLicense(after, now);
      const moved = license.status !== before.license.status;
      return {
        write: saveByHand(before, after),
        events: moved ? [licenseEvent('license.status-updated', license)] : [],
        reply: one(license),
      };
    },
  }),
);
