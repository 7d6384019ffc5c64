import { apiKey, endpoint, page } from '../../kernel/endpoint/declare.ts';
import { readCoupons } from '../../actions/coupons/listing.ts';
import { Coupon, CouponQuery } from '../../domain/coupon/schemas.ts';

export const listCouponsEndpoint = endpoint({
  id: 'coupons.list',
  route: ['GET /coupons'],
  summary: 'List coupons',
  description: "Newest first, both the store's own and those of affiliates.",
  access: apiKey('coupons:read'),
  effect: 'read',
  query: CouponQuery,
  reply: [200, page(Coupon)],
}).handle(async ({ query, db, now }) => readCoupons(db, query, now));
