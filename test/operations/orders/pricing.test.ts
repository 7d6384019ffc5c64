import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { priceCart } from '../../../src/domain/pricing/price.ts';
import { largestAmount } from '../../../src/lib/money.ts';
import type { Order } from '../../../src/domain/order/schemas.ts';
import { newProduct } from '../../../src/domain/product/rules.ts';
import { useShop } from '../../harness/shop.ts';

const opened = useShop();

/** Places an order of a new product by a new user. */
async function place(product: object, order: object = {}) {
  const { shop } = opened;
  const { id } = await shop.newProduct(product);
  const user = await shop.newUser();
  return shop.api.post('/orders', { product_id: id, user_id: user.id, ...order });
}

async function placed(product: object, order: object = {}): Promise<Order> {
  const reply = await place(product, order);
  expect(reply.status).toBe(201);
  return reply.body.data;
}

/** Expects a 400 that names the parameter. */
async function expectRefused(
  product: object,
  order: object,
  param: string,
  code = 'rest_invalid_param',
) {
  const reply = await place(product, order);
  expect(reply).toMatchObject({ status: 400, body: { code } });
  expect(reply.body.data.params).toHaveProperty([param]);
}

const sizes = [
  {
    id: 'size',
    label: 'Size',
    options: [
      { id: 'small', label: 'Small' },
      { id: 'large', label: 'Large', extra_price: 700, extra_weight: 600 },
      { id: 'huge', label: 'Huge', extra_price: 900, active: false },
    ],
  },
  {
    id: 'wrap',
    label: 'Wrapping',
    required: false,
    options: [{ id: 'gift', label: 'Gift', extra_price: -100 }],
  },
];

describe('Variants', () => {
  test('are kept with the order as they were sold, and priced each', async () => {
    const variants = ['gift', 'large'];
    const order = await placed({ price: 5000, variants: sizes }, { variants, quantity: 3 });
    expect(order).toMatchObject({
      unit_price: 5000,
      subtotal: 15_000,
      variant_total: 1800,
      grand_total: 16_800,
      variants: [
        { group: 'size', option_id: 'large', label: 'Large', extra_price: 700, extra_weight: 600 },
        { group: 'wrap', option_id: 'gift', label: 'Gift', extra_price: -100, extra_weight: 0 },
      ],
    });
  });

  test.each([
    ['a required group is missing', ['gift'], 'variant_required'],
    ['nothing is chosen', undefined, 'variant_required'],
    ['the option is not active', ['huge'], 'variant_required'],
    ['two are of one group', ['small', 'large'], 'rest_invalid_param'],
    ['one is unknown', ['small', 'blue'], 'rest_invalid_param'],
  ])('are refused when %s', async (_, variants, code) => {
    await expectRefused({ variants: sizes }, { variants }, 'variants', code);
  });

  test('may be named like a part of the language', async () => {
    const options = ['constructor', '__proto__', 'toString'].map((id) => ({ id, label: id }));
    const product = { stock: 3, variants: [{ id: 'name', label: 'Name', options }] };
    const order = await placed(product, { variants: ['constructor'] });
    expect(order.variants).toMatchObject([{ option_id: 'constructor' }]);
  });
});

describe('Quantity', () => {
  test('is one by default, and limited by the product', async () => {
    expect((await placed({})).quantity).toBe(1);
    await expectRefused({ enable_quantity: false }, { quantity: 2 }, 'quantity');
    await expectRefused({ max_quantity: 4 }, { quantity: 5 }, 'quantity');
    expect((await placed({ max_quantity: 4 }, { quantity: 4 })).subtotal).toBe(60_000);
  });

  test('of a subscription is one, unless it issues licences', async () => {
    const subscription = { active: true };
    await expectRefused({ subscription }, { quantity: 2 }, 'quantity');
    const { shop } = opened;
    const plain = await shop.newProduct({ subscription });
    const cart = { product_id: plain.id, quantity: 2 };
    const quote = await shop.api.get(`/checkout/quote?product_id=${plain.id}&quantity=2`);
    for (const reply of [await shop.api.post('/checkout/calculate', cart), quote]) {
      expect(reply).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
      expect(reply.body.data.params.quantity).toContain('one at a time');
    }
    const { id } = await shop.newOrder({ product_id: plain.id });
    expect((await shop.api.patch(`/orders/${id}`, { quantity: 2 })).status).toBe(400);
    const license = { active: true, count: 1 };
    const order = await placed({ subscription, license }, { quantity: 2, status: 'completed' });
    const { body } = await shop.api.get(`/licenses?order_id=${order.id}`);
    expect(body.data).toHaveLength(2);
  });

  test('may not make amounts below nothing', async () => {
    const order = { variants: ['small', 'gift'], quantity: 2 };
    await expectRefused({ price: 99, variants: sizes }, order, 'quantity');
    expect((await placed({ price: 100, variants: sizes }, order)).grand_total).toBe(0);
  });

  test('may not make amounts beyond what is counted exactly', async () => {
    const price = largestAmount;
    await expectRefused({ price }, { quantity: 2 }, 'quantity');
    const options = [{ id: 'less', label: 'Less', extra_price: -price }];
    const variants = [{ id: 'a', label: 'A', options }];
    await expectRefused({ price, variants }, { quantity: 3, variants: ['less'] }, 'quantity');
    const option = { id: 'heavy', courier: 'JNE', cost: 0, per_kg: price };
    const shipping = { active: true, weight_g: 1000, options: [option] };
    const parcel = { shipping: { option_id: 'heavy' }, quantity: 3 };
    await expectRefused({ type: 'physical', shipping }, parcel, 'quantity');
    const cod = { active: true, fee: price };
    await expectRefused({ type: 'physical', cod }, { payment_gateway: 'cod' }, 'quantity');
  });
});

const parcel = {
  type: 'physical',
  price: 4000,
  variants: sizes,
  shipping: {
    active: true,
    weight_g: 500,
    options: [
      { id: 'reg', courier: 'JNE', service: 'REG', cost: 1000, per_kg: 300, free_above: 20_000 },
      { id: 'local', courier: 'GoSend', cost: 200, countries: ['ID', 'SG'] },
    ],
  },
};

describe('Shipping', () => {
  test('is priced by the server: a flat part, and each started kilogram', async () => {
    const shipping = { option_id: 'reg', cost: 1, receiver: 'Bo', phone: '0812', country: 'ID' };
    const order = await placed(parcel, { variants: ['large'], quantity: 2, shipping });
    // Twice 500 g + 600 g are 2.2 kg: three started kilograms.
    expect(order).toMatchObject({
      shipping_total: 1900,
      grand_total: 2 * 4700 + 1900,
      shipping: {
        option_id: 'reg',
        courier: 'JNE',
        service: 'REG',
        cost: 1900,
        receiver: 'Bo',
        phone: '0812',
        country: 'ID',
        tracking_number: '',
      },
    });
  });

  test('costs what the shipping options say', async () => {
    const { shop } = opened;
    const { id } = await shop.newProduct(parcel);
    const query = 'quantity=2&variants=large&country=ID';
    const { body } = await shop.api.get(`/products/${id}/shipping-options?${query}`);
    expect(body.data).toMatchObject([
      { id: 'reg', label: 'JNE REG', cost: 1900, currency: 'USD', free_reason: null },
      { id: 'local', label: 'GoSend', cost: 200, free_reason: null },
    ]);
    for (const { id: option_id, cost } of body.data) {
      const choice = { variants: ['large'], quantity: 2, shipping: { option_id, country: 'ID' } };
      expect((await shop.newOrder({ product_id: id, ...choice })).shipping_total).toBe(cost);
    }
  });

  test('is free from a goods value on, variants included, or for a product', async () => {
    const shipping = { option_id: 'reg' };
    const almost = await placed(parcel, { variants: ['large'], quantity: 4, shipping });
    expect(almost).toMatchObject({ subtotal: 16_000, variant_total: 2800, shipping_total: 2500 });
    const enough = await placed(parcel, { variants: ['small'], quantity: 5, shipping });
    expect(enough).toMatchObject({ subtotal: 20_000, shipping_total: 0, grand_total: 20_000 });
    const free = { ...parcel, shipping: { ...parcel.shipping, free: true } };
    const order = await placed(free, { variants: ['small'], shipping });
    expect(order).toMatchObject({ shipping_total: 0, shipping: { option_id: 'reg', cost: 0 } });
  });

  test('may be left out of a physical order, which then ships for nothing', async () => {
    const order = await placed(parcel, { variants: ['small'] });
    expect(order).toMatchObject({ shipping: null, shipping_total: 0, grand_total: 4000 });
  });

  test('takes an option of the product that goes to the country', async () => {
    const variants = ['small'];
    for (const shipping of [{ option_id: 'air' }, { option_id: 'local', country: 'MY' }]) {
      await expectRefused(parcel, { variants, shipping }, 'shipping.option_id');
    }
    const digital = { ...parcel, type: 'digital' };
    await expectRefused(
      digital,
      { variants, shipping: { option_id: 'reg' } },
      'shipping.option_id',
    );
  });
});

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
    const { shop } = opened;
    const account = { id: 'BCA', bank: 'BCA', owner: 'Store', account_number: '1' };
    await shop.set('manual_accounts', JSON.stringify([account]));
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

  test('of nothing is done at once: what is digital completes, goods still have to go', async () => {
    const { shop } = opened;
    const at = shop.store.clock.now().toISOString();
    const free = { payment_gateway: 'free', payment_status: 'paid', paid_at: at, expires_at: null };
    const digital = await placed({ price: 0 }, { payment_gateway: 'manual' });
    expect(digital).toMatchObject({ status: 'completed', completed_at: at, ...free });
    const physical = await placed({ price: 0, type: 'physical' });
    expect(physical).toMatchObject({ status: 'in-progress', completed_at: null, ...free });
    expect((await shop.order(digital.id)).history).toMatchObject([{ from: null, to: 'completed' }]);
  });
});

describe('Tax', () => {
  test.each([
    // price, quantity, rate, tax: half a unit is rounded up, once for the whole line
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

  test('in the price is shown as a line and not added', async () => {
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

test('the total of any cart is the exact sum of its parts, and each part what was agreed', async () => {
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
    { numRuns: 50 },
  );
});

/** amount × rate %, the half rounded up, by another way than the service's. */
function halfUp(amount: number, rate: number): number {
  const millionths = BigInt(amount) * BigInt((rate * 10_000).toFixed(0));
  const rest = millionths % 1_000_000n;
  return Number(millionths / 1_000_000n) + (rest * 2n >= 1_000_000n ? 1 : 0);
}
