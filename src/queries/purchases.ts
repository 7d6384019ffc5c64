import { sendIf, type Results } from '../kernel/database/statements.ts';
import { findCouponByCode, findEarlierOrder, findUseByBuyer } from './coupons.ts';
import {
  type Purchase,
  affiliateOfClick,
  candidatesFor,
  findCustomers,
  findLastPurchase,
  findPerson,
  ownerOfCoupon,
  sponsorOf,
} from './orders.ts';
import { findFiguresNearProduct } from './transfer-figures.ts';
import { findSettings } from './settings.ts';
import { findProduct } from './products.ts';
import { findParentOrder, quantityOfChain } from './subscriptions.ts';
import { figuresOf } from '../domain/payment/figures.ts';

/**
 * Everything a purchase is priced and decided on.
 * @param due what it costs, where that is known: figures are looked at around it
 */
export const loadPurchase = (
  { user_id = 0, coupon = '', visit, ...purchase }: Purchase,
  now: Date,
  due?: number,
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
  figures: findFiguresNearProduct(purchase.product_id, quantityOf(purchase), due, now),
  lastPurchase: findLastPurchase(user_id, purchase.product_id),
  ...loadCoupon(coupon, user_id),
});

/** How many are bought: as asked, or as many as the chain that is renewed. */
const quantityOf = ({ quantity, order_parent_id }: Purchase) =>
  quantity ?? (order_parent_id === undefined ? 1 : quantityOfChain(order_parent_id));

/** The coupon of a code, whom it counts for, and what limits its use by a buyer. */
const loadCoupon = (code: string, user_id: number) => ({
  coupon: sendIf(code !== '', () => findCouponByCode(code)),
  couponOwner: sendIf(code !== '', () => findPerson(ownerOfCoupon(code))),
  usedByBuyer: sendIf(code !== '', () => findUseByBuyer(code, user_id)),
  earlier: sendIf(code !== '', () => findEarlierOrder(user_id)),
});

/** What was loaded for a purchase, as the rules take it. */
export function cartState(loaded: Results<ReturnType<typeof loadPurchase>>) {
  const [settings] = loaded.settings;
  if (!settings) throw new Error('The store has no settings.');
  return {
    settings,
    product: loaded.product[0],
    parent: loaded.parent[0],
    buyer: loaded.buyer[0],
    explicit: loaded.explicit[0],
    visited: loaded.visited[0],
    sponsor: loaded.sponsor[0],
    customers: loaded.customers.map(({ id }) => id),
    takenFigures: figuresOf(loaded.figures),
    lastPurchase: loaded.lastPurchase[0]?.at,
    coupon: loaded.coupon[0],
    couponOwner: loaded.couponOwner[0],
    usedByBuyer: loaded.usedByBuyer[0]?.used ?? 0,
    hasOrdered: loaded.earlier.length > 0,
  };
}
