import { apiKey, endpoint, record } from '../../kernel/endpoint/declare.ts';
import { creationErrors, makeCoupon } from '../../actions/coupons/creation.ts';
import { Coupon, CouponCreate } from '../../domain/coupon/schemas.ts';

export const createCoupon = endpoint({
  id: 'coupons.create',
  route: ['POST /coupons'],
  summary: 'Create a coupon',
  description:
    'Only `code` is required. With `coupon_parent_id` the coupon is a copy of that template and takes its terms (`discount`, `rule`, limits and dates) from it.',
  access: apiKey('coupons:write'),
  effect: 'write',
  body: CouponCreate,
  reply: [201, record(Coupon)],
  errors: creationErrors,
}).handle(async ({ body, db, now }) => makeCoupon(db, body, now));
