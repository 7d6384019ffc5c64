import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { current, isRefusal, unknownReference } from '../../kernel/errors/errors.ts';
import { findUnknown, unknownRefusal } from '../../queries/references.ts';
import { isSameRecord } from '../../lib/objects.ts';
import { findUserId } from '../../queries/users.ts';
import { findCoupon, saveCoupon } from '../../queries/coupons.ts';
import { couponEvent } from '../../domain/coupon/events.ts';
import {
  copyRefusal,
  couponReferences,
  datesRefusal,
  discountRefusal,
  toCoupon,
  updatedCoupon,
} from '../../domain/coupon/rules.ts';
import { Coupon, CouponUpdate } from '../../domain/coupon/schemas.ts';

export const updateCoupon = endpoint({
  id: 'coupons.update',
  route: ['PATCH /coupons/:id', 'PUT /coupons/:id', 'POST /coupons/:id'],
  summary: 'Update a coupon',
  description:
    'Changes only the fields you send. Changing a template changes its copies; what a copy takes from its template (`discount`, `rule`, limits and dates) can only be changed there.',
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
    decide: ({ found, owner, unknown }) => {
      const before = current(found, ifMatch, 'coupon');
      if (isRefusal(before)) return before;
      if (body.user_id && !owner[0]) return unknownReference('user_id');
      const after = updatedCoupon(before, body, now);
      if (isSameRecord(before.coupon, after.coupon)) {
        return { write: [], reply: one(toCoupon(before, now)) };
      }
      const shown = toCoupon(after, now);
      return (
        copyRefusal(before, body) ??
        discountRefusal(after) ??
        datesRefusal(after, body) ??
        unknownRefusal(unknown, couponReferences(before.coupon)) ?? {
          write: saveCoupon(before, after),
          events: [couponEvent('coupon.updated', shown)],
          before: toCoupon(before, now),
          reply: one(shown),
        }
      );
    },
  }),
);
