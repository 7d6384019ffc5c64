import { isRefusal } from '../../kernel/errors/errors.ts';
import type { Gateway } from '../payment/schemas.ts';
import type { ShippingQuote } from '../product/schemas.ts';
import { refusedGateway } from '../payment/acceptance.ts';
import { hasProvider, offeredGateways } from '../payment/rules.ts';
import {
  type ProductRow,
  chosenOptions,
  isClosed,
  isSoldTo,
  shippingOptions,
  shippingQuotes,
  unitsLeft,
} from '../product/rules.ts';
import { countryCodes } from '../../lib/phone.ts';
import type { OrderType } from '../../schema/lists.ts';
import type { AgreedPlan } from '../../schema/orders.ts';
import { type CouponRow, termsOf } from '../coupon/rules.ts';
import { offerOf as termOf, planBegun } from '../subscription/offer.ts';
import { renewTotal } from '../subscription/rules.ts';
import { type CartState, calculate } from './calculation.ts';
import { type CheckoutForm, quantityOf } from './form.ts';
import type { Calculation, CartInput } from './schemas.ts';

export interface Offer {
  /** With every required choice made. */
  readonly form: CheckoutForm;
  readonly row: ProductRow;
  readonly cart: CartInput;
  /** Empty if there is nothing to pay. */
  readonly ways: readonly Gateway[];
  /** False if no way of the store accepts the amount. A store without any way takes orders nevertheless. */
  readonly isPayable: boolean;
  readonly isShipped: boolean;
  /** Each with what this cart pays for it. Empty for a country that the product isn't shipped to. */
  readonly shipping: readonly ShippingQuote[];
  /** The countries that the product can be shipped to. */
  readonly countries: readonly string[];
  /** Undefined without a price: the product is closed, or the choice doesn't exist. */
  readonly price: Calculation | undefined;
  /** The totals of further terms; undefined for a single purchase. */
  readonly further: FurtherTerms | undefined;
  readonly isClosed: boolean;
  /** True if the offer depends on the person. They must then follow a link in a mail. */
  readonly needsLink: boolean;
}

interface FurtherTerms {
  readonly usual: number;
  /** Of the next term, if it is a sign-up with a fee. */
  readonly signup: number | undefined;
  /** The length of the trial that the order begins. */
  readonly trial: Pick<AgreedPlan, 'duration' | 'period'> | undefined;
  /** The effect of a plan's last payment. */
  readonly after: AgreedPlan['after'] | undefined;
}

/** A caller without scopes, who sees only the discount of a coupon. */
const nobody = { has: () => false };

/**
 * Prices a form. A stranger has no groups and no earlier orders.
 * @param state has the buyer only if they followed the link in their mail
 */
export function offerOf(state: CartState, asked: CheckoutForm, now: Date): Offer | undefined {
  const { product: row, settings } = state;
  if (!row || row.product.status !== 'publish') return undefined;
  const { product } = row;
  const form = chosen(asked, row, settings.country, now);
  const priced = (pay: string) => calculate(state, cartOf(form, row, pay), nobody, now);
  const first = priced('manual');
  const base = isRefusal(first) ? undefined : first;
  const due = base?.grand_total ?? 0;
  const ways = due > 0 ? waysFor(state, row, due, form) : [];
  const pay = (ways.find(({ id }) => id === form.pay) ?? ways[0])?.id ?? 'manual';
  const last = pay === 'manual' ? first : priced(pay);
  const price = isRefusal(last) ? undefined : last;
  const shipping = shippingFor(row, form, base);
  const closed = isClosed(product, form.access_code, now);
  return {
    form: { ...form, pay },
    row,
    cart: cartOf(form, row, pay),
    ...{ ways, shipping, price },
    isShipped: shippingOptions(product, undefined).length > 0,
    countries: limitedCountries(row) ?? countryCodes(),
    further: price?.subscription
      ? furtherTerms(state, row, cartOf(form, row, pay), now)
      : undefined,
    isPayable: due === 0 || ways.length > 0 || !hasProvider(settings, state.redirects),
    isClosed: closed || (state.buyer !== undefined && !isSoldTo(product, state.buyer)),
    needsLink: dependsOnPerson(product, state.coupon) || price?.grand_total === 0,
  };
}

function furtherTerms(
  state: CartState,
  { product }: ProductRow,
  cart: CartInput,
  now: Date,
): FurtherTerms | undefined {
  const begun = termOf({ ...state, product, now }, cart);
  if (isRefusal(begun)) return undefined;
  const { type, quantity } = begun;
  const { shipping_option_id: option_id, country = '' } = cart;
  const variants = chosenOptions(product, begun.optionIds).map((option) => ({
    ...{ ...option, group: '' },
    option_id: option.id,
  }));
  const plan = planBegun(product, begun);
  const totalAfter = (former: OrderType) =>
    renewTotal({
      ...{ subscription: { next_price: null, type: former }, signup: null, agreed: { plan } },
      ...{ product, quantity, variants, group: state.buyer?.group ?? null },
      shipping: option_id === undefined ? null : { option_id, country },
    });
  const usual = totalAfter('subscription-regular');
  const next = totalAfter(type);
  return {
    ...{ usual, signup: next === usual ? undefined : next, after: plan?.after },
    trial: type === 'subscription-tryout' ? trialOf(product) : undefined,
  };
}

function trialOf({ subscription: { tryout } }: ProductRow['product']) {
  const { duration, period } = tryout;
  return { duration, period };
}

function shippingFor({ product }: ProductRow, form: CheckoutForm, price: Calculation | undefined) {
  const quotes = shippingQuotes(product, {
    quantity: quantityOf(form),
    variants: form.variant.join(),
    country: form.country,
    subtotal: price && price.subtotal + price.variant_total,
  });
  return price?.coupon?.free_shipping ? quotes.map((quote) => ({ ...quote, cost: 0 })) : quotes;
}

/** The gateways that the product and its shipping allow for an amount. */
const waysFor = (state: CartState, { product }: ProductRow, amount: number, form: CheckoutForm) =>
  offeredGateways(state.settings, state.redirects).filter(
    ({ id, active }) =>
      active &&
      refusedGateway(
        id,
        product,
        { amount, option_id: form.shipping || undefined, buyer: undefined },
        state,
      ) === undefined,
  );

/** Replaces each missing or impossible choice by the first one offered. */
function chosen(
  form: CheckoutForm,
  row: ProductRow,
  storeCountry: string,
  now: Date,
): CheckoutForm {
  const { product, stock } = row;
  const variant = product.variants.flatMap(({ options, required }) => {
    const active = options.filter((option) => option.active);
    const named = active.find(({ id }) => form.variant.includes(id));
    const left = active.find(({ id }) => unitsLeft(stock, id) !== 0) ?? active[0];
    const option = named ?? (required ? left : undefined);
    return option ? [option.id] : [];
  });
  const limited = limitedCountries(row);
  const home = limited?.includes(storeCountry) === false ? limited[0] : storeCountry;
  const country = form.country || (home ?? '');
  const options = shippingOptions(product, country);
  const shipping = options.find(({ id }) => id === form.shipping) ?? options[0];
  const access_code = isClosed(product, undefined, now) ? form.access_code : '';
  const quantity = String(quantityOf(form));
  return { ...form, variant, quantity, country, shipping: shipping?.id ?? '', access_code };
}

/** Undefined if a way of shipping reaches every country. */
function limitedCountries({ product }: ProductRow): readonly string[] | undefined {
  const lists = shippingOptions(product, undefined).map(({ countries }) => countries);
  const isLimited = lists.length > 0 && lists.every(({ length }) => length > 0);
  return isLimited ? [...new Set(lists.flat())] : undefined;
}

function cartOf(form: CheckoutForm, { product }: ProductRow, pay: string): CartInput {
  return {
    product_id: product.id,
    quantity: quantityOf(form),
    variants: form.variant,
    payment_gateway: pay,
    ...(form.coupon && { coupon: form.coupon }),
    ...(form.access_code && { access_code: form.access_code }),
    ...(form.shipping && { shipping_option_id: form.shipping }),
    ...(form.shipping && form.country && { country: form.country }),
  };
}

function dependsOnPerson(
  { limit_buy_time, subscription, group }: ProductRow['product'],
  coupon: CouponRow | undefined,
): boolean {
  const { active, tryout } = subscription;
  return (
    limit_buy_time > 0 ||
    group.buy_list.length > 0 ||
    (active && tryout.active && tryout.first_only) ||
    (coupon !== undefined && isForSome(coupon))
  );
}

/** Tells if a coupon has a limit per person or is limited to certain people. */
function isForSome(row: CouponRow): boolean {
  const { limit_use_per_user, rule } = termsOf(row);
  const { first_order_only, user_ids, group_ids } = rule;
  return limit_use_per_user > 0 || first_order_only || user_ids.length + group_ids.length > 0;
}
