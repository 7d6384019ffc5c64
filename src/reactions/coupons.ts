import { reaction } from './reaction.ts';
import type { OrderColumns } from '../schema/orders.ts';
import type { Write } from '../kernel/database/statements.ts';
import { statusGroup } from '../domain/order/transitions.ts';
import { couponEvent } from '../domain/coupon/events.ts';
import { announceExhausted, claimCoupon, releaseCoupon } from '../queries/coupons.ts';
import { type CouponRow, termsOf, toCoupon } from '../domain/coupon/rules.ts';
import { holdFirstOrder } from '../queries/order-guards.ts';

/** An order uses its coupon until it is cancelled or refunded in full. */
const uses = (order: OrderColumns | null) =>
  order !== null && statusGroup(order.status) !== 'closed';

/** Raises an event at the last use. Only the counter knows if this is the last. */
function exhaustion(coupon: CouponRow, now: Date): Write[] {
  const { limit_use } = termsOf(coupon);
  if (limit_use === 0) return [];
  const exhausted = toCoupon({ ...coupon, usage: limit_use }, now);
  return [announceExhausted(couponEvent('coupon.exhausted', exhausted), limit_use, now)];
}

/** Placing or reopening an order takes a use of its coupon. The end of the order returns it. */
export const coupons = reaction({
  errors: ['coupon_limit_reached', 'coupon_user_limit', 'coupon_first_order_only'],
  load: () => ({}),
  decide: ({ before, after, coupon, now }) => {
    if (after.coupon_id === null || uses(before) === uses(after)) return { write: [] };
    if (!uses(after)) return { write: releaseCoupon(after, after.coupon_id, now) };
    const firstOnly = coupon !== undefined && termsOf(coupon).rule.first_order_only;
    return {
      write: [
        ...(firstOnly ? holdFirstOrder(after) : []),
        ...claimCoupon(after, after.coupon_id, now),
        ...(coupon ? exhaustion(coupon, now) : []),
      ],
    };
  },
});
