import { describe, expect, test } from 'vitest';
import { largestAmount } from '../../../src/lib/money.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';

const opened = useStoreFixture();

const create = (body: object) => opened.fixture.api.post('/products', body);
const patch = (id: number, body: object, headers: Record<string, string> = {}) =>
  opened.fixture.api.patch(`/products/${id}`, body, { headers });

const option = (id: string, more: object = {}) => ({ id, label: id, ...more });
const sizes = (...options: object[]) => [{ id: 'size', label: 'Size', options }];

describe('A new product', () => {
  test('needs a title and a price only', async () => {
    const at = opened.fixture.store.clock.now().toISOString();
    const reply = await create({ title: 'Über Kurs: 2nd!', price: 5000 });
    expect(reply).toMatchObject({ status: 201, trips: 2 });
    expect(reply.body.data).toMatchObject({
      title: 'Über Kurs: 2nd!',
      slug: expect.stringMatching(/^uber-kurs-2nd-\d+$/),
      status: 'publish',
      type: 'digital',
      payment_type: 'one-time',
      price: 5e3,
      currency: 'USD',
      enable_sale: true,
      enable_quantity: true,
      stock: null,
      variants: [],
      regular_price: null,
      max_quantity: null,
      disable_sale_time: null,
      limit_buy_time: 0,
      affiliate: {
        enabled: false,
        tiers: [],
      },
      license: { active: false },
      meta: {},
      created_at: at,
      updated_at: at,
      version: 1,
    });
    const missing = await create({});
    expect(missing).toMatchObject({ status: 400, body: { code: 'rest_missing_callback_param' } });
    expect(Object.keys(missing.body.data.params)).toEqual(['title', 'price']);
  });

  test('has all given values, and is read as it was returned', async () => {
    const { fixture } = opened;
    const fields = {
      slug: 'all-there',
      status: 'private',
      type: 'physical',
      payment_type: 'recurring',
      subscription: { active: true },
      description: 'd',
      excerpt: 'e',
      image_url: 'https://x/y.png',
      regular_price: 9,
      enable_sale: false,
      enable_quantity: false,
      max_quantity: 7,
      limit_buy_time: 5,
      stock: 12,
      tax: {
        enabled: true,
        rate: 12.3456,
        inclusive: true,
      },
      meta: { a: 'b' },
    };
    const variants = sizes(option('small', { stock: 4, sku: 'S' }), option('large'));
    const sent = { ...fields, variants, disable_sale_time: '2026-03-11T00:00:00+07:00' };
    const product = await fixture.newProduct(sent);
    expect(product).toMatchObject({ ...fields, disable_sale_time: '2026-03-10T17:00:00.000Z' });
    expect(product.variants).toEqual([
      {
        id: 'size',
        key: 'size',
        label: 'Size',
        required: true,
        options: [
          {
            id: 'small',
            key: 'small',
            label: 'small',
            extra_price: 0,
            extra_weight: 0,
            sku: 'S',
            stock: 4,
            active: true,
          },
          {
            id: 'large',
            key: 'large',
            label: 'large',
            extra_price: 0,
            extra_weight: 0,
            sku: '',
            stock: null,
            active: true,
          },
        ],
      },
    ]);
    expect(await fixture.product(product.id)).toEqual(product);
    const read = await fixture.api.get(`/products/${product.id}/variants`);
    expect(read.body).toEqual({ success: true, data: product.variants });
  });

  test('is refused with invalid values', async () => {
    const { fixture } = opened;
    const tooMuch = largestAmount + 1;
    const wrong = {
      title: ['', null, 'x'.repeat(301), 'a\0'],
      price: [-1, 1.5, '5', null, tooMuch],
      slug: ['Upper', 'a b', '-a', ''],
      type: ['service'],
      stock: [-1, 1.5, '3'],
      disable_sale_time: ['tomorrow', '2026-03-10', '0000-01-01T00:00:00Z'],
      variants: [
        sizes(),
        sizes(option('a'), option('a')),
        sizes(option('a b')),
        sizes(option('a', { extra_price: tooMuch })),
        sizes(option('a', { extra_price: -tooMuch })),
      ],
      subscription: [{ signup: { active: true, fee: tooMuch } }],
      cod: [{ active: true, fee: tooMuch }],
      tax: [{ rate: 101 }, { rate: 1.00001 }],
      image_url: ['javascript:alert(1)', ' javascript:alert(1)', 'data:text/html,x', '//x.example'],
      shipping: [
        { options: [{ id: 'x' }] },
        { options: [{ id: 'x', courier: 'X', cost: tooMuch }] },
      ],
    };
    expect((await fixture.newProduct({ price: largestAmount })).price).toBe(largestAmount);
    for (const [name, values] of Object.entries(wrong)) {
      for (const value of values) {
        const reply = await create({ title: 'T', price: 1, [name]: value });
        expect(reply.status, `${name} ${JSON.stringify(value)}`.slice(0, 80)).toBe(400);
        const [param = ''] = Object.keys(reply.body.data.params);
        expect(param.split('.')[0]).toBe(name);
      }
    }
  });

  test('has a unique slug, which its deletion frees', async () => {
    const { fixture } = opened;
    const { id } = await fixture.newProduct({ slug: 'mine' });
    const taken = await create({ title: 'T', price: 1, slug: 'mine' });
    expect(taken).toMatchObject({ status: 409, trips: 1, body: { code: 'product_slug_exists' } });
    await fixture.api.delete(`/products/${id}`);
    expect((await fixture.newProduct({ slug: 'mine' })).slug).toBe('mine');
  });
});

describe('An update', () => {
  test('accepts known fields, ignores others and reports them, by each of three methods', async () => {
    const { fixture } = opened;
    const product = await fixture.newProduct();
    fixture.store.clock.advance(60);
    const updated_at = fixture.store.clock.now().toISOString();
    const fixed = {
      id: 1,
      slug: 'x',
      type: 'physical',
      payment_type: 'recurring',
      currency: 'IDR',
      created_at: 'x',
      updated_at: 'x',
      version: 9,
      unknown: true,
    };
    const reply = await fixture.api.put(`/products/${product.id}`, { title: 'New', ...fixed });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      success: true,
      data: { ...product, title: 'New', updated_at, version: 2 },
      meta: { ignored_fields: Object.keys(fixed) },
    });
    const later = await fixture.api.post(`/products/${product.id}`, { excerpt: 'short' });
    expect(later.body.data).toMatchObject({ title: 'New', excerpt: 'short', version: 3 });
    expect((await patch(999_999, {})).body.code).toBe('rest_not_found');
  });

  test('of a part keeps the rest of it', async () => {
    const { fixture } = opened;
    const { id } = await fixture.newProduct({
      tax: { enabled: true, rate: 11, inclusive: true },
      license: { active: true, count: 3 },
      affiliate: { enabled: true, tiers: [{ tier: 1, fee: 10, type: 'percentage' }], hold_days: 7 },
    });
    const parts = { tax: { rate: 12 }, license: { expires_days: 30 }, affiliate: { hold_days: 9 } };
    const reply = await patch(id, parts);
    expect(reply.body.data).toMatchObject({
      tax: { enabled: true, rate: 12, inclusive: true },
      license: { active: true, count: 3, expires_days: 30, max_resets: 3 },
      affiliate: { enabled: true, tiers: [{ tier: 1, fee: 10 }], hold_days: 9 },
    });
    expect(await fixture.product(id)).toEqual(reply.body.data);
  });

  test('with If-Match changes only that version', async () => {
    const { id } = await opened.fixture.newProduct();
    const late = await patch(id, { price: 1 }, { 'if-match': '2' });
    expect(late).toMatchObject({ status: 409, body: { code: 'rest_conflict' } });
    expect((await patch(id, { price: 1 }, { 'if-match': '1' })).status).toBe(200);
  });

  test('opens and closes the checkout without showing the code for it', async () => {
    const { id } = await opened.fixture.newProduct({ access_code: 'sesame' });
    const reply = await patch(id, { access_code: 'open-sesame' });
    expect(JSON.stringify(reply.body)).not.toContain('sesame');
    expect(reply.body.data).not.toHaveProperty('access_code');
  });
});

describe('Deleting a product', () => {
  test('hides it, keeps its orders, and they still have to be paid', async () => {
    const { fixture } = opened;
    const product = await fixture.newProduct({ title: 'Gone' });
    const order = await fixture.newOrder({ product_id: product.id, status: 'completed' });
    const reply = await fixture.api.delete(`/products/${product.id}`);
    expect(reply).toMatchObject({ status: 200, body: { data: { id: product.id, deleted: true } } });
    for (const again of [
      await fixture.api.get(`/products/${product.id}`),
      await fixture.api.get(`/products/${product.id}/variants`),
      await patch(product.id, { title: 'Back' }),
      await fixture.api.delete(`/products/${product.id}`),
    ]) {
      expect(again).toMatchObject({ status: 404, body: { code: 'rest_not_found' } });
    }
    const list = await fixture.api.get(`/products?ids=${product.id}`);
    expect(list.body).toMatchObject({ data: [], meta: { pagination: { total: 0 } } });
    expect(await fixture.order(order.id)).toMatchObject({ product: { title: 'Gone' } });
    const refunded = await fixture.api.patch(`/orders/${order.id}`, { status: 'refunded' });
    expect(refunded.status).toBe(200);
  });

  test.each(['on-hold', 'payment-confirm', 'in-progress'])(
    'with an order that is %s requires force',
    async (status) => {
      const { fixture } = opened;
      const { id } = await fixture.newProduct();
      await fixture.newOrder({ product_id: id, status });
      for (const query of ['', '?force=false', '?force=']) {
        const reply = await fixture.api.delete(`/products/${id}${query}`);
        expect(reply).toMatchObject({ status: 409, body: { code: 'product_has_open_orders' } });
      }
      expect((await fixture.api.delete(`/products/${id}?force=true`)).status).toBe(200);
    },
  );
});

test('A product paid by subscription has one, or is refused; a stored one without can be changed in other fields', async () => {
  const { api, store, newProduct } = opened.fixture;
  const refused = {
    status: 400,
    body: {
      code: 'rest_invalid_param',
      data: { params: { 'subscription.active': expect.any(String) } },
    },
  };
  const club = { title: 'Club', price: 9000, payment_type: 'recurring' };
  expect(await api.post('/products', club)).toMatchObject(refused);
  const { id } = await newProduct({ ...club, subscription: { active: true } });
  const off = { subscription: { active: false } };
  expect(await api.patch(`/products/${id}`, off)).toMatchObject(refused);
  await store.database.query(
    `update products set subscription = subscription || '{"active": false}' where id = $1`,
    [id],
  );
  for (const changes of [{ price: 8000 }, off, { subscription: { active: true } }]) {
    expect((await api.patch(`/products/${id}`, changes)).status).toBe(200);
  }
  // Orders begin a subscription wherever it is on.
  await newProduct({ payment_type: 'one-time', subscription: { active: true } });
});
