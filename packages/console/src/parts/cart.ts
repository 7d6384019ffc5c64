import type { Cart, CouponRule, Product } from '../api/generated.ts';

/** A buyer's choices of a product. */
export interface Choices {
  readonly quantity: number;
  /** Ids of options by the id of their group; empty for none. */
  readonly chosen: Readonly<Record<string, string>>;
  readonly shipping: string;
  readonly coupon: string;
}

/** Makes the required choices. */
export const firstChoices = ({ variants, shipping }: Product, coupon = ''): Choices => ({
  quantity: 1,
  chosen: Object.fromEntries(
    variants.map(({ id, required, options }) => [
      id,
      (required && options.find(({ active }) => active)?.id) || '',
    ]),
  ),
  shipping: (shipping.active && shipping.options[0]?.id) || '',
  coupon,
});

export const cartOf = ({ id, variants, shipping }: Product, choices: Choices): Cart => {
  const country = shipping.options.find((option) => option.id === choices.shipping)?.countries[0];
  return {
    product_id: id,
    quantity: choices.quantity,
    variants: variants.flatMap((group) => choices.chosen[group.id] || []),
    ...(choices.shipping && { shipping_option_id: choices.shipping }),
    ...(country && { country }),
    ...(choices.coupon && { coupon: choices.coupon }),
  };
};

const isOnSale = ({ enable_sale, disable_sale_time, stock }: Product, now: Date) =>
  enable_sale &&
  stock !== 0 &&
  (disable_sale_time === null || Date.parse(disable_sale_time) > now.getTime());

/** The first product that a coupon applies to, if possible one that can be bought now. */
export function firstWith(
  { apply_only, cant_apply }: CouponRule,
  products: readonly Product[],
  now: Date,
): Product | undefined {
  const fitting = products.filter(
    ({ id }) => (apply_only.length === 0 || apply_only.includes(id)) && !cant_apply.includes(id),
  );
  return fitting.find((product) => isOnSale(product, now)) ?? fitting[0] ?? products[0];
}
