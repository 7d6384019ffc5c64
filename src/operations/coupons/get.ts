import { apiKey, endpoint, one, record } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { findNamedCoupon } from '../../queries/coupons.ts';
import { toCoupon } from '../../domain/coupon/rules.ts';
import { Coupon, CouponParams } from '../../domain/coupon/schemas.ts';

export const getCoupon = endpoint({
  id: 'coupons.get',
  route: ['GET /coupons/:id'],
  summary: 'Get a coupon',
  description: 'By its code, in upper or lower case, or by its id.',
  access: apiKey('coupons:read'),
  effect: 'read',
  params: CouponParams,
  reply: [200, record(Coupon)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db, now }) => {
  const { found } = await db.query({ found: findNamedCoupon(params.id) });
  return found[0] ? one(toCoupon(found[0], now)) : refuse('rest_not_found');
});
