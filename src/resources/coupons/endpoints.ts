import { apiKey } from '../../auth/access.ts';
import { endpoint } from '../../http/endpoint.ts';
import { Deleted, one, page, record } from '../../http/envelope.ts';
import { isStale, refuse, unknownReference } from '../../http/errors.ts';
import { IdParams } from '../../http/parameters.ts';
import { findUnknown, unknownRefusal } from '../../http/references.ts';
import { isSameRecord } from '../../lib/objects.ts';
import { findUserId } from '../users/queries.ts';
import { creationErrors, makeCoupon } from './creation.ts';
import { findCoupon, findCouponByCode, saveCoupon } from './queries.ts';
import { couponEvent } from './events.ts';
import { readCoupons } from './listing.ts';
import {
  copyRefusal,
  couponReferences,
  discountRefusal,
  toCoupon,
  updatedCoupon,
} from './rules.ts';
import { Coupon, CouponCreate, CouponParams, CouponQuery, CouponUpdate } from './schemas.ts';

export const listCouponsEndpoint = endpoint({
  id: 'coupons.list',
  route: ['GET /coupons'],
  summary: 'List coupons',
  description: 'Newest first: the store’s own and those of affiliates.',
  access: apiKey('coupons:read'),
  effect: 'read',
  query: CouponQuery,
  reply: [200, page(Coupon)],
}).handle(async ({ query, db, now }) => readCoupons(db, query, now));

export const getCoupon = endpoint({
  id: 'coupons.get',
  route: ['GET /coupons/:id'],
  summary: 'Read a coupon',
  description: 'By its code in any case, or by its id.',
  access: apiKey('coupons:read'),
  effect: 'read',
  params: CouponParams,
  reply: [200, record(Coupon)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db, now }) => {
  const { found } = await db.query({ found: findCouponByCode(params.id) });
  return found[0] ? one(toCoupon(found[0], now)) : refuse('rest_not_found');
});

export const createCoupon = endpoint({
  id: 'coupons.create',
  route: ['POST /coupons'],
  summary: 'Create a coupon',
  description:
    'Only `code` is required. With `coupon_parent_id` it is a copy of that template and takes its terms (`discount`, `rule`, limits and dates) from it.',
  access: apiKey('coupons:write'),
  effect: 'write',
  body: CouponCreate,
  reply: [201, record(Coupon)],
  errors: creationErrors,
}).handle(async ({ body, db, now }) => makeCoupon(db, body, now));

export const updateCoupon = endpoint({
  id: 'coupons.update',
  route: ['PATCH /coupons/:id', 'PUT /coupons/:id', 'POST /coupons/:id'],
  summary: 'Update a coupon',
  description:
    'A partial update under each of the three methods. A change of a template changes its copies; what a copy has from its template (`discount`, `rule`, limits and dates) can only be changed there.',
  access: apiKey('coupons:write'),
  effect: 'write',
  params: IdParams,
  body: CouponUpdate,
  reply: [200, record(Coupon)],
  errors: ['rest_not_found', 'rest_invalid_param', 'coupon_code_exists'],
}).handle(async ({ params, body, db, ifMatch, now }) =>
  db.change({
    load: {
      found: findCoupon(params.id),
      owner: findUserId(body.user_id),
      unknown: findUnknown(couponReferences(body)),
    },
    decide: ({ found: [before], owner, unknown }) => {
      if (!before) return refuse('rest_not_found');
      if (isStale(ifMatch, before.coupon)) return refuse('rest_conflict');
      if (body.user_id && !owner[0]) return unknownReference('user_id');
      const after = updatedCoupon(before, body, now);
      if (isSameRecord(before.coupon, after.coupon)) {
        return { write: [], reply: one(toCoupon(before, now)) };
      }
      const shown = toCoupon(after, now);
      return (
        copyRefusal(before, body) ??
        discountRefusal(after) ??
        unknownRefusal(unknown, couponReferences(before.coupon)) ?? {
          write: saveCoupon(before, after),
          events: [couponEvent('coupon.updated', shown)],
          reply: one(shown),
        }
      );
    },
  }),
);

export const deleteCoupon = endpoint({
  id: 'coupons.delete',
  route: ['DELETE /coupons/:id'],
  summary: 'Delete a coupon',
  description:
    'Its code becomes free. Orders that used it keep their discount; copies stop working.',
  access: apiKey('coupons:delete'),
  effect: 'write',
  params: IdParams,
  reply: [200, Deleted],
  errors: ['rest_not_found'],
}).handle(async ({ params, db, ifMatch, now }) =>
  db.change({
    load: { found: findCoupon(params.id) },
    decide: ({ found: [before] }) => {
      if (!before) return refuse('rest_not_found');
      if (isStale(ifMatch, before.coupon)) return refuse('rest_conflict');
      const after = updatedCoupon(before, {}, now);
      after.coupon.deleted_at = now.toISOString();
      const gone = { id: params.id, deleted: true as const };
      const events = [couponEvent('coupon.deleted', gone)];
      return { write: saveCoupon(before, after), events, reply: one(gone) };
    },
  }),
);
