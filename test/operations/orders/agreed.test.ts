import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { Order } from '../../../src/domain/order/schemas.ts';
import { runs } from '../../harness/long.ts';
import { useAffiliateStore } from '../../harness/affiliates.ts';
import { expectIntegrity } from '../../harness/integrity.ts';

const stage = useAffiliateStore();

afterAll(() => expectIntegrity(stage.at.fixture));

const edit = async (path: string, body: object) => {
  const reply = await stage.at.fixture.api.patch(path, body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body.data;
};

const quantity = (order: { id: number }, count: number): Promise<Order> =>
  edit(`/orders/${order.id}`, { quantity: count });

const newCoupon = async (code: string, fields: object) => {
  const reply = await stage.at.fixture.api.post('/coupons', { code, ...fields });
  expect(reply.status).toBe(201);
  return reply.body.data as { id: number };
};

describe('A change of quantity uses the agreed terms:', () => {
  test('the tax of the order, whatever the product has today', async () => {
    const { fixture } = stage.at;
    const tax = { enabled: true, rate: 10, inclusive: false };
    const product = await fixture.newProduct({ price: 100_000, tax });
    const order = await fixture.newOrder({ product_id: product.id });
    await edit(`/products/${product.id}`, { price: 300_000, tax: { rate: 20 } });
    expect(await quantity(order, 2)).toMatchObject({ tax_total: 20_000, grand_total: 220_000 });
  });

  test('the commissions exclude the tax of the order', async () => {
    const { at } = stage;
    const inclusive = { enabled: true, rate: 25, inclusive: true };
    for (const [agreed, today, base] of [
      [inclusive, { enabled: false }, 160_000],
      [{ enabled: false }, inclusive, 200_000],
    ] as const) {
      const product = await at.newCourse({ hold_days: 0 }, { tax: agreed });
      const order = await at.sell(product);
      await edit(`/products/${product.id}`, { tax: today });
      await quantity(order, 2);
      await at.change(order, { status: 'completed' });
      const earned = (await at.ledger(order)).reduce((sum, row) => sum + row.commission, 0);
      expect(earned).toBe(base * 0.35);
      // The order can be assigned to another affiliate, who earns by the same rates.
      const [seller, other] = [await at.fixture.newAffiliate(), await at.fixture.newAffiliate()];
      const moved = await at.fixture.newOrder({ product_id: product.id, affiliate_id: seller.id });
      const theirs = await at.ledger(moved);
      await edit(`/products/${product.id}`, { tax: agreed });
      await at.change(moved, { affiliate_id: other.id });
      const [row] = (await at.ledger(moved)).filter(
        ({ affiliate_id }) => affiliate_id === other.id,
      );
      expect(row?.base_amount).toBe(theirs[0]?.base_amount);
    }
  });

  test('its shipping option, even if the product no longer has it', async () => {
    const { fixture } = stage.at;
    const option = { id: 'post', courier: 'Post', cost: 1000, per_kg: 1000 };
    const product = await fixture.newProduct({
      type: 'physical',
      shipping: { active: true, weight_g: 1000, options: [option] },
    });
    const ordered = { product_id: product.id, shipping: { option_id: 'post' } };
    const order = await fixture.newOrder(ordered);
    expect(order.shipping_total).toBe(2000);
    const dear = { weight_g: 5000, options: [{ ...option, cost: 9000, per_kg: 9000 }] };
    await edit(`/products/${product.id}`, { shipping: dear });
    expect(await quantity(order, 2)).toMatchObject({
      shipping_total: 3000,
      shipping: { cost: 3000, option_id: 'post' },
    });
    await edit(`/products/${product.id}`, { shipping: { active: false, options: [] } });
    expect(await quantity(order, 3)).toMatchObject({ shipping_total: 4000 });
  });

  test('the discount of its coupon, and the goods value that the coupon needs', async () => {
    const { fixture } = stage.at;
    const product = await fixture.newProduct({ price: 100_000 });
    const coupon = await newCoupon('AGREED', {
      discount: { value: 10, type: 'percentage' },
      rule: { minimum_amount: 200_000, max_discount: 25_000 },
    });
    const order = await fixture.newOrder({
      product_id: product.id,
      quantity: 3,
      coupon_code: 'AGREED',
    });
    expect(order.discount_total).toBe(25_000);
    const changed = { status: 'pending', discount: { value: 50 }, rule: { minimum_amount: 0 } };
    await edit(`/coupons/${coupon.id}`, changed);
    expect(await quantity(order, 2)).toMatchObject({
      discount_total: 20_000,
      grand_total: 180_000,
    });
    const few = await fixture.api.patch(`/orders/${order.id}`, { quantity: 1 });
    expect(few).toMatchObject({ status: 409, body: { code: 'coupon_min_amount' } });
  });
});

const amount = fc.integer({ min: 0, max: 50_000 });
/** Not 0: an edit that makes a quantity free is refused. */
const fee = fc.integer({ min: 1, max: 50_000 });
const percent = fc.integer({ min: 0, max: 1_000_000 }).map((n) => n / 10_000);

const parts = fc.record({
  price: fc.integer({ min: 500, max: 50_000 }),
  tax: fc.record({ enabled: fc.boolean(), rate: percent, inclusive: fc.boolean() }),
  cod: fc.record({ active: fc.constant(true), fee }),
  variants: amount.map((extra_price) => [
    { id: 'size', label: 'Size', options: [{ id: 'l', label: 'L', extra_price }] },
  ]),
  shipping: fc.record({
    active: fc.constant(true),
    free: fc.boolean(),
    weight_g: fc.nat(3000),
    options: fc
      .record({ cost: amount, per_kg: amount, free_above: fc.option(fc.nat(200_000)) })
      .map((its) => [{ id: 'post', courier: 'Post', cod: true, ...its }]),
  }),
});

const discount = fc.oneof(
  fc.record({
    type: fc.constant('percentage'),
    value: percent,
    free_shipping: fc.boolean(),
    usage: fc.constant('total'),
  }),
  fc.record({
    type: fc.constant('fixed'),
    value: fc.nat(60_000),
    free_shipping: fc.boolean(),
    usage: fc.constantFrom('per_item', 'total'),
  }),
);
const deal = fc.record({ discount, rule: fc.record({ max_discount: fc.nat(30_000) }) });

const step = fc.oneof(
  fc.record({ kind: fc.constant('product' as const), body: parts }),
  fc.record({ kind: fc.constant('coupon' as const), body: deal }),
  fc.record({ kind: fc.constant('quantity' as const), body: fc.integer({ min: 1, max: 30 }) }),
);

const figures = (order: Order) => [
  ...[order.unit_price, order.subtotal, order.variant_total, order.discount_total],
  ...[order.shipping_total, order.fee_total, order.tax_total, order.grand_total],
];

test('after any edits of product and coupon an order costs what its agreed terms say', async () => {
  const { at } = stage;
  const { fixture } = at;
  let serial = 0;
  const { id: buyer } = await fixture.newUser();
  const scenario = fc.tuple(parts, deal, fc.array(step, { minLength: 1, maxLength: 8 }));
  await fc.assert(
    fc.asyncProperty(scenario, async ([offered, its, steps]) => {
      const last = steps.findLast(({ kind }) => kind === 'quantity')?.body as number | undefined;
      const code = `DEAL-${++serial}`;
      const product = await at.newCourse({ hold_days: 0 }, { type: 'physical', ...offered });
      const coupon = await newCoupon(code, its);
      const ordered = {
        product_id: product.id,
        user_id: buyer,
        coupon_code: code,
        payment_gateway: 'cod',
        variants: ['l'],
        shipping: { option_id: 'post' },
        affiliate_id: at.seller.id,
      };
      // A new order of the last quantity on the same terms.
      const fresh = await fixture.newOrder({ ...ordered, quantity: last ?? 1 });
      const order = await fixture.newOrder(ordered);
      // A coupon without a discount for one unit is not agreed for more.
      fc.pre(order.coupon_code === fresh.coupon_code);
      await edit(`/orders/${order.id}`, { status: 'on-hold' });
      for (const { kind, body } of steps) {
        if (kind === 'quantity') await quantity(order, body);
        else if (kind === 'product') await edit(`/products/${product.id}`, body);
        else await edit(`/coupons/${coupon.id}`, body);
      }
      expect(figures(await fixture.order(order.id))).toEqual(figures(fresh));
      const sums = async (sold: Order) => {
        const rows = await at.ledger(sold);
        const ofTier = (n: number) => rows.filter(({ tier }) => tier === n);
        return [1, 2, 3].map((n) => ofTier(n).reduce((sum, row) => sum + row.commission, 0));
      };
      expect(await sums(order)).toEqual(await sums(fresh));
    }),
    { numRuns: runs(25) },
  );
}, 120_000);

describe('A total that becomes due by transfer', () => {
  test('gets a code: after a change of the gateway, of the total, or of both', async () => {
    const { fixture } = stage.at;
    await fixture.set('unique_code_enabled', true);
    try {
      const cod = { active: true, fee: 0 };
      const { id: product_id } = await fixture.newProduct({ type: 'physical', cod });
      const free = async (payment_gateway: string) => {
        const order = await fixture.newOrder({ product_id, payment_gateway });
        return edit(`/orders/${order.id}`, { status: 'on-hold', grand_total: 0 });
      };
      const both = await free('cod');
      const said = { payment_gateway: 'manual', grand_total: 18_929 };
      const paid = await edit(`/orders/${both.id}`, said);
      expect(paid).toMatchObject(said);
      expect(paid.unique_code).toBeGreaterThan(0);
      const total = await free('manual');
      expect(total.unique_code).toBe(0);
      const raised = await edit(`/orders/${total.id}`, { grand_total: 18_930 });
      expect(raised.grand_total).toBe(18_930);
      expect(raised.unique_code).toBeGreaterThan(0);
      const taken = await fixture.api.patch(`/orders/${total.id}`, { grand_total: 18_929 });
      expect(taken).toMatchObject({ status: 409, body: { code: 'transfer_figure_taken' } });
      // Two orders may both cost nothing.
      await free('manual');
    } finally {
      await fixture.set('unique_code_enabled', false);
    }
  });
});
