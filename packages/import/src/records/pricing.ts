import {
  type AgreedTerms,
  type OrderColumns,
  type OrderVariant,
  defaultParts,
  percentOf,
} from '../../../../src/exports/store.ts';

/** The parts of an order's total at its shop, in the smallest unit of its currency. */
export interface Parts {
  /** The price of the goods without variants, before the discount. */
  readonly goods: number;
  readonly signup: number;
  readonly discount: number;
  readonly shipping: number;
  readonly fee: number;
  /**
   * The amount that makes the total of a transfer unique; negative if it was subtracted. It is 0 if another open order
   * has the same total: then it is part of the adjustment.
   */
  readonly uniqueCode: number;
  /** The tax that was added to the prices. */
  readonly tax: number;
  /** The final total; its difference from the sum of the parts becomes an adjustment. */
  readonly total: number;
}

type OrderPrice = Pick<
  OrderColumns,
  | 'unit_price'
  | 'subtotal'
  | 'variant_total'
  | 'signup_fee'
  | 'discount_total'
  | 'shipping_total'
  | 'fee_total'
  | 'unique_code'
  | 'tax_total'
  | 'adjustment_total'
  | 'grand_total'
  | 'agreed'
>;

export const undivided = (total: number): Parts => ({
  goods: total,
  signup: 0,
  discount: 0,
  shipping: 0,
  fee: 0,
  uniqueCode: 0,
  tax: 0,
  total,
});

/**
 * Divides an order's total as the store does: a price an item, and a discount, tax and shipping that follow from agreed
 * terms. Any remainder, including tax rounding, becomes the adjustment, so that the total is unchanged.
 */
export function pricedAs(order: {
  readonly parts: Parts;
  readonly quantity: number;
  readonly variants: readonly Pick<OrderVariant, 'extra_price'>[];
}): OrderPrice {
  const { parts, quantity, variants } = order;
  const unit_price = Math.max(0, Math.floor(parts.goods / quantity));
  const subtotal = unit_price * quantity;
  const variant_total = variants.reduce((sum, { extra_price }) => sum + extra_price, 0) * quantity;
  const goods = subtotal + variant_total;
  const discount_total = Math.max(0, Math.min(parts.discount, goods));
  const rate = rateOf(goods - discount_total, parts.tax, quantity);
  const figures = {
    subtotal,
    variant_total,
    signup_fee: parts.signup,
    shipping_total: parts.shipping,
    fee_total: parts.fee,
    unique_code: parts.uniqueCode,
    tax_total: rate === undefined ? 0 : percentOf(goods - discount_total, rate),
  };
  const sum = Object.values(figures).reduce((total, amount) => total + amount, -discount_total);
  return {
    ...figures,
    unit_price,
    discount_total,
    adjustment_total: parts.total - sum,
    grand_total: parts.total,
    agreed: agreedTerms(discount_total, parts.shipping, rate),
  };
}

/** Tells if an order's tax is a percentage of its price; any other tax becomes part of the adjustment. */
export const keepsTax = (order: Parameters<typeof pricedAs>[0]): boolean =>
  pricedAs(order).tax_total === order.parts.tax;

function agreedTerms(discount: number, shipping: number, rate: number | undefined): AgreedTerms {
  return {
    plan: null,
    tax: rate === undefined ? defaultParts.tax : { enabled: true, rate, inclusive: false },
    shipping:
      shipping === 0
        ? null
        : { cost: shipping, per_kg: 0, free_above: null, free: false, weight_g: 0 },
    coupon:
      discount === 0
        ? null
        : {
            discount: { value: discount, type: 'fixed', usage: 'total', free_shipping: false },
            max_discount: 0,
            minimum_amount: 0,
          },
  };
}

/**
 * Returns the percentage with the fewest decimals that gives the tax exactly, or else within one unit an item, or else
 * the nearest.
 * @param items the number of items, each of which may have been rounded
 */
function rateOf(price: number, tax: number, items: number): number | undefined {
  if (price <= 0 || tax <= 0) return undefined;
  const rates = [0, 1, 2, 3, 4].map((decimals) => Number(((tax * 100) / price).toFixed(decimals)));
  const possible = rates.filter((rate) => rate > 0 && rate <= 100);
  const off = (rate: number) => Math.abs(percentOf(price, rate) - tax);
  return (
    possible.find((rate) => off(rate) === 0) ??
    possible.find((rate) => off(rate) <= items) ??
    possible.at(-1)
  );
}
