import type { ErrorTable } from '../../kernel/errors/errors.ts';

export const couponErrors = {
  coupon_not_found: [404, 'No coupon has this code.'],
  coupon_inactive: [409, 'This coupon is not active.'],
  coupon_not_started: [409, 'This coupon is not valid yet.'],
  coupon_expired: [409, 'This coupon has expired.'],
  coupon_limit_reached: [409, 'This coupon has been used as often as allowed.'],
  coupon_user_limit: [409, 'This buyer has used the coupon as often as allowed.'],
  coupon_product_excluded: [409, 'This coupon does not apply to the product.'],
  coupon_min_amount: [409, 'The purchase is too small for this coupon.'],
  coupon_renewal_only: [409, 'This coupon is for renewals only.'],
  coupon_own: [409, 'Affiliates cannot use their own coupons.'],
  coupon_group: [409, 'This coupon is not for this buyer.'],
  coupon_first_order_only: [409, "This coupon is for a buyer's first order only."],
  coupon_code_exists: [409, 'Another coupon has this code.'],
  coupon_quota: [409, 'You already have as many copies of this template as allowed.'],
} as const satisfies ErrorTable;
