import type { ReadAccess } from '../../kernel/command/store.ts';
import { readList } from '../../kernel/lists/read.ts';
import { countCoupons, listCoupons } from '../../queries/coupons.ts';
import { toCoupon } from '../../domain/coupon/rules.ts';
import type { CouponQuery } from '../../domain/coupon/schemas.ts';

export const readCoupons = (db: ReadAccess, query: CouponQuery, now: Date) =>
  readList(db, query, {
    list: listCoupons,
    count: countCoupons,
    show: (row) => toCoupon(row, now),
  });
