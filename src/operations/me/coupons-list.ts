import { admin, endpoint, ownPage } from '../../kernel/endpoint/declare.ts';
import { readCoupons } from '../../actions/coupons/listing.ts';
import { Coupon, CouponQuery } from '../../domain/coupon/schemas.ts';
import { asOwn } from '../../actions/me/rules.ts';

export const listCouponsAsAdmin = endpoint({
  id: 'me.coupons.list',
  route: ['GET /me/coupons'],
  summary: 'List the coupons of the store',
  description: 'The same records and filters as `GET /coupons`.',
  access: admin(),
  effect: 'read',
  query: CouponQuery,
  reply: [200, ownPage(Coupon)],
}).handle(async ({ principal, query, db, now }) =>
  asOwn(principal, await readCoupons(db, query, now)),
);
