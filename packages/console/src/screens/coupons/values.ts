import type { Coupon } from '../../api/generated.ts';
import type { Draft } from '../../context/draft.ts';

/** A coupon as a form has it. */
export type CouponValues = Pick<
  Coupon,
  'code' | 'status' | 'limit_use' | 'limit_use_per_user' | 'start_date' | 'limit_date'
> &
  Pick<Coupon, 'discount' | 'rule'>;

export type CouponDraft = Draft<CouponValues>;

/** The values of a coupon that is there. */
export const valuesOf = (coupon: Coupon): CouponValues => {
  const { code, status, limit_use, limit_use_per_user, start_date, limit_date } = coupon;
  const { discount, rule } = coupon;
  return {
    ...{ code, status, limit_use, limit_use_per_user, start_date, limit_date },
    ...{ discount, rule },
  };
};

/** The values of a new coupon, as the service would fill them in. */
export const blank: CouponValues = {
  ...{ code: '', status: 'active', limit_use: 0, limit_use_per_user: 0 },
  ...{ start_date: null, limit_date: null },
  discount: {
    // Empty until somebody types it: the form does not send without it.
    value: null as unknown as number,
    ...{ type: 'percentage', usage: 'total', free_shipping: false },
  },
  rule: {
    ...{ apply_only: [], cant_apply: [], user_ids: [], group_ids: [] },
    ...{ max_discount: 0, minimum_amount: 0, limit_affiliate_coupon: 0 },
    ...{ use_by_affiliate: false, renewal_coupon: false, first_order_only: false },
  },
};

/** The values of a coupon like another one, whose code is left to whoever makes it. */
export const likeOf = (coupon: Coupon): CouponValues => ({
  ...valuesOf(coupon),
  ...{ code: '', status: 'active' },
});
