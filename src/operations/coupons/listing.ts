import type { ReadAccess } from '../../kernel/endpoint/endpoint.ts';
import { pageOf, readPage } from '../../kernel/endpoint/pagination.ts';
import { countCoupons, listCoupons } from '../../queries/coupons.ts';
import { toCoupon } from '../../domain/coupon/rules.ts';
import type { CouponQuery } from '../../domain/coupon/schemas.ts';

/** A page of coupons as they are at a moment, in one trip. */
export async function readCoupons(db: ReadAccess, query: CouponQuery, now: Date) {
  const { rows, total } = await readPage(
    db,
    query,
    (window) => listCoupons(query, window),
    () => countCoupons(query),
  );
  return pageOf(
    query,
    rows.map((row) => toCoupon(row, now)),
    total,
  );
}
