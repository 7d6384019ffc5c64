import { describe, expect, test } from 'vitest';
import { largestAmount } from '../../../src/lib/money.ts';
import { parcel, sizes, usePlacing } from './stage.ts';

const { opened, placed, expectRefused } = usePlacing();

describe('Variants', () => {
  test('are stored with the order as they were sold, each with its price', async () => {
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

  test('may be named like a JavaScript property', async () => {
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
    const { fixture } = opened;
    const plain = await fixture.newProduct({ subscription });
    const cart = { product_id: plain.id, quantity: 2 };
    const quote = await fixture.api.get(`/checkout/quote?product_id=${plain.id}&quantity=2`);
    for (const reply of [await fixture.api.post('/checkout/calculate', cart), quote]) {
      expect(reply).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
      expect(reply.body.data.params.quantity).toContain('one at a time');
    }
    const { id } = await fixture.newOrder({ product_id: plain.id });
    expect((await fixture.api.patch(`/orders/${id}`, { quantity: 2 })).status).toBe(400);
    const license = { active: true, count: 1 };
    const order = await placed({ subscription, license }, { quantity: 2, status: 'completed' });
    const { body } = await fixture.api.get(`/licenses?order_id=${order.id}`);
    expect(body.data).toHaveLength(2);
  });

  test('may not make amounts negative', async () => {
    const order = { variants: ['small', 'gift'], quantity: 2 };
    await expectRefused({ price: 99, variants: sizes }, order, 'quantity');
    expect((await placed({ price: 100, variants: sizes }, order)).grand_total).toBe(0);
  });

  test('may not make amounts too large to be exact', async () => {
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
    const { fixture } = opened;
    const { id } = await fixture.newProduct(parcel);
    const query = 'quantity=2&variants=large&country=ID';
    const { body } = await fixture.api.get(`/products/${id}/shipping-options?${query}`);
    expect(body.data).toMatchObject([
      { id: 'reg', label: 'JNE REG', cost: 1900, currency: 'USD', free_reason: null },
      { id: 'local', label: 'GoSend', cost: 200, free_reason: null },
    ]);
    for (const { id: option_id, cost } of body.data) {
      const choice = { variants: ['large'], quantity: 2, shipping: { option_id, country: 'ID' } };
      expect((await fixture.newOrder({ product_id: id, ...choice })).shipping_total).toBe(cost);
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

  test('may be omitted from a physical order, which then ships for free', async () => {
    const order = await placed(parcel, { variants: ['small'] });
    expect(order).toMatchObject({ shipping: null, shipping_total: 0, grand_total: 4000 });
  });

  test('accepts an option of the product that ships to the country', async () => {
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
