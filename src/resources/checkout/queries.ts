import { sendIf } from '../../db/statements.ts';
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
import { findFiguresNearProduct } from '../payments/queries.ts';
import { findSettings } from '../platform/queries.ts';
import { findProduct } from '../products/queries.ts';
import { findParentOrder, quantityOfChain } from '../subscriptions/queries.ts';

/** Everything a purchase is priced and decided on. */
export const loadPurchase = (
  { user_id = 0, coupon = '', visit, ...purchase }: Purchase,
  now: Date,
) => ({
  parent: findParentOrder(purchase.order_parent_id),
  settings: findSettings(),
  product: findProduct(purchase.product_id),
  buyer: findPerson(user_id),
  explicit: findPerson(purchase.affiliate_id),
  visited: findPerson(visit && affiliateOfClick(visit)),
  sponsor: findPerson(sponsorOf(user_id)),
  customers: findCustomers(
    purchase.product_id,
    candidatesFor({ ...purchase, user_id, coupon, visit }),
  ),
  figures: findFiguresNearProduct(purchase.product_id, quantityOf(purchase), now),
  lastPurchase: findLastPurchase(user_id, purchase.product_id),
  ...loadCoupon(coupon, user_id),
});

const quantityOf = ({
  quantity,
  order_parent_id,
}: Pick<Purchase, 'quantity' | 'order_parent_id'>) =>
  quantity ?? (order_parent_id === undefined ? 1 : quantityOfChain(order_parent_id));

/** The coupon of a code, whom it counts for, and what limits its use by a buyer. */
const loadCoupon = (code: string, user_id: number) => ({
  coupon: sendIf(code !== '', () => findCouponByCode(code)),
  couponOwner: sendIf(code !== '', () => findPerson(ownerOfCoupon(code))),
  usedByBuyer: sendIf(code !== '', () => findUseByBuyer(code, user_id)),
  earlier: sendIf(code !== '', () => findEarlierOrder(user_id)),
});
