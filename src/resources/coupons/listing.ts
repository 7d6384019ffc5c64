import type { ReadAccess } from '../../http/endpoint.ts';
import { pageOf, readPage } from '../../http/pagination.ts';
import { countCoupons, listCoupons } from './queries.ts';
import { toCoupon } from './rules.ts';
import type { CouponQuery } from './schemas.ts';

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
