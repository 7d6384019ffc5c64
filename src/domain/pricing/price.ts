import type { AgreedTerms, OrderVariant } from '../../schema/orders.ts';
import { type Refusal, isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { largestAmount, percentOf, taxWithin } from '../../lib/money.ts';
import {
  type CouponRefusal,
  type CouponRow,
  type CouponUse,
  agreedCoupon,
  couponRefusal,
  termsOf,
  discountOf,
} from '../coupon/rules.ts';
import { type ProductRow, shippingCost, shippingLabel, shippingOptions } from '../product/rules.ts';
import type { priceLineKinds } from '../../schema/lists.ts';

export interface Cart {
  readonly product: ProductRow['product'];
  readonly quantity: number;
  /** True for a renewal. It has the quantity of the first order, whatever the product allows now. */
  readonly renewal?: boolean | undefined;
  readonly optionIds: readonly string[];
  readonly shipping?: { option_id: string; country?: string | undefined } | undefined;
  /** An applicable coupon: it discounts the goods and may make shipping free. */
  readonly coupon?: CouponRow | undefined;
  /** Charged once per order. */
  readonly signupFee?: number | undefined;
  /** True for payment on delivery, which has a fee of its own. */
  readonly cod: boolean;
}

/** Discounts are negative. Tax with `included` is not summed. */
export interface PriceLine {
  readonly kind: (typeof priceLineKinds)[number];
  readonly label: string;
  readonly amount: number;
  readonly included?: true;
}

/** The terms that an order keeps, for any quantity. */
export interface PriceTerms extends Omit<AgreedTerms, 'plan'> {
  readonly unit_price: number;
  readonly variants: readonly Pick<OrderVariant, 'extra_price' | 'extra_weight'>[];
  readonly signup_fee: number;
  readonly fee_total: number;
}

export interface Totals {
  readonly unit_price: number;
  readonly subtotal: number;
  readonly variant_total: number;
  readonly signup_fee: number;
  readonly discount_total: number;
  readonly shipping_total: number;
  readonly fee_total: number;
  readonly tax_total: number;
  readonly grand_total: number;
}

/** The lines that aren't included in others sum to `grand_total`. */
export interface Price {
  readonly lines: readonly PriceLine[];
  readonly variants: readonly OrderVariant[];
  readonly agreed: AgreedTerms;
  readonly totals: Totals;
}

type PricingRefusal = Refusal<'rest_invalid_param' | 'variant_required'>;

const invalid = (param: string, reason: string) =>
  refuse('rest_invalid_param', { params: { [param]: reason } });

/** Calculates every price. Pure. */
export function priceCart(cart: Cart): Price | PricingRefusal {
  const { product, quantity } = cart;
  const quantityReason = cart.renewal ? undefined : refusedQuantity(product, quantity);
  if (quantityReason) return invalid('quantity', quantityReason);
  const variants = chosenVariants(cart);
  if (isRefusal(variants)) return variants;
  const option = chosenShipping(cart);
  if (isRefusal(option)) return option;
  const agreed: AgreedTerms = {
    tax: product.tax,
    coupon: cart.coupon ? agreedCoupon(cart.coupon) : null,
    shipping: option ? shippingTerms(option, product.shipping) : null,
    plan: null,
  };
  const totals = totalsOf(
    {
      ...agreed,
      variants,
      unit_price: product.price,
      signup_fee: cart.signupFee ?? 0,
      fee_total: cart.cod ? product.cod.fee : 0,
    },
    quantity,
  );
  if (isRefusal(totals)) return totals;
  return { variants, agreed, totals, lines: linesOf(cart, variants, option, totals) };
}

/** Calculates the totals of a quantity; they sum to `grand_total`. */
export function totalsOf(
  { unit_price, variants, signup_fee, fee_total, tax, coupon, shipping }: PriceTerms,
  quantity: number,
): Totals | Refusal<'rest_invalid_param'> {
  const subtotal = unit_price * quantity;
  const variant_total = sumOf(variants.map(({ extra_price }) => extra_price)) * quantity;
  const goods = subtotal + variant_total;
  if (goods < 0 || [subtotal, variant_total].some((amount) => Math.abs(amount) > largestAmount)) {
    return invalid('quantity', 'makes a total that is out of range');
  }
  const discount_total = coupon ? discountOf(coupon, goods, quantity) : 0;
  const extraWeight = sumOf(variants.map(({ extra_weight }) => extra_weight));
  const shipped = shipping && !coupon?.discount.free_shipping;
  const shipping_total = shipped
    ? shippingCost(shipping, goods, (shipping.weight_g + extraWeight) * quantity).cost
    : 0;
  const tax_total = tax.inclusive ? 0 : taxOn(goods - discount_total, tax);
  const grand_total = goods + signup_fee - discount_total + shipping_total + fee_total + tax_total;
  if (grand_total > largestAmount) {
    return invalid('quantity', 'makes a total that is out of range');
  }
  return {
    unit_price,
    subtotal,
    variant_total,
    signup_fee,
    discount_total,
    shipping_total,
    fee_total,
    tax_total,
    grand_total,
  };
}

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

/** Added to the price of goods or contained in it. */
const taxOn = (goods: number, { enabled, rate, inclusive }: AgreedTerms['tax']): number =>
  enabled ? (inclusive ? taxWithin : percentOf)(goods, rate) : 0;

function linesOf(
  { product, quantity, coupon }: Cart,
  variants: readonly OrderVariant[],
  option: ShippingOption | undefined,
  totals: Totals,
): PriceLine[] {
  const { subtotal, variant_total, signup_fee, discount_total, shipping_total, fee_total } = totals;
  const { tax } = product;
  return [
    { kind: 'product', label: product.title, amount: subtotal },
    ...variants.map(({ label, extra_price }) => ({
      kind: 'variant' as const,
      label,
      amount: extra_price * quantity,
    })),
    ...(signup_fee ? [{ kind: 'signup' as const, label: 'Sign-up', amount: signup_fee }] : []),
    ...(coupon && discount_total > 0
      ? [{ kind: 'discount' as const, label: coupon.coupon.code, amount: -discount_total }]
      : []),
    ...(option
      ? [{ kind: 'shipping' as const, label: shippingLabel(option), amount: shipping_total }]
      : []),
    ...(fee_total
      ? [{ kind: 'fee' as const, label: 'Payment on delivery', amount: fee_total }]
      : []),
    ...(tax.enabled
      ? [
          {
            kind: 'tax' as const,
            label: `Tax ${tax.rate}%`,
            amount: taxOn(subtotal + variant_total - discount_total, tax),
            ...(tax.inclusive && { included: true as const }),
          },
        ]
      : []),
  ];
}

/** A price with a coupon. If the coupon doesn't apply: the price without it, and the reason. */
export interface CouponedPrice {
  readonly price: Price;
  readonly couponRefusal: CouponRefusal | undefined;
  /** True if the order uses the coupon up. A discount of nothing, as in a trial, doesn't. */
  readonly couponUsed: boolean;
}

export type CouponTrial = {
  readonly row: CouponRow | undefined;
  /** True for an instalment, whose price is agreed. */
  readonly isInstalment?: boolean;
} & Omit<CouponUse, 'product_id' | 'goods'>;

/** Prices a cart with a coupon. Without a trial there is none. */
export function priceWithCoupon(
  cart: Omit<Cart, 'coupon'>,
  trial: CouponTrial | undefined,
): CouponedPrice | PricingRefusal {
  const plain = priceCart(cart);
  if (isRefusal(plain) || !trial) {
    return isRefusal(plain) ? plain : { ...withoutCoupon, price: plain };
  }
  const goods = plain.totals.subtotal + plain.totals.variant_total;
  const refused = trial.isInstalment
    ? 'coupon_product_excluded'
    : couponRefusal(trial.row, { ...trial, product_id: cart.product.id, goods });
  if (refused) return { ...withoutCoupon, price: plain, couponRefusal: refused };
  const price = priceCart({ ...cart, coupon: trial.row });
  if (isRefusal(price)) return price;
  const takesOff = price.totals.grand_total < plain.totals.grand_total;
  const couponUsed = takesOff || (goods > 0 && !promisesAnything(trial.row));
  // A coupon that isn't used up is not part of the agreed terms: it would discount a larger quantity later.
  return { price: couponUsed ? price : plain, couponRefusal: undefined, couponUsed };
}

/** A coupon without a discount only names its affiliate. It is used up wherever it is given. */
function promisesAnything(row: CouponRow | undefined): boolean {
  if (!row) return false;
  const { value, free_shipping } = termsOf(row).discount;
  return value > 0 || free_shipping;
}

const withoutCoupon = { couponRefusal: undefined, couponUsed: false };

export function refusedQuantity(
  { enable_quantity, max_quantity, subscription, license }: ProductRow['product'],
  quantity: number,
): string | undefined {
  if (quantity > 1 && !enable_quantity) return 'this product is sold one at a time';
  if (quantity > 1 && subscription.active && !license.active) {
    return 'a subscription without licences is bought one at a time';
  }
  if (max_quantity !== null && quantity > max_quantity) return `must be ${max_quantity} at most`;
  return undefined;
}

/** Allows one option of each group, and demands one of each required group. */
function chosenVariants({ product, optionIds }: Cart): OrderVariant[] | PricingRefusal {
  const chosen: OrderVariant[] = [];
  for (const group of product.variants) {
    const options = group.options.filter(({ id, active }) => active && optionIds.includes(id));
    if (options.length > 1) return invalid('variants', `takes one option of ${group.label}`);
    const [option] = options;
    if (option) {
      const { id, label, extra_price, extra_weight } = option;
      chosen.push({ group: group.key, option_id: id, label, extra_price, extra_weight });
    } else if (group.required) {
      return refuse('variant_required', {
        params: { variants: `needs an option of ${group.label}` },
      });
    }
  }
  if (chosen.length < new Set(optionIds).size) {
    return invalid('variants', 'names an option this product does not have');
  }
  return chosen;
}

type ShippingOption = ProductRow['product']['shipping']['options'][number];

function chosenShipping({
  product,
  shipping,
}: Cart): ShippingOption | undefined | Refusal<'rest_invalid_param'> {
  if (!shipping) return undefined;
  const { option_id, country } = shipping;
  const named = product.shipping.options.find(({ id }) => id === option_id);
  if (named && named.countries.length > 0 && !country) {
    return invalid(
      'shipping.country',
      'is required: this shipping option is for certain countries only',
    );
  }
  return (
    shippingOptions(product, country).find(({ id }) => id === option_id) ??
    invalid('shipping.option_id', 'is not a shipping option of this product for that country')
  );
}

export const shippingTerms = (
  { cost, per_kg, free_above }: ShippingOption,
  { free, weight_g }: ProductRow['product']['shipping'],
): AgreedTerms['shipping'] => ({ cost, per_kg, free_above, free, weight_g });
