import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { runs } from '../../harness/long.ts';
import type { ApiClient } from '../../harness/client.ts';
import { useStore } from '../../harness/store.ts';

const opened = useStore();
let api: ApiClient;
let buyer: number;
let serial = 0;

const created = async (path: string, body: object) => {
  const reply = await api.post(path, body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body.data;
};

beforeAll(async () => {
  api = await opened.store.key();
  buyer = (await created('/users', { email: 'buyer@x.example' })).id;
});

const product = fc.record({
  title: fc.constant('Anything'),
  price: fc.integer({ min: 0, max: 1_000_000 }),
  type: fc.constant('physical'),
  tax: fc.record({
    enabled: fc.boolean(),
    rate: fc.integer({ min: 0, max: 1_000_000 }).map((n) => n / 10_000),
    inclusive: fc.boolean(),
  }),
  cod: fc.record({ active: fc.constant(true), fee: fc.nat(5000) }),
  variants: fc.constant([
    {
      id: 'size',
      label: 'Size',
      options: [
        { id: 's', label: 'S' },
        { id: 'l', label: 'L', extra_price: 333 },
      ],
    },
  ]),
  shipping: fc.record({
    active: fc.constant(true),
    weight_g: fc.nat(3000),
    options: fc.tuple(
      fc.record({
        id: fc.constant('post'),
        courier: fc.constant('Post'),
        cod: fc.constant(true),
        cost: fc.nat(9000),
        per_kg: fc.nat(900),
        free_above: fc.option(fc.nat(2_000_000)),
      }),
    ),
  }),
});

const discount = fc.oneof(
  fc.record({
    type: fc.constant('percentage'),
    value: fc.integer({ min: 0, max: 1_000_000 }).map((n) => n / 10_000),
    free_shipping: fc.boolean(),
  }),
  fc.record({
    type: fc.constant('fixed'),
    value: fc.nat(3_000_000),
    usage: fc.constantFrom('per_item', 'total'),
    free_shipping: fc.boolean(),
  }),
);

const cart = fc.record({
  product,
  coupon: fc.option(fc.record({ discount, max_discount: fc.nat(50_000) })),
  quantity: fc.integer({ min: 1, max: 40 }),
  variant: fc.constantFrom('s', 'l'),
  shipped: fc.boolean(),
  cod: fc.boolean(),
});

type Line = { amount: number; included?: true };

test('the lines sum to the total, no discount is more than the goods, and quote and order agree', async () => {
  await fc.assert(
    fc.asyncProperty(cart, async (wanted) => {
      const { id: product_id } = await created('/products', wanted.product);
      const code = `P-${++serial}`;
      if (wanted.coupon) {
        const { discount: its, max_discount } = wanted.coupon;
        await created('/coupons', { code, discount: its, rule: { max_discount } });
      }
      const query = new URLSearchParams({
        product_id: String(product_id),
        user_id: String(buyer),
        quantity: String(wanted.quantity),
        variants: wanted.variant,
        ...(wanted.shipped && { shipping_option_id: 'post' }),
        ...(wanted.coupon && { coupon: code }),
        payment_gateway: wanted.cod ? 'cod' : 'manual',
      });
      const { data: quote } = (await api.get(`/checkout/quote?${query.toString()}`)).body;
      const summed = (quote.lines as Line[])
        .filter(({ included }) => !included)
        .reduce((sum, { amount }) => sum + amount, 0);
      expect(summed).toBe(quote.grand_total);
      expect(quote.grand_total).toBeGreaterThanOrEqual(0);
      expect(quote.discount_total).toBeLessThanOrEqual(quote.subtotal + quote.variant_total);
      const order = await created('/orders', {
        product_id,
        user_id: buyer,
        quote_token: quote.quote_token,
      });
      for (const name of [
        'subtotal',
        'variant_total',
        'discount_total',
        'shipping_total',
        'fee_total',
        'tax_total',
        'grand_total',
      ]) {
        expect(order[name], name).toBe(quote[name]);
      }
    }),
    { numRuns: runs(40) },
  );
});
