import { type Check, difference, statuses } from './check.ts';

const uses = (columns: string) => `
  select ${columns}, count(*) from coupon_redemptions where released_at is null group by ${columns}`;

export const couponChecks: readonly Check[] = [
  {
    name: 'uses of coupons against their orders',
    differences: difference(
      `select id, coupon_id from orders
        where coupon_id is not null and status not in (${statuses.closed})`,
      'select order_id, coupon_id from coupon_redemptions where released_at is null',
    ),
  },
  {
    name: 'uses of coupons',
    differences: difference(
      uses('coupon_id'),
      'select coupon_id, used from coupon_usage where used <> 0',
    ),
  },
  {
    name: 'uses of coupons by buyer',
    differences: difference(
      uses('coupon_id, user_id'),
      'select coupon_id, user_id, used from coupon_user_usage where used <> 0',
    ),
  },
  {
    name: 'copies of coupons by affiliate',
    differences: difference(
      `select coupon_parent_id, user_id, count(*) from coupons
        where coupon_parent_id is not null and user_id is not null and deleted_at is null
        group by 1, 2`,
      'select template_id, user_id, copies from coupon_copies where copies <> 0',
    ),
  },
];
