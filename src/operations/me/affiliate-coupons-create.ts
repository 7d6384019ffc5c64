import * as z from 'zod';
import { endpoint, one, record, session } from '../../kernel/endpoint/declare.ts';
import { isRefusal } from '../../kernel/errors/errors.ts';
import { Id } from '../../lib/schemas.ts';
import { copyErrors, loadCopy, planCopy } from '../../actions/coupons/copying.ts';
import { Coupon, CouponCode } from '../../domain/coupon/schemas.ts';

export const createAffiliateCoupon = endpoint({
  id: 'me.affiliateCoupons.create',
  route: ['POST /me/affiliate-coupons'],
  summary: 'Create a coupon from a template',
  description:
    'The coupon belongs to the user and takes its discount, rules and limits from the template. Orders that use it count for the user. `rule.user_ids` and `rule.group_ids` are not shown, as in `GET /me/affiliate-coupons`.',
  access: session(),
  effect: 'write',
  body: z
    .object({
      code: CouponCode,
      coupon_parent_id: Id.describe(
        'Id of a template, from `meta.templates` of `GET /me/affiliate-coupons`.',
      ),
    })
    .meta({ id: 'AffiliateCouponCreate' }),
  reply: [201, record(Coupon)],
  errors: copyErrors,
}).handle(async ({ principal, body, db, now }) =>
  db.change({
    load: loadCopy(body.coupon_parent_id, principal.userId),
    decide: (loaded) => {
      const planned = planCopy(loaded, body, now);
      if (isRefusal(planned)) return planned;
      const { made, ...decision } = planned;
      return { ...decision, reply: one(made) };
    },
  }),
);
