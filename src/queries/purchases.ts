import type { Bound, Values } from '../kernel/database/prepared.ts';
import {
  type Results,
  type Statement,
  isGiven,
  raw,
  sendIf,
} from '../kernel/database/statements.ts';
import { findCouponByCode, findCouponOf, findUseByBuyer, ownerOfCoupon } from './coupons.ts';
import { ofOrder } from './order-columns.ts';
import { findCustomers, findEarlierOrder, findLastPurchase, findOrder } from './orders.ts';
import { findFiguresNearProduct } from './transfer-figures.ts';
import { findSettings } from './settings.ts';
import { findProduct, findProductOf, idOfSlug } from './products.ts';
import { figuresOf } from '../domain/payment/figures.ts';
import {
  findParentOrder,
  firstOrderOf,
  firstOrderOfSubscription,
  quantityOfChain,
} from './order-chains.ts';
import { findBookedPayment } from './payment-sessions.ts';
import { findBuyerOf, findPerson, idOfEmail, sponsorOf } from './users.ts';
import { affiliateOfClick, findLinkOfClick } from './clicks.ts';
import { type SQL, sql } from 'drizzle-orm';

/** A purchase in a checkout or order request, and what tells its affiliate. */
export interface Purchase {
  readonly product_id: number;
  readonly user_id?: number | undefined;
  readonly affiliate_id?: number | null | undefined;
  readonly coupon?: string | undefined;
  /** The code in the visitor's affiliate cookie. */
  readonly ref?: string | undefined;
  readonly quantity?: number | undefined;
  /** The order to renew. */
  readonly order_parent_id?: number | undefined;
}

export const purchaseParameters = {
  product_id: 'bigint',
  user_id: 'bigint',
  affiliate_id: 'bigint?',
  code: 'text?',
  ref: 'text?',
  quantity: 'bigint?',
  order_parent_id: 'bigint?',
  due: 'bigint?',
  now: 'timestamptz',
} as const;

type BoundPurchase = Bound<typeof purchaseParameters>;

/** The parameters of a new order. Its buyer may only be known by an e-mail address. */
export const orderParameters = { ...purchaseParameters, email: 'text?' } as const;

/** The buyer with the e-mail address if it is given, otherwise `user_id`. */
export const buyerOf = ({ user_id, email }: Bound<typeof orderParameters>) =>
  sql<number>`(case when ${email} is null then ${user_id} else ${idOfEmail(email)} end)`;

/** Draws an id for a buyer with a new e-mail address. */
export const drawBuyer = ({ email }: Bound<typeof orderParameters>) =>
  raw<{ id: string }>(sql`select nextval('users_id_seq') as id
    where ${email} is not null and ${idOfEmail(email)} is null`);

/** @param due the price, if known, near which taken transfer amounts are loaded */
export const purchaseValues = (
  { coupon, user_id = 0, ...purchase }: Purchase,
  now: Date,
  due?: number,
): Values<typeof purchaseParameters> => ({
  product_id: purchase.product_id,
  user_id,
  affiliate_id: purchase.affiliate_id,
  // An empty code counts as no code.
  code: coupon || undefined,
  ref: purchase.ref,
  quantity: purchase.quantity,
  order_parent_id: purchase.order_parent_id,
  due,
  now: now.toISOString(),
});

/**
 * The affiliate of a chain's first order, for which the payments of a plan and the first one after a trial count. No
 * other renewal does.
 */
const affiliateOfChain = (order_id: SQL) =>
  sql`(select f.affiliate_id from orders f left join subscriptions s on s.first_order_id = f.id
    where f.id = ${firstOrderOf(order_id)}
      and (jsonb_typeof(f.agreed -> 'plan') = 'object' or s.type = 'subscription-tryout'))`;

/** The affiliate that the request names, or that of the chain if no link names another. */
const orderAffiliateOf = ({ affiliate_id, ref, order_parent_id, now }: BoundPurchase) =>
  sql<number>`coalesce(${affiliate_id}, case when ${affiliateOfClick(ref, now)} is null
    then ${affiliateOfChain(order_parent_id)} end)`;

/** The ids of everybody that a purchase may count for, as rows of one column. */
export const candidatesOf = (purchase: BoundPurchase) => {
  const { user_id, code, ref, now } = purchase;
  return sql`(values (${orderAffiliateOf(purchase)}), (${sponsorOf(user_id)}),
    (${ownerOfCoupon(code)}), (${affiliateOfClick(ref, now)}))`;
};

/** Loads all data for pricing and deciding a purchase. */
export const loadPurchase = (purchase: BoundPurchase) => ({
  parent: findParentOrder(purchase.order_parent_id),
  settings: findSettings(),
  product: findProduct(purchase.product_id),
  buyer: findPerson(purchase.user_id),
  orderAffiliate: ifGiven(orderAffiliateOf(purchase), () => findPerson(orderAffiliateOf(purchase))),
  linkAffiliate: ifGiven(purchase.ref, () =>
    findPerson(affiliateOfClick(purchase.ref, purchase.now)),
  ),
  link: ifGiven(purchase.ref, () => findLinkOfClick(purchase.ref, purchase.now)),
  sponsor: findPerson(sponsorOf(purchase.user_id)),
  customers: findCustomers(purchase.product_id, candidatesOf(purchase)),
  figures: findFiguresNearProduct(
    purchase.product_id,
    quantityOf(purchase),
    purchase.due,
    purchase.now,
  ),
  lastPurchase: findLastPurchase(purchase.user_id, purchase.product_id),
  ...loadCoupon(purchase),
});

/** A purchase of the product with a slug, by an e-mail address. */
export interface FormPurchase extends Omit<Purchase, 'product_id' | 'user_id'> {
  readonly slug: string;
  /** Undefined before an address is typed. No person is loaded then. */
  readonly email: string | undefined;
}

/** Binds values like a prepared trip. */
const boundTo = (values: Values<typeof purchaseParameters>) =>
  Object.fromEntries(
    Object.entries(purchaseParameters).map(([name, type]) => [
      name,
      sql`${values[name as keyof typeof values] ?? null}::${sql.raw(type.replace('?', ''))}`,
    ]),
  ) as BoundPurchase;

export const productOfSubscription = (id: number) =>
  sql<number>`(select product_id from subscriptions where id = ${id})`;

/** Binds another term of a member's subscription. */
export const renewalParameters = (id: number, user_id: SQL<number>, now: Date, due?: number) => ({
  ...boundTo(purchaseValues({ product_id: 0 }, now, due)),
  product_id: productOfSubscription(id),
  user_id,
  order_parent_id: firstOrderOfSubscription(id),
});

/** Binds a form. */
export function formParameters(
  { slug, email, ...purchase }: FormPurchase,
  now: Date,
  due?: number,
) {
  const bound = boundTo(purchaseValues({ ...purchase, product_id: 0 }, now, due));
  const address = sql<string>`${email ?? null}::text`;
  const user_id = buyerOf({ ...bound, email: address });
  return { ...bound, product_id: idOfSlug(sql`${slug}::text`), user_id, email: address };
}

/** The requested quantity, or that of the renewed chain. */
const quantityOf = ({ quantity, order_parent_id }: BoundPurchase) =>
  sql`coalesce(${quantity}, ${quantityOfChain(order_parent_id)}, 1)`;

/** The coupon with a code, its owner, and its uses by the buyer. */
const loadCoupon = ({ code, user_id }: BoundPurchase) => ({
  coupon: ifGiven(code, () => findCouponByCode(code)),
  couponOwner: ifGiven(code, () => findPerson(ownerOfCoupon(code))),
  usedByBuyer: ifGiven(code, () => findUseByBuyer(code, user_id)),
  earlier: ifGiven(code, () => findEarlierOrder(user_id)),
});

const ifGiven = <S extends Statement>(parameter: SQL, make: () => S) =>
  sendIf(isGiven(parameter), make);

/** Arranges loaded rows for the rules. */
export function cartState(loaded: Results<ReturnType<typeof loadPurchase>>) {
  const [settings] = loaded.settings;
  if (!settings) throw new Error('The store has no settings.');
  return {
    settings,
    product: loaded.product[0],
    parent: loaded.parent[0],
    buyer: loaded.buyer[0],
    orderAffiliate: loaded.orderAffiliate[0],
    linkAffiliate: loaded.linkAffiliate[0],
    link: loaded.link[0],
    sponsor: loaded.sponsor[0],
    customers: loaded.customers.map(({ id }) => id),
    figures: figuresOf(loaded.figures),
    lastPurchase: loaded.lastPurchase[0]?.at,
    coupon: loaded.coupon[0],
    couponOwner: loaded.couponOwner[0],
    usedByBuyer: loaded.usedByBuyer[0]?.used ?? 0,
    hasOrdered: loaded.earlier.length > 0,
  };
}

/** Loads all data for an update of an order. */
export const loadUpdate = (id: number | SQL, affiliate_id: number | null | undefined) => ({
  found: findOrder(id),
  settings: findSettings(),
  product: findProductOf(id),
  buyer: findBuyerOf(id),
  named: findPerson(affiliate_id),
  customers: sendIf(Boolean(affiliate_id), () =>
    findCustomers(ofOrder('product_id', id), onlyCandidate(affiliate_id)),
  ),
  coupon: findCouponOf(id),
  paidBy: findBookedPayment(id),
});

/** The affiliate of an update, as a row with an id. */
export const onlyCandidate = (affiliate_id: number | null | undefined) =>
  sql`(values (${affiliate_id ?? null}::bigint))`;
