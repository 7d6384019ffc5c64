import { isRefusal } from '../../../src/kernel/errors/errors.ts';
import { type Cart, type Price, priceCart } from '../../../src/domain/pricing/price.ts';
import { product } from '../../harness/rows.ts';

export const cart = (fields: Partial<Cart> = {}): Cart => ({
  product: product(),
  quantity: 1,
  optionIds: [],
  cod: false,
  ...fields,
});

export function priced(fields: Partial<Cart> = {}): Price {
  const price = priceCart(cart(fields));
  if (isRefusal(price)) throw new Error(`It is refused: ${JSON.stringify(price)}`);
  return price;
}

export const refusal = (params: Record<string, string>, refused = 'rest_invalid_param') => ({
  refused,
  detail: { params },
});

export const option = (id: string, fields: object = {}) => ({
  id,
  label: id.toUpperCase(),
  ...fields,
});

export const sizes = [
  {
    id: 'size',
    label: 'Size',
    options: [option('s'), option('l', { extra_price: 300, extra_weight: 50 })],
  },
];

export const colours = {
  id: 'colour',
  label: 'Colour',
  required: false,
  options: [option('red', { extra_price: -100 }), option('old', { active: false })],
};

export const parcel = {
  type: 'physical' as const,
  shipping: {
    active: true,
    weight_g: 900,
    options: [
      {
        id: 'post',
        courier: 'Post',
        cost: 500,
        per_kg: 100,
        free_above: 50_000,
        countries: ['ID'],
      },
      { id: 'van', courier: 'Van', cost: 900 },
    ],
  },
};
