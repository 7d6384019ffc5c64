import { type Results, sendIf } from '../kernel/database/statements.ts';
import { findCouponByCode, findCouponOf, findUseByBuyer, ownerOfCoupon } from './coupons.ts';
import { findCustomers, findEarlierOrder, findLastPurchase, findOrder, ofOrder } from './orders.ts';
import { findFiguresNearProduct } from './transfer-figures.ts';
import { findSettings } from './settings.ts';
import { findProduct, findProductOf } from './products.ts';
import { figuresOf } from '../domain/payment/figures.ts';
import { findParentOrder, quantityOfChain } from './order-chains.ts';
import { findBuyerOf, findPerson, sponsorOf } from './users.ts';
import { type Visit, affiliateOfClick } from './clicks.ts';
import { type SQL, sql } from 'drizzle-orm';

/** Who buys what, as a checkout or an order names it, and what speaks for an affiliate. */
export interface Purchase {
  readonly product_id: number;
  readonly user_id?: number | undefined;
  readonly affiliate_id?: number | null | undefined;
  readonly coupon?: string | undefined;
  /** The visit through an affiliate's link that led to it. */
  readonly visit?: Visit | undefined;
  readonly quantity?: number | undefined;
  /** The order it renews. */
  readonly order_parent_id?: number | undefined;
}

/** The ids of everybody a purchase may count for, as rows of one column. */
export const candidatesFor = ({ affiliate_id, user_id, coupon, visit }: Partial<Purchase>) =>
  sql`(values (${affiliate_id ?? null}::bigint), (${sponsorOf(user_id ?? 0)}),
    (${ownerOfCoupon(coupon ?? '')}), (${visit ? affiliateOfClick(visit) : sql`null`}))`;

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

/** Everything an update of an order is decided on. */
export const loadUpdate = (id: number | SQL, affiliate_id: number | null | undefined) => ({
  found: findOrder(id),
  settings: findSettings(),
  product: findProductOf(id),
  buyer: findBuyerOf(id),
  named: findPerson(affiliate_id),
  customers: findCustomers(ofOrder('product_id', id), candidatesFor({ affiliate_id })),
  coupon: findCouponOf(id),
});
