import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../harness/long.ts';
import { priceCart } from '../../../src/domain/pricing/price.ts';
import { newProduct } from '../../../src/domain/product/rules.ts';
import { parcel, usePlacing } from './stage.ts';

const { opened, place, placed, expectRefused } = usePlacing();

describe('Payment', () => {
  const cod = { type: 'physical', price: 4000, cod: { active: true, fee: 250 } };

  test('on delivery adds its fee and starts the order at once, unpaid', async () => {
    const order = await placed(cod, { payment_gateway: 'cod', quantity: 2 });
    expect(order).toMatchObject({
      status: 'in-progress',
      payment_status: 'unpaid',
      paid_at: null,
      expires_at: null,
      payment_gateway: 'cod',
      fee_total: 250,
      grand_total: 8250,
    });
    expect((await placed(cod)).fee_total).toBe(0);
  });

  test('can pick one of the accounts of the store', async () => {
    const { fixture } = opened;
    const account = { id: 'BCA', bank: 'BCA', owner: 'Store', account_number: '1' };
    await fixture.set('manual_accounts', JSON.stringify([account]));
    expect((await placed({}, { payment_gateway: 'manual:BCA' })).payment_gateway).toBe(
      'manual:BCA',
    );
    await expectRefused({}, { payment_gateway: 'manual:BNI' }, 'payment_gateway');
  });

  test.each([
    ['on delivery of nothing', {}, 'cod'],
    ['on delivery where the product has no such thing', { type: 'physical' }, 'cod'],
    ['on delivery to an account', cod, 'cod:BCA'],
    ['with nothing for something', {}, 'free'],
    ['by a gateway the store does not have', {}, 'paypal'],
  ])('is refused %s', async (_, product, payment_gateway) => {
    await expectRefused(product, { payment_gateway }, 'payment_gateway');
  });

  test('of nothing completes a digital order at once, while goods still have to be shipped', async () => {
    const { fixture } = opened;
    const at = fixture.store.clock.now().toISOString();
    const free = { payment_gateway: 'free', payment_status: 'paid', paid_at: at, expires_at: null };
    const digital = await placed({ price: 0 }, { payment_gateway: 'manual' });
    expect(digital).toMatchObject({ status: 'completed', completed_at: at, ...free });
    const physical = await placed({ price: 0, type: 'physical' });
    expect(physical).toMatchObject({ status: 'in-progress', completed_at: null, ...free });
    expect((await fixture.order(digital.id)).history).toMatchObject([
      { from: null, to: 'completed' },
    ]);
  });
});

describe('Tax', () => {
  test.each([
    // Price, quantity, rate, tax: half a unit is rounded up, once for the whole line.
    [5, 1, 10, 1],
    [4, 1, 10, 0],
    [15, 1, 10, 2],
    [15, 3, 10, 5],
    [1000, 1, 11.1115, 111],
    [100_000, 1, 0.0005, 1],
  ])('on %i × %i at %d percent is %i on top', async (price, quantity, rate, tax_total) => {
    const tax = { enabled: true, rate, inclusive: false };
    const order = await placed({ price, tax }, { quantity });
    expect(order).toMatchObject({ tax_total, grand_total: price * quantity + tax_total });
  });

  test('that prices include is shown as a line and not added', async () => {
    const tax = { enabled: true, rate: 11, inclusive: true };
    const order = await placed({ price: 1000, tax }, { quantity: 2 });
    expect(order).toMatchObject({ subtotal: 2000, tax_total: 0, grand_total: 2000 });
    const { product } = newProduct({ title: 'Course', price: 1000, tax }, 1, 'USD', new Date());
    // 2000 × 11 / 111 = 198.198…
    expect(priceCart({ product, quantity: 2, optionIds: [], cod: false })).toMatchObject({
      lines: [
        { kind: 'product', amount: 2000 },
        { kind: 'tax', amount: 198, included: true },
      ],
    });
  });

  test('never concerns shipping or fees, and can be off', async () => {
    const tax = { enabled: true, rate: 10, inclusive: false };
    const order = await placed(
      { ...parcel, tax },
      { variants: ['small'], shipping: { option_id: 'reg' } },
    );
    expect(order).toMatchObject({ tax_total: 400, shipping_total: 1300, grand_total: 5700 });
    expect((await placed({ tax: { ...tax, enabled: false } })).tax_total).toBe(0);
  });
});

const amount = (max: number) => fc.integer({ min: 0, max });
const cart = fc.record({
  price: amount(2_000_000),
  extras: fc.array(fc.integer({ min: -1000, max: 5000 }), { maxLength: 3 }),
  quantity: fc.integer({ min: 1, max: 50 }),
  rate: fc.integer({ min: 0, max: 1_000_000 }).map((n) => n / 10_000),
  tax: fc.constantFrom('none', 'on top', 'in the price'),
  weight: amount(3000),
  option: fc.option(
    fc.record({ cost: amount(9000), per_kg: amount(900), free_above: amount(9e6) }),
  ),
  fee: fc.option(amount(700)),
});

test('the total of any cart is the exact sum of its parts, and each part has the agreed amount', async () => {
  await fc.assert(
    fc.asyncProperty(cart, async ({ price, extras, quantity, rate, tax, weight, option, fee }) => {
      const goods = (price + extras.reduce((a, b) => a + b, 0)) * quantity;
      fc.pre(goods >= 0);
      const reply = await place(
        {
          type: 'physical',
          price,
          tax: { enabled: tax !== 'none', rate, inclusive: tax === 'in the price' },
          variants: extras.map((extra_price, i) => ({
            id: `g${i}`,
            label: `Group ${i}`,
            options: [{ id: `o${i}`, label: 'Option', extra_price }],
          })),
          shipping: {
            active: true,
            weight_g: weight,
            options: option ? [{ id: 'only', courier: 'JNE', cod: true, ...option }] : [],
          },
          cod: { active: fee !== null, fee: fee ?? 0 },
        },
        {
          quantity,
          variants: extras.map((_, i) => `o${i}`),
          ...(option && { shipping: { option_id: 'only' } }),
          ...(fee !== null && { payment_gateway: 'cod' }),
        },
      );
      const kilograms = Math.ceil((weight * quantity) / 1000);
      const parts = {
        subtotal: price * quantity,
        variant_total: goods - price * quantity,
        shipping_total:
          option && goods < option.free_above ? option.cost + option.per_kg * kilograms : 0,
        fee_total: fee ?? 0,
        tax_total: tax === 'on top' ? halfUp(goods, rate) : 0,
      };
      const grand_total = Object.values(parts).reduce((sum, part) => sum + part, 0);
      expect(reply).toMatchObject({
        status: 201,
        body: { data: { ...parts, grand_total, net_total: grand_total, unit_price: price } },
      });
    }),
    { numRuns: runs(50) },
  );
});

/** amount × rate %, rounded half up, by another computation than the service's. */
function halfUp(amount: number, rate: number): number {
  const millionths = BigInt(amount) * BigInt((rate * 10_000).toFixed(0));
  const rest = millionths % 1_000_000n;
  return Number(millionths / 1_000_000n) + (rest * 2n >= 1_000_000n ? 1 : 0);
}
