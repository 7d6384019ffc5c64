import { findCouponByCode, findEarlierOrder, findUseByBuyer } from '../coupons/queries.ts';
import {
  type Purchase,
  affiliateOfClick,
  candidatesFor,
  findCustomers,
  findLastPurchase,
  findPerson,
  ownerOfCoupon,
  sponsorOf,
} from '../orders/queries.ts';
import { findSettings } from '../platform/queries.ts';
import { findProduct } from '../products/queries.ts';
import { findParentOrder } from '../subscriptions/queries.ts';

/** Everything a purchase is priced and decided on. */
export const loadPurchase = ({ user_id = 0, coupon = '', ...purchase }: Purchase) => ({
  parent: findParentOrder(purchase.order_parent_id),
  settings: findSettings(),
  product: findProduct(purchase.product_id),
  buyer: findPerson(user_id),
  explicit: findPerson(purchase.affiliate_id),
  visited: findPerson(affiliateOfClick(purchase.ref ?? '')),
  sponsor: findPerson(sponsorOf(user_id)),
  customers: findCustomers(purchase.product_id, candidatesFor({ ...purchase, user_id, coupon })),
  lastPurchase: findLastPurchase(user_id, purchase.product_id),
  coupon: findCouponByCode(coupon),
  couponOwner: findPerson(ownerOfCoupon(coupon)),
  usedByBuyer: findUseByBuyer(coupon, user_id),
  earlier: findEarlierOrder(user_id),
});
