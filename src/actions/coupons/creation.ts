import { drawId, nextId } from '../../kernel/database/statements.ts';
import type { WriteAccess } from '../../kernel/command/store.ts';
import { one } from '../../kernel/schemas/replies.ts';
import { unknownReference } from '../../kernel/errors/errors.ts';
import { findUnknown, unknownRefusal } from '../../queries/references.ts';
import { findUserId } from '../../queries/users.ts';
import { couponEvent } from '../../domain/coupon/events.ts';
import { countCopies, findTemplate, insertCoupon } from '../../queries/coupons.ts';
import {
  copyRefusal,
  couponReferences,
  datesRefusal,
  discountRefusal,
  newCoupon,
  toCoupon,
} from '../../domain/coupon/rules.ts';
import type { Coupon, CouponCreate } from '../../domain/coupon/schemas.ts';

export const creationErrors = [
  'rest_not_found',
  'rest_invalid_param',
  'coupon_code_exists',
] as const;

/** Creates the store's own coupon, an affiliate's, or a copy of a template. */
export const makeCoupon = (
  db: WriteAccess<{ success: true; data: Coupon }>,
  input: CouponCreate,
  now: Date,
) =>
  db.change({
    load: {
      id: drawId('coupons'),
      owner: findUserId(input.user_id),
      template: findTemplate(input.coupon_parent_id),
      unknown: findUnknown(couponReferences(input)),
    },
    decide: ({ id, owner, template, unknown }) => {
      if (input.user_id && !owner[0]) return unknownReference('user_id');
      if (input.coupon_parent_id && !template[0]) return unknownReference('coupon_parent_id');
      const coupon = newCoupon(input, nextId(id), template[0] ?? null, now);
      const shown = toCoupon(coupon, now);
      return (
        copyRefusal(coupon, input) ??
        discountRefusal(coupon) ??
        datesRefusal(coupon, input) ??
        unknownRefusal(unknown) ?? {
          write: [...insertCoupon(coupon), ...countCopies(null, coupon.coupon)],
          events: [couponEvent('coupon.created', shown)],
          reply: one(shown),
        }
      );
    },
  });
