import { type Refusal, isRefusal, refuse, unknownReference } from '../../kernel/errors/errors.ts';
import { addPeriod } from '../../lib/calendar.ts';
import type { Instant } from '../../lib/instant.ts';
import type { OrderType } from '../../schema/lists.ts';
import type { AgreedPlan, AgreedTerms, OrderShipping, OrderVariant } from '../../schema/orders.ts';
import {
  type ProductRow,
  chosenOptions,
  priceOf,
  sellingPrice,
  shippingOptions,
} from '../product/rules.ts';
import { defaultParts } from '../../schema/product-parts.ts';
import { groupPrice } from '../group/rules.ts';
import type { Person } from '../user/rules.ts';
import type { SubscriptionColumns } from '../../schema/subscriptions.ts';

export type ProductTerms = Pick<ProductRow['product'], 'price' | 'subscription'>;

/** Adds the surcharges of the chosen options. */
export const withExtras = (
  price: number,
  product: Pick<ProductRow['product'], 'variants'>,
  optionIds: readonly string[],
): number => price + surchargeOf(chosenOptions(product, optionIds));

type VariantGroups = ProductRow['product']['variants'];

export const surchargeOf = (options: readonly { readonly extra_price: number }[]): number =>
  options.reduce((sum, { extra_price }) => sum + extra_price, 0);

/** The lowest price of an item that its options leave at 0 or more. */
export const lowestFor = (options: Parameters<typeof surchargeOf>[0]): number =>
  Math.max(0, -surchargeOf(options));

/** Records the surcharges that a trial does not have, for further terms. */
export const withTermExtras = (
  product: Pick<ProductRow['product'], 'variants'>,
  chosen: readonly OrderVariant[],
): OrderVariant[] =>
  chosen.map((variant) => ({
    ...variant,
    term_extra_price: withExtras(0, product, [variant.option_id]),
  }));

/**
 * The choices of a renewal are those of the last term. An option that is now off has today's terms, and a deleted one
 * the terms that the order recorded.
 */
export const renewedGroups = (
  { variants }: Pick<ProductRow['product'], 'variants'>,
  chosen: readonly OrderVariant[],
): VariantGroups =>
  chosen.map(({ group: key, option_id: id, label, extra_weight, ...recorded }) => {
    const [option] = chosenOptions({ variants }, [id]);
    const { term_extra_price: extra_price = recorded.extra_price } = recorded;
    const deleted = { ...{ id, key: id, label, extra_price, extra_weight }, sku: '', stock: null };
    return {
      ...{ id: key, key, label: key, required: true },
      options: [{ ...(option ?? deleted), active: true }],
    };
  });

/**
 * Returns the shipping of a renewal: that of the first order, or the first option still offered for the country. Null if
 * nothing is shipped, undefined if no option is left.
 */
export function renewedShipping(
  product: Pick<ProductRow['product'], 'shipping' | 'type'>,
  first: Pick<OrderShipping, 'option_id' | 'country'> | null,
  plan: AgreedPlan | null,
): ProductRow['product']['shipping']['options'][number] | null | undefined {
  if (!first || plan || product.type !== 'physical') return null;
  const options = shippingOptions(product, first.country).filter(
    ({ countries }) => first.country !== '' || countries.length === 0,
  );
  return options.find(({ id }) => id === first.option_id) ?? options[0];
}

/** The payment plan that a first order begins, at its price without a coupon; null if the product has none. */
export function planBegun(
  product: ProductRow['product'],
  { term_price, optionIds }: Offer,
): AgreedPlan | null {
  const { active, payments, after, grace_days, regular, signup } = product.subscription;
  if (!active || payments === null) return null;
  const { duration, period } = regular;
  const price = withExtras(term_price, product, optionIds);
  return { payments, after, grace_days, price, duration, period, tax: product.tax, signup };
}

/** The product with the terms that the first order of a plan fixed. */
export const agreedProduct = <P extends Pick<ProductRow['product'], 'tax' | 'subscription'>>(
  product: P,
  plan: AgreedPlan | null,
): P => ({
  ...product,
  tax: plan?.tax ?? product.tax,
  subscription: { ...product.subscription, signup: plan?.signup ?? product.subscription.signup },
});

/** An instalment costs only its agreed price, and in a trial the options cost nothing either. */
export const offeredProduct = (
  { product, stock }: ProductRow,
  {
    plan,
    unit_price: price,
    type,
    variants,
  }: Pick<Offer, 'plan' | 'unit_price' | 'type' | 'variants'>,
): ProductRow => ({
  stock: plan ? {} : stock,
  product: {
    ...agreedProduct(product, plan),
    ...(plan
      ? onlyPrice
      : { variants: type === 'subscription-tryout' ? variants.map(withoutExtras) : variants }),
    price,
  },
});

const withoutExtras = (group: VariantGroups[number]) => ({
  ...group,
  options: group.options.map((option) => ({ ...option, extra_price: 0 })),
});

const onlyPrice = {
  type: 'digital' as const,
  variants: [],
  shipping: defaultParts.shipping,
  cod: defaultParts.cod,
};

export const durationOf = ({ subscription }: ProductTerms, type: OrderType) =>
  type === 'subscription-tryout' ? subscription.tryout : subscription.regular;

/** Tells if only a first order of the product may have this type. */
export const isFirstOnly = (
  { type }: { readonly type: OrderType },
  { subscription }: ProductTerms,
): boolean => type === 'subscription-tryout' && subscription.tryout.first_only;

/** Until when an ending subscription can be renewed; null = always. */
export const renewableUntil = (
  { subscription: { max_renewal } }: ProductTerms,
  end: Instant,
  timezone: string,
): Instant | null => (max_renewal === 0 ? null : addPeriod(end, max_renewal, 'daily', timezone));

/** The parent in a request, and the subscription of its chain. */
export interface ParentOrder {
  readonly first_order_id: number;
  /** Of the first order. */
  readonly quantity: number;
  /** Of the last term: up to version 0.1.0 a renewal could have others than the first order. */
  readonly variants: readonly OrderVariant[];
  readonly user_id: number;
  readonly product_id: number;
  readonly subscription: SubscriptionColumns | null;
  readonly agreed: Pick<AgreedTerms, 'plan'>;
  /** Instalments of the plan that are paid or open. */
  readonly instalments: number;
  readonly signup: ChainSignup | null;
}

/** `charged` if an order that isn't closed has the sign-up fee; `cancelled` if only cancelled orders have it. */
export type ChainSignup = 'charged' | 'cancelled';

/** Tells if every payment of a plan is made or has an open order. */
export const isCovered = (plan: AgreedPlan | null, instalments: number): boolean =>
  plan !== null && instalments >= plan.payments;

export interface OfferRequest {
  /** By default the buyer's next term. */
  readonly type?: OrderType | undefined;
  readonly order_parent_id?: number | undefined;
  /** By default 1; for a renewal, the quantity of the first order. */
  readonly quantity?: number | undefined;
  /** For a renewal, by default the options of the last term. */
  readonly variants?: readonly string[] | undefined;
}

export interface OfferState {
  readonly product: ProductRow['product'];
  readonly buyer: Person | undefined;
  /** A buyer whom a stranger named has no group. */
  readonly stranger?: unknown;
  /** The order to renew. */
  readonly parent: ParentOrder | undefined;
  /** The time of the buyer's last order of the product, not counting cancelled ones. */
  readonly lastPurchase: string | undefined;
  readonly settings: { readonly timezone: string };
  readonly now: Date;
}

export interface Offer {
  readonly type: OrderType;
  /** The first order of the renewed chain. */
  readonly order_parent_id: number | null;
  readonly quantity: number;
  /** The groups to choose from. */
  readonly variants: VariantGroups;
  readonly optionIds: readonly string[];
  readonly unit_price: number;
  /** The price of an item of a regular term, without its options. */
  readonly term_price: number;
  readonly signup_fee: number;
  /** Null for the first order, which begins the plan. */
  readonly plan: AgreedPlan | null;
}

export type OfferRefusal = Refusal<
  | 'rest_not_found'
  | 'rest_invalid_param'
  | 'subscription_not_renewable'
  | 'plan_complete'
  | 'tryout_used'
>;

const invalid = (param: string, reason: string) =>
  refuse('rest_invalid_param', { params: { [param]: reason } });

/**
 * Decides the type of an order: a single purchase, or a term of a subscription. A subscription begins with a trial or a
 * sign-up if the product offers them. An order that names a parent renews its chain.
 */
export function offerOf(state: OfferState, request: OfferRequest): Offer | OfferRefusal {
  const { buyer, stranger, lastPurchase } = state;
  const { tryout, active } = state.product.subscription;
  const { id } = state.product;
  const listed = state.parent ? priceOf(state.product) : sellingPrice(state.product);
  const priceFrom = (lowest: number) =>
    groupPrice(stranger ? null : buyer?.group, { id, price: listed }, lowest);
  // A subscription goes on, even if the product no longer begins any.
  if (!active && !state.parent?.subscription) {
    return singlePurchase(state.product, priceFrom, request);
  }
  const parent = request.order_parent_id === undefined ? null : renewed(state);
  if (isRefusal(parent)) return parent;
  const plan = parent?.plan ?? null;
  const product = agreedProduct(state.product, plan);
  const { signup } = product.subscription;
  const triable = tryout.active && !(tryout.first_only && lastPurchase !== undefined);
  const type = request.type ?? nextType(product, parent, triable);
  if (type === 'regular') return invalid('type', 'this product is a subscription');
  if (type === 'subscription-tryout') {
    if (!tryout.active || parent) return invalid('type', 'this product has no trial');
    if (!triable) return refuse('tryout_used');
  }
  const paysAgain = parent?.signup === 'charged' || (parent?.plan && isSignedUp(parent));
  if (type === 'subscription-signup' && (!signup.active || paysAgain)) {
    return invalid('type', 'this product has no sign-up');
  }
  const { quantity = parent?.quantity ?? 1 } = request;
  // A renewal has the quantity of the first order and the options of the last term.
  if (parent && quantity !== parent.quantity) {
    return invalid('quantity', `of a renewal is that of the first order, ${parent.quantity}`);
  }
  const agreedIds = parent && (plan ? [] : parent.variants.map(({ option_id }) => option_id));
  const { variants: optionIds = agreedIds ?? [] } = request;
  if (agreedIds && !hasSame(optionIds, agreedIds)) {
    return invalid('variants', 'of a renewal are those of the last paid term');
  }
  const agreed = parent?.subscription.next_price ?? plan?.price;
  const variants = parent ? renewedGroups(product, parent.variants) : product.variants;
  const lowest = lowestFor(chosenOptions({ variants }, optionIds));
  // An agreed price has no discount of a group.
  const price = agreed ?? priceFrom(lowest);
  const term_price = Math.max(price, lowest);
  const unit_price = parent ? term_price : price;
  return {
    type,
    order_parent_id: parent?.first_order_id ?? null,
    quantity,
    variants,
    optionIds,
    unit_price: type === 'subscription-tryout' ? 0 : unit_price,
    term_price,
    signup_fee: type === 'subscription-signup' ? signup.fee : 0,
    plan,
  };
}

const hasSame = (some: readonly string[], others: readonly string[]) =>
  some.every((id) => others.includes(id)) && others.every((id) => some.includes(id));

function singlePurchase(
  product: ProductRow['product'],
  priceFrom: (lowest: number) => number,
  { type, order_parent_id, quantity = 1, variants = [] }: OfferRequest,
): Offer | OfferRefusal {
  if (type !== undefined && type !== 'regular') {
    return invalid('type', 'this product is not a subscription');
  }
  if (order_parent_id !== undefined) {
    return invalid('order_parent_id', 'only orders of a subscription have a parent');
  }
  const price = priceFrom(lowestFor(chosenOptions(product, variants)));
  return {
    type: 'regular',
    order_parent_id: null,
    quantity,
    variants: product.variants,
    optionIds: variants,
    unit_price: price,
    term_price: price,
    signup_fee: 0,
    plan: null,
  };
}

interface Chain {
  readonly subscription: Pick<SubscriptionColumns, 'type'>;
  readonly signup: ChainSignup | null;
}

/** Trial, then sign-up, then regular terms, as far as the product has them. */
export function nextType(
  { subscription: { signup } }: ProductTerms,
  parent: Chain | null,
  triable = false,
): OrderType {
  if (!parent && triable) return 'subscription-tryout';
  const paysFee = signup.active && !(parent && isSignedUp(parent));
  return paysFee ? 'subscription-signup' : 'subscription-regular';
}

/** A paid term may have no fee because an order with the fee was open, which was cancelled later. */
const isSignedUp = ({ subscription, signup }: Chain): boolean =>
  signup === null ? subscription.type !== 'subscription-tryout' : signup === 'charged';

/** The renewed chain, if it can be renewed. */
function renewed({ product, buyer, parent, now, settings }: OfferState) {
  if (!parent) return unknownReference('order_parent_id');
  if (parent.product_id !== product.id || parent.user_id !== buyer?.id) {
    return invalid('order_parent_id', 'must be an order of the same product by the same user');
  }
  const { first_order_id, quantity, variants, subscription, instalments, signup } = parent;
  const { plan } = parent.agreed;
  if (!subscription) {
    return refuse('subscription_not_renewable', { data: { renewable_until: null } });
  }
  const refused = refusedTerm(subscription, first_order_id, { product, settings, now });
  if (refused) return refused;
  if (isCovered(plan, instalments)) return refuse('plan_complete');
  return { first_order_id, quantity, variants, subscription, plan, signup };
}

/**
 * Refuses another term of a subscription that is cancelled or ended too long ago.
 * @param parent_id null for the first order, which also begins a subscription that has no term
 */
export function refusedTerm(
  { status, end_date, cancelled_at }: SubscriptionColumns,
  parent_id: number | null,
  { product, settings, now }: Pick<OfferState, 'product' | 'settings' | 'now'>,
): Refusal<'subscription_not_renewable'> | undefined {
  const until = end_date && renewableUntil(product, end_date, settings.timezone);
  const isLate = until !== null && until < now.toISOString() && status !== 'paused';
  const isEmpty = status === 'pending' || status === 'inactive';
  return cancelled_at !== null || isLate || (isEmpty && parent_id !== null)
    ? refuse('subscription_not_renewable', { data: { renewable_until: until } })
    : undefined;
}
