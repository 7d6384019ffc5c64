import type { Coupon } from '../../api/generated.ts';
import type { Draft } from '../../context/draft.ts';

export type CouponValues = Pick<
  Coupon,
  'code' | 'status' | 'limit_use' | 'limit_use_per_user' | 'start_date' | 'limit_date'
> &
  Pick<Coupon, 'discount' | 'rule'>;

export type CouponDraft = Draft<CouponValues>;

export const valuesOf = (coupon: Coupon): CouponValues => {
  const { code, status, limit_use, limit_use_per_user, start_date, limit_date } = coupon;
  const { discount, rule } = coupon;
  return {
    ...{ code, status, limit_use, limit_use_per_user, start_date, limit_date },
    ...{ discount, rule },
  };
};

/** The values of a new coupon, with the service's defaults. */
export const blank: CouponValues = {
  ...{ code: '', status: 'active', limit_use: 0, limit_use_per_user: 0 },
  ...{ start_date: null, limit_date: null },
  discount: {
    // Empty at first: the form requires it.
    value: null as unknown as number,
    ...{ type: 'percentage', usage: 'total', free_shipping: false },
  },
  rule: {
    ...{ apply_only: [], cant_apply: [], user_ids: [], group_ids: [] },
    ...{ max_discount: 0, minimum_amount: 0, limit_affiliate_coupon: 0 },
    ...{ use_by_affiliate: false, renewal_coupon: false, first_order_only: false },
  },
};

/** The values of a copied coupon, without its code. */
export const likeOf = (coupon: Coupon): CouponValues => ({
  ...valuesOf(coupon),
  ...{ code: '', status: 'active' },
});
