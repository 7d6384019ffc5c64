import type { OrderVariant } from '../../db/schema/orders.ts';
import { type Refusal, refuse } from '../../http/errors.ts';
import { percentOf, taxWithin } from '../../lib/money.ts';
import { type ProductRow, shippingQuotes } from '../products/rules.ts';

/** What is to be priced. */
export interface Cart {
  readonly product: ProductRow['product'];
  readonly quantity: number;
  /** Ids of the chosen variant options. */
  readonly optionIds: readonly string[];
  readonly shipping?: { option_id: string; country?: string | undefined } | undefined;
  /** Paid on delivery: the product's fee for it is added. */
  readonly cod: boolean;
}

/** A line of a price; discounts are negative, tax with `included` is not summed. */
export interface PriceLine {
  readonly kind: 'product' | 'variant' | 'shipping' | 'fee' | 'tax';
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
  const subtotal = product.price * quantity;
  const variant_total = variants.reduce((sum, { extra_price }) => sum + extra_price, 0) * quantity;
  const goods = subtotal + variant_total;
  if (goods < 0 || !Number.isSafeInteger(goods * 1000)) {
    return invalid('quantity', 'makes a total that is out of range');
  }
  const shipping = chosenShipping(cart, goods);
  if (shipping && 'refused' in shipping) return shipping;
  const fee_total = cart.cod ? product.cod.fee : 0;
  const { tax } = product;
  const taxAmount = !tax.enabled
    ? 0
    : tax.inclusive
      ? taxWithin(goods, tax.rate)
      : percentOf(goods, tax.rate);
  const shipping_total = shipping?.cost ?? 0;
  const tax_total = tax.inclusive ? 0 : taxAmount;
  const lines: PriceLine[] = [
    { kind: 'product', label: product.title, amount: subtotal },
    ...variants.map(({ label, extra_price }) => ({
      kind: 'variant' as const,
      label,
      amount: extra_price * quantity,
    })),
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
      unit_price: product.price,
      subtotal,
      variant_total,
      shipping_total,
      fee_total,
      tax_total,
      grand_total: goods + shipping_total + fee_total + tax_total,
    },
  };
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

function chosenShipping({ product, quantity, optionIds, shipping }: Cart, subtotal: number) {
  if (!shipping) return undefined;
  const quote = shippingQuotes(product, {
    quantity,
    variants: optionIds.join(','),
    country: shipping.country,
    subtotal,
  }).find(({ id }) => id === shipping.option_id);
  return quote ?? invalid('shipping.option_id', 'is not a way to ship this product there');
}
