import { beforeAll, describe, expect, test } from 'vitest';
import type { Product } from '../../../src/domain/product/schemas.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';

const opened = useStoreFixture();

const create = (body: object) => opened.fixture.api.post('/products', body);
const patch = (id: number, body: object, headers: Record<string, string> = {}) =>
  opened.fixture.api.patch(`/products/${id}`, body, { headers });
const insisting = (version: number) => ({ 'if-match': String(version) });

const invalid = (...params: string[]) => ({
  status: 400,
  body: {
    code: 'rest_invalid_param',
    data: { params: Object.fromEntries(params.map((name) => [name, expect.any(String)])) },
  },
});

const moved = (param: string) => ({
  status: 409,
  body: { code: 'rest_conflict', data: { params: { [param]: expect.any(String) } } },
});

const option = (id: string, more: object = {}) => ({ id, label: id, ...more });
const sizes = (...options: object[]) => [{ id: 'size', label: 'Size', options }];

describe('Stock', () => {
  test('is set only with the units that it replaces, and counted from then on', async () => {
    const { fixture } = opened;
    const { id } = await fixture.newProduct();
    expect(await patch(id, { stock: 5 })).toMatchObject(invalid('stock'));
    expect(await patch(id, { stock: 5, stock_was: 0 })).toMatchObject(moved('stock_was'));
    const counted = await patch(id, { stock: 5, stock_was: null });
    expect(counted.body.data).toMatchObject({ stock: 5 });
    await fixture.newOrder({ product_id: id, quantity: 2 });
    expect(await fixture.product(id)).toMatchObject({ stock: 3, version: 2 });
    expect((await patch(id, { stock: 9, stock_was: 3 })).body.data.stock).toBe(9);
    expect((await patch(id, { stock: null, stock_was: 9 })).body.data.stock).toBeNull();
    await fixture.newOrder({ product_id: id, quantity: 2 });
    expect((await fixture.product(id)).stock).toBeNull();
  });

  test('that a sale changed is not set back by an update with the right version', async () => {
    const { fixture } = opened;
    const { id, version } = await fixture.newProduct({ stock: 1 });
    await fixture.newOrder({ product_id: id });
    expect(await patch(id, { stock: 1 }, insisting(version))).toMatchObject(invalid('stock'));
    for (const stock of [1, 5, null]) {
      const set = await patch(id, { stock, stock_was: 1 }, insisting(version));
      expect(set).toMatchObject({ ...moved('stock_was'), trips: 1 });
    }
    expect(await fixture.product(id)).toMatchObject({ stock: 0, version });
    expect(await patch(id, { stock_was: 0 })).toMatchObject(invalid('stock_was'));
  });

  test('changes by stock_delta, never below zero', async () => {
    const { fixture } = opened;
    const { id } = await fixture.newProduct({ stock: 5 });
    expect((await patch(id, { stock_delta: 3 })).body.data.stock).toBe(8);
    expect((await patch(id, { stock_delta: -8 })).body.data.stock).toBe(0);
    const below = await patch(id, { stock_delta: -1 });
    expect(below).toMatchObject({ status: 409, trips: 1, body: { code: 'out_of_stock' } });
    expect((await fixture.product(id)).stock).toBe(0);
    const both = await patch(id, { stock: 1, stock_was: 0, stock_delta: 1 });
    expect(both).toMatchObject(invalid('stock_delta'));
    const uncounted = await fixture.newProduct();
    expect(await patch(uncounted.id, { stock_delta: 1 })).toMatchObject(invalid('stock_delta'));
  });

  test('of options keeps its count after sales when the variants are written again', async () => {
    const { fixture } = opened;
    const before = sizes(option('small', { stock: 5 }), option('large', { stock: 5 }));
    const { id } = await fixture.newProduct({ stock: 20, variants: before });
    await fixture.newOrder({ product_id: id, quantity: 2, variants: ['small'] });
    const again = (small: object, large: object = { stock: 5 }) =>
      sizes(
        option('small', { extra_price: 10, ...small }),
        option('large', large),
        option('huge', { stock: 7 }),
      );
    const stocks = (product: Product) => [
      product.stock,
      ...product.variants.flatMap(({ options }) => options.map(({ stock }) => stock)),
    ];
    const kept = await patch(id, { variants: again({}) });
    expect(stocks(kept.body.data)).toEqual([18, 3, 5, 7]);
    expect(stocks(await fixture.product(id))).toEqual([18, 3, 5, 7]);

    const first = 'variants.0.options.0';
    const silent = await patch(id, { variants: again({ stock: 5 }) }, insisting(2));
    expect(silent).toMatchObject(invalid(`${first}.stock`));
    const ended = await patch(id, { variants: again({ stock: null }) });
    expect(ended).toMatchObject(invalid(`${first}.stock`));
    const late = await patch(id, { variants: again({ stock: 6, stock_was: 5 }) });
    expect(late).toMatchObject(moved(`${first}.stock_was`));
    const alone = await patch(id, { variants: again({ stock_was: 3 }) });
    expect(alone).toMatchObject(invalid(`${first}.stock_was`));
    expect(stocks(await fixture.product(id))).toEqual([18, 3, 5, 7]);
    const set = await patch(id, {
      variants: again({ stock: 6, stock_was: 3 }, { stock: null, stock_was: 5 }),
    });
    expect(stocks(set.body.data)).toEqual([18, 6, null, 7]);

    const fewer = await patch(id, { variants: sizes(option('huge')) });
    expect(stocks(fewer.body.data)).toEqual([18, 7]);
    expect(stocks(await fixture.product(id))).toEqual([18, 7]);
    await patch(id, { title: 'Other' });
    expect(stocks(await fixture.product(id))).toEqual([18, 7]);
  });

  test('of an option is counted even if the option is named like a JavaScript property', async () => {
    const { fixture } = opened;
    const names = ['constructor', '__proto__', 'toString'];
    const variants = sizes(...names.map((id, n) => option(id, n > 0 ? { stock: 2 } : {})));
    const product = await fixture.newProduct({ variants });
    const [options] = product.variants.map((group) => group.options.map(({ stock }) => stock));
    expect(options).toEqual([null, 2, 2]);
    await fixture.newOrder({ product_id: product.id, variants: ['__proto__'], quantity: 2 });
    const { id: user_id } = await fixture.newUser();
    const again = { product_id: product.id, user_id, variants: ['__proto__'] };
    const { body } = await fixture.api.post('/orders', again);
    expect(body.code).toBe('out_of_stock');
    expect((await patch(product.id, { variants: [] })).body.data.variants).toEqual([]);
  });
});

describe('Commission tiers', () => {
  const tiers = (...fees: [number, string][]) => ({
    affiliate: {
      enabled: true,
      tiers: fees.map(([fee, type], i) => ({ tier: i + 1, fee, type })),
    },
  });
  const percent = (...fees: number[]) =>
    tiers(...fees.map((fee): [number, string] => [fee, 'percentage']));

  test.each([
    ['of exactly the price', 15, percent(50, 50)],
    ['of thirds', 1500, percent(33.3334, 33.3333, 33.3333)],
    ['of fixed fees and percentages', 1000, tiers([500, 'fixed'], [50, 'percentage'])],
    ['that are none', 0, percent()],
    ['of nothing', 0, percent(100)],
  ])('%s are accepted', async (_, price, fields) => {
    expect((await create({ title: 'T', price, ...fields })).status).toBe(201);
  });

  test.each([
    ['above the price', 1500, percent(33.3334, 33.3333, 33.3334)],
    ['of fixed fees above the price', 1000, tiers([501, 'fixed'], [50, 'percentage'])],
    ['of parts of a unit', 1000, tiers([1.5, 'fixed'])],
    ['of more than four decimals', 1000, percent(1.00001)],
    ['of a percentage above 100', 0, percent(101)],
    [
      'above the price without the tax in it',
      1100,
      { tax: { enabled: true, rate: 10, inclusive: true }, ...tiers([1001, 'fixed']) },
    ],
  ])('%s are refused', async (_, price, fields) => {
    expect(await create({ title: 'T', price, ...fields })).toMatchObject(
      invalid('affiliate.tiers'),
    );
  });

  test('of a subscription fit the price of its term, not that of the product', async () => {
    const { fixture } = opened;
    const regular = { duration: 1, period: 'monthly', price: 500 };
    const signup = { active: true, fee: 300 };
    const club = { title: 'T', price: 1000, subscription: { active: true, regular, signup } };
    expect(await create({ ...club, ...tiers([501, 'fixed']) })).toMatchObject(
      invalid('affiliate.tiers'),
    );
    expect((await create({ ...club, price: 0, ...tiers([500, 'fixed']) })).status).toBe(201);
    const { id } = await fixture.newProduct({ ...club, ...tiers([500, 'fixed']) });
    const cheaper = { subscription: { regular: { ...regular, price: 499 } } };
    expect(await patch(id, cheaper)).toMatchObject(invalid('affiliate.tiers'));
    await fixture.store.database.query(
      `update products set subscription = jsonb_set(subscription, '{regular,price}', '499')
        where id = $1`,
      [id],
    );
    expect((await patch(id, { title: 'Stored before' })).status).toBe(200);
  });

  test('are refused if a level occurs twice, or if they no longer fit a new price', async () => {
    const { fixture } = opened;
    const twice = { tiers: [1, 1].map((tier) => ({ tier, fee: 1, type: 'percentage' })) };
    const reply = await create({ title: 'T', price: 100, affiliate: twice });
    expect(reply).toMatchObject(invalid('affiliate.tiers'));
    const { id } = await fixture.newProduct({ price: 1000, ...tiers([400, 'fixed']) });
    expect(await patch(id, { price: 399 })).toMatchObject(invalid('affiliate.tiers'));
    expect((await patch(id, { price: 400 })).status).toBe(200);
  });
});

describe('Shipping options', () => {
  let id = 0;
  beforeAll(async () => {
    const options = [
      {
        id: 'reg',
        courier: 'JNE',
        service: 'REG',
        cost: 100,
        per_kg: 50,
        free_above: 9000,
        cod: true,
      },
      { id: 'local', courier: 'GoSend', label: 'Today', cost: 10, countries: ['ID'] },
    ];
    const variants = sizes(
      option('light'),
      option('heavy', { extra_weight: 900 }),
      option('fine', { extra_price: 500 }),
    );
    const shipping = { active: true, weight_g: 600, options };
    const product = await opened.fixture.newProduct({
      type: 'physical',
      price: 4000,
      variants,
      shipping,
    });
    id = product.id;
  });
  const quotes = async (query: string, product = id) => {
    const path = `/products/${product}/shipping-options?${query}`;
    const { status, body, trips } = await opened.fixture.api.get(path);
    expect({ status, trips }).toEqual({ status: 200, trips: 1 });
    return body.data;
  };

  test('cost by weight, by started kilogram, up to a goods value', async () => {
    expect(await quotes('')).toEqual([
      {
        id: 'reg',
        courier: 'JNE',
        service: 'REG',
        label: 'JNE REG',
        cost: 150,
        currency: 'USD',
        etd_days_min: 0,
        etd_days_max: 0,
        cod: true,
        free_reason: null,
      },
      {
        id: 'local',
        courier: 'GoSend',
        service: '',
        label: 'Today',
        cost: 10,
        currency: 'USD',
        etd_days_min: 0,
        etd_days_max: 0,
        cod: false,
        free_reason: null,
      },
    ]);
    const reg = async (query: string) => (await quotes(query))[0];
    expect(await reg('quantity=2')).toMatchObject({ cost: 200 });
    expect(await reg('quantity=2&variants=heavy')).toMatchObject({ cost: 250 });
    expect(await reg('quantity=3')).toMatchObject({ cost: 0, free_reason: 'free-above' });
    expect(await reg('quantity=3&subtotal=8999')).toMatchObject({ cost: 200, free_reason: null });
    expect(await reg('subtotal=9000')).toMatchObject({ cost: 0, free_reason: 'free-above' });
    expect(await reg('quantity=2&variants=fine')).toMatchObject({ free_reason: 'free-above' });
  });

  test('of a subscription are free from the value of its terms on, not of the price of the product', async () => {
    const { fixture } = opened;
    const { shipping } = await fixture.product(id);
    const regular = { duration: 1, period: 'monthly', price: 4000 };
    const subscription = { active: true, regular };
    const fields = { type: 'physical', shipping, price: 90_000, subscription };
    const box = await fixture.newProduct(fields);
    const [reg] = await quotes('', box.id);
    const order = await fixture.newOrder({ product_id: box.id, shipping: { option_id: 'reg' } });
    expect(reg).toMatchObject({ cost: order.shipping_total, free_reason: null });
  });

  test('are offered if they ship to the country', async () => {
    expect(await quotes('country=ID')).toHaveLength(2);
    expect(await quotes('country=SG')).toMatchObject([{ id: 'reg' }]);
    const reply = await opened.fixture.api.get(`/products/${id}/shipping-options?country=id`);
    expect(reply).toMatchObject(invalid('country'));
  });

  test('are free for a product that ships free, and absent for one that is not shipped', async () => {
    const { fixture } = opened;
    const { shipping } = await fixture.product(id);
    const free = await fixture.newProduct({
      type: 'physical',
      shipping: { ...shipping, free: true },
    });
    expect(await quotes('', free.id)).toMatchObject([
      { cost: 0, free_reason: 'product' },
      { cost: 0, free_reason: 'product' },
    ]);
    const digital = await fixture.newProduct({ shipping });
    expect(await quotes('', digital.id)).toEqual([]);
    const off = await fixture.newProduct({
      type: 'physical',
      shipping: { ...shipping, active: false },
    });
    expect(await quotes('', off.id)).toEqual([]);
    expect((await fixture.api.get('/products/999999/shipping-options')).status).toBe(404);
  });
});
