import { admin, endpoint, record } from '../../kernel/endpoint/declare.ts';
import { creationErrors, makeCoupon } from '../../actions/coupons/creation.ts';
import { Coupon, CouponCreate } from '../../domain/coupon/schemas.ts';

export const createCouponAsAdmin = endpoint({
  id: 'me.coupons.create',
  route: ['POST /me/coupons'],
  summary: 'Create a coupon of the store',
  description:
    "Works like `POST /coupons`. Without `user_id` the coupon is the store's own; `rule.use_by_affiliate` makes it a template.",
  access: admin(),
  effect: 'write',
  body: CouponCreate,
  reply: [201, record(Coupon)],
  errors: creationErrors,
}).handle(async ({ body, db, now }) => makeCoupon(db, body, now));
