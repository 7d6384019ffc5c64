import type { OrderVariant } from '../../db/schema/orders.ts';
import { type Refusal, isRefusal, refuse } from '../../http/errors.ts';
import { largestAmount, percentOf, taxWithin } from '../../lib/money.ts';
import {
  type CouponRefusal,
  type CouponRow,
  type CouponUse,
  couponRefusal,
  discountOf,
  termsOf,
} from '../coupons/rules.ts';
import { groupPrice } from '../groups/rules.ts';
import { type ProductRow, shippingQuotes } from '../products/rules.ts';
import type { GroupColumns } from '../users/rules.ts';
import type { priceLineKinds } from './schemas.ts';

/** What is to be priced. */
export interface Cart {
  readonly product: ProductRow['product'];
  readonly quantity: number;
  /** Ids of the chosen variant options. */
  readonly optionIds: readonly string[];
  readonly shipping?: { option_id: string; country?: string | undefined } | undefined;
  /** A coupon that applies; it takes its discount off the goods and may make shipping free. */
  readonly coupon?: CouponRow | undefined;
  /** The buyer's group, where its members have prices of their own. */
  readonly group?: GroupColumns | null | undefined;
  /** What signing up to a subscription costs, once an order. */
  readonly signupFee?: number | undefined;
  /** Paid on delivery: the product's fee for it is added. */
  readonly cod: boolean;
}

/** A line of a price; discounts are negative, tax with `included` is not summed. */
export interface PriceLine {
  readonly kind: (typeof priceLineKinds)[number];
  readonly label: string;
  readonly amount: number;
  readonly included?: true;
}

/** A priced cart: the lines that aren't included elsewhere sum to `grand_total`. */
export interface Price {
  readonly lines: readonly PriceLine[];
  readonly variants: readonly OrderVariant[];
  readonly totals: {
    readonly unit_price: number;
    readonly subtotal: number;
    readonly variant_total: number;
    readonly signup_fee: number;
    readonly discount_total: number;
    readonly shipping_total: number;
    readonly fee_total: number;
    readonly tax_total: number;
    readonly grand_total: number;
  };
}

type PricingRefusal = Refusal<'rest_invalid_param' | 'variant_required'>;

const invalid = (param: string, reason: string) =>
  refuse('rest_invalid_param', { params: { [param]: reason } });

/** The one way a price comes about: a pure function of the cart. */
export function priceCart(cart: Cart): Price | PricingRefusal {
  const { product, quantity } = cart;
  const quantityReason = refusedQuantity(cart);
  if (quantityReason) return invalid('quantity', quantityReason);
  const variants = chosenVariants(cart);
  if ('refused' in variants) return variants;
  const unit_price = groupPrice(cart.group, product);
  const subtotal = unit_price * quantity;
  const variant_total = variants.reduce((sum, { extra_price }) => sum + extra_price, 0) * quantity;
  const goods = subtotal + variant_total;
  if (goods < 0 || [subtotal, variant_total].some((amount) => Math.abs(amount) > largestAmount)) {
    return invalid('quantity', 'makes a total that is out of range');
  }
  const discount_total = cart.coupon ? discountOf(cart.coupon, goods, quantity) : 0;
  const shipping = chosenShipping(cart, goods);
  if (shipping && 'refused' in shipping) return shipping;
  const signup_fee = cart.signupFee ?? 0;
  const fee_total = cart.cod ? product.cod.fee : 0;
  const { tax } = product;
  const taxAmount = !tax.enabled
    ? 0
    : tax.inclusive
      ? taxWithin(goods - discount_total, tax.rate)
      : percentOf(goods - discount_total, tax.rate);
  const shipping_total = shipping?.cost ?? 0;
  const tax_total = tax.inclusive ? 0 : taxAmount;
  const grand_total = goods + signup_fee - discount_total + shipping_total + fee_total + tax_total;
  if (grand_total > largestAmount) {
    return invalid('quantity', 'makes a total that is out of range');
  }
  const lines: PriceLine[] = [
    { kind: 'product', label: product.title, amount: subtotal },
    ...variants.map(({ label, extra_price }) => ({
      kind: 'variant' as const,
      label,
      amount: extra_price * quantity,
    })),
    ...(signup_fee ? [{ kind: 'signup' as const, label: 'Sign-up', amount: signup_fee }] : []),
    ...(cart.coupon && discount_total > 0
      ? [{ kind: 'discount' as const, label: cart.coupon.coupon.code, amount: -discount_total }]
      : []),
    ...(shipping
      ? [{ kind: 'shipping' as const, label: shipping.label, amount: shipping.cost }]
      : []),
    ...(fee_total
      ? [{ kind: 'fee' as const, label: 'Payment on delivery', amount: fee_total }]
      : []),
    ...(tax.enabled
      ? [
          {
            kind: 'tax' as const,
            label: `Tax ${tax.rate}%`,
            amount: taxAmount,
            ...(tax.inclusive && { included: true as const }),
          },
        ]
      : []),
  ];
  return {
    lines,
    variants,
    totals: {
      unit_price,
      subtotal,
      variant_total,
      signup_fee,
      discount_total,
      shipping_total,
      fee_total,
      tax_total,
      grand_total,
    },
  };
}

/** A price with the coupon where it applies, and why it doesn't where it doesn't. */
export interface CouponedPrice {
  readonly price: Price;
  readonly couponRefusal: CouponRefusal | undefined;
}

/** What trying a coupon on a cart needs to know beside the cart. */
export type CouponTrial = { readonly row: CouponRow | undefined } & Omit<
  CouponUse,
  'product_id' | 'goods'
>;

/** Prices a cart with a coupon that is tried on it; without one where the trial is undefined. */
export function priceWithCoupon(
  cart: Omit<Cart, 'coupon'>,
  trial: CouponTrial | undefined,
): CouponedPrice | PricingRefusal {
  const plain = priceCart(cart);
  if (isRefusal(plain) || !trial) {
    return isRefusal(plain) ? plain : { price: plain, couponRefusal: undefined };
  }
  const goods = plain.totals.subtotal + plain.totals.variant_total;
  const refused = couponRefusal(trial.row, { ...trial, product_id: cart.product.id, goods });
  if (refused) return { price: plain, couponRefusal: refused };
  const price = priceCart({ ...cart, coupon: trial.row });
  return isRefusal(price) ? price : { price, couponRefusal: undefined };
}

function refusedQuantity({ product, quantity }: Cart): string | undefined {
  if (quantity > 1 && !product.enable_quantity) return 'this product is sold one at a time';
  if (product.max_quantity !== null && quantity > product.max_quantity) {
    return `must be ${product.max_quantity} at most`;
  }
  return undefined;
}

/** The chosen options, one of each group at most and one of each required group. */
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

function chosenShipping(
  { product, quantity, optionIds, shipping, coupon }: Cart,
  subtotal: number,
) {
  if (!shipping) return undefined;
  const quote = shippingQuotes(product, {
    quantity,
    variants: optionIds.join(','),
    country: shipping.country,
    subtotal,
  }).find(({ id }) => id === shipping.option_id);
  if (quote && coupon && termsOf(coupon).discount.free_shipping) return { ...quote, cost: 0 };
  return quote ?? invalid('shipping.option_id', 'is not a way to ship this product there');
}
