import { beforeAll, describe, expect, test } from 'vitest';
import { long } from '../../harness/long.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';
import { addSeconds } from '../../../src/lib/instant.ts';

const opened = useStoreFixture();

const patch = (id: number, body: object, headers: Record<string, string> = {}) =>
  opened.fixture.api.patch(`/orders/${id}`, body, { headers });

const goods = {
  price: 1e3,
  type: 'physical',
  stock: 100,
  variants: [
    {
      id: 'size',
      label: 'Size',
      options: [
        {
          id: 'large',
          label: 'Large',
          extra_price: 50,
        },
      ],
    },
  ],
  tax: {
    enabled: true,
    rate: 10,
    inclusive: false,
  },
  shipping: {
    active: true,
    weight_g: 1e3,
    options: [
      {
        id: 'reg',
        courier: 'JNE',
        cost: 100,
        per_kg: 10,
        cod: true,
      },
    ],
  },
  cod: {
    active: true,
    fee: 30,
  },
};

describe('An update', () => {
  let product_id = 0;
  beforeAll(async () => {
    product_id = (await opened.fixture.newProduct(goods)).id;
  });
  const sold = (fields: object = {}) =>
    opened.fixture.newOrder({
      product_id,
      variants: ['large'],
      shipping: { option_id: 'reg' },
      ...fields,
    });

  test('of the quantity calculates the price again from the agreed terms, and adjusts the stock', async () => {
    const { fixture } = opened;
    const product = await fixture.newProduct(goods);
    const order = await sold({ product_id: product.id, quantity: 2 });
    await fixture.api.patch(`/products/${product.id}`, { price: 9000, variants: [] });
    const left = async () => (await fixture.product(product.id)).stock;
    const reply = await patch(order.id, { quantity: 3 });
    expect(reply).toMatchObject({ status: 200, trips: 2 });
    expect(reply.body.data).toMatchObject({
      quantity: 3,
      unit_price: 1e3,
      subtotal: 3e3,
      variant_total: 150,
      shipping_total: 130,
      tax_total: 315,
      grand_total: 3595,
      version: 2,
      shipping: { cost: 130 },
      variants: order.variants,
    });
    expect(await left()).toBe(97);
    await patch(order.id, { quantity: 1 });
    expect(await left()).toBe(99);
    const refused = await patch(order.id, { quantity: 101 });
    expect(refused).toMatchObject({ status: 409, body: { code: 'out_of_stock' } });
    expect(await left()).toBe(99);
  });

  test('of the gateway changes the fee', async () => {
    const order = await sold();
    const cod = await patch(order.id, { payment_gateway: 'cod' });
    const expected = { payment_gateway: 'cod', fee_total: 30, grand_total: order.grand_total + 30 };
    expect(cod).toMatchObject({ status: 200, body: { data: { ...expected, status: 'on-hold' } } });
    const manual = await patch(order.id, { payment_gateway: 'manual' });
    expect(manual.body.data).toMatchObject({ fee_total: 0, grand_total: order.grand_total });
    for (const payment_gateway of ['free', 'paypal', 'manual:BNI', 'cod:BCA']) {
      const reply = await patch(order.id, { payment_gateway });
      expect(reply).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
    }
  });

  test('to payment on delivery requires a shipping option that allows it', async () => {
    const { fixture } = opened;
    const product = await fixture.newProduct({
      ...goods,
      shipping: {
        active: true,
        options: [
          { id: 'post', courier: 'Post', cost: 1 },
          { id: 'van', courier: 'Van', cost: 2, cod: true },
        ],
      },
    });
    const by = (option_id?: string) =>
      sold({ product_id: product.id, shipping: option_id && { option_id } });
    expect(await patch((await by('post')).id, { payment_gateway: 'cod' })).toMatchObject({
      status: 400,
      body: { data: { params: { payment_gateway: 'cannot be used with this way to ship' } } },
    });
    expect((await patch((await by('van')).id, { payment_gateway: 'cod' })).status).toBe(200);
    expect((await patch((await by()).id, { payment_gateway: 'cod' })).status).toBe(200);
  });

  test('to payment on delivery is refused for a later instalment, which ships nothing', async () => {
    const { fixture } = opened;
    const regular = { duration: 1, period: 'monthly', price: 1e3 };
    const subscription = { active: true, payments: 3, after: 'keep', regular };
    const { id: product_id } = await fixture.newProduct({ ...goods, subscription });
    const first = await sold({ product_id, status: 'completed' });
    const next = { product_id, user_id: first.user_id, order_parent_id: first.id };
    const instalment = await fixture.newOrder(next);
    const refused = {
      status: 400,
      body: { data: { params: { payment_gateway: 'cannot be used for this product' } } },
    };
    const payment_gateway = 'cod';
    expect(await fixture.api.post('/orders', { ...next, payment_gateway })).toMatchObject(refused);
    expect(await patch(instalment.id, { payment_gateway })).toMatchObject(refused);
  });

  test('to payment on delivery takes away its time for payment, and another gateway gives it back', async () => {
    const { fixture } = opened;
    const { id } = await sold();
    expect((await patch(id, { payment_gateway: 'cod' })).body.data).toMatchObject({
      ...{ status: 'on-hold', expires_at: null },
    });
    fixture.store.clock.advance(86_400);
    const expires_at = addSeconds(fixture.store.clock.now().toISOString(), 3 * 86_400);
    const manual = await patch(id, { payment_gateway: 'manual' });
    expect(manual.body.data).toMatchObject({ status: 'on-hold', expires_at });
  });

  test('of quantity or gateway is possible only for unpaid orders', async () => {
    const { id } = await sold({ status: 'in-progress' });
    for (const body of [{ quantity: 2 }, { payment_gateway: 'cod' }]) {
      const reply = await patch(id, body);
      expect(reply).toMatchObject({ status: 409, body: { code: 'order_not_unpaid' } });
    }
    expect((await patch(id, { quantity: 1, payment_gateway: 'manual' })).status).toBe(200);
  });

  test('of the total keeps the difference as an adjustment, also over a new quantity', async () => {
    const { id, grand_total } = await sold();
    const less = await patch(id, { grand_total: grand_total - 55 });
    expect(less.body.data).toMatchObject({ grand_total: grand_total - 55, adjustment_total: -55 });
    const more = await patch(id, { grand_total: grand_total + 45 });
    expect(more.body.data).toMatchObject({ grand_total: grand_total + 45, adjustment_total: 45 });
    const twice = await patch(id, { quantity: 2 });
    const { subtotal, variant_total, shipping_total, tax_total } = twice.body.data;
    const sum = subtotal + variant_total + shipping_total + tax_total;
    expect(twice.body.data).toMatchObject({ adjustment_total: 45, grand_total: sum + 45 });
    const none = await patch(id, { grand_total: 0 });
    expect(none.body.data).toMatchObject({ adjustment_total: -sum, status: 'on-hold' });
    for (const grand_total of [-1, 1.5, null, '5', Number.MAX_SAFE_INTEGER]) {
      const reply = await patch(id, { grand_total });
      expect(reply).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
    }
  });

  test('of the total lowers it for a paid order, and never raises it', async () => {
    const { id, grand_total } = await sold({ status: 'in-progress' });
    const refused = { status: 409, body: { code: 'order_not_unpaid' } };
    const raised = { grand_total: grand_total + 1 };
    expect(await patch(id, raised)).toMatchObject(refused);
    expect(await patch(id, { ...raised, status: 'completed' })).toMatchObject(refused);
    expect((await patch(id, { grand_total: 0 })).status).toBe(200);
    expect(await patch(id, { grand_total: 1 })).toMatchObject(refused);
    const waiting = await patch(id, { ...raised, status: 'on-hold' });
    expect(waiting.body.data).toMatchObject({ ...raised, paid_at: null });
  });

  test('of details leaves the rest as it was, under each of three methods', async () => {
    const { fixture } = opened;
    const order = await sold({ note: 'first', meta: { a: 1 } });
    fixture.store.clock.advance(60);
    const updated_at = fixture.store.clock.now().toISOString();
    const noted = await fixture.api.put(`/orders/${order.id}`, { note: 'second' });
    expect(noted.body).toEqual({
      success: true,
      data: { ...order, note: 'second', updated_at, version: 2 },
    });
    const cleared = await fixture.api.post(`/orders/${order.id}`, { note: null, meta: {} });
    expect(cleared.body.data).toMatchObject({ note: null, meta: {}, version: 3 });
    const tracked = await patch(order.id, {
      shipping: { tracking_url: 'https://track.example/1' },
    });
    const shipping = { ...order.shipping, tracking_url: 'https://track.example/1' };
    expect(tracked.body.data).toMatchObject({ shipping, version: 4 });
    const script = { shipping: { tracking_url: 'javascript:alert(1)' } };
    expect((await patch(order.id, script)).status).toBe(400);
    const beside = await patch(order.id, { status: 'on-hold', note: 'third' });
    expect(beside.body).toMatchObject({ changed: false, data: { note: 'third', version: 5 } });
    const nothing = await patch(order.id, {});
    expect(nothing.body).toEqual({ success: true, data: beside.body.data });
  });

  test('names the fields it does not know', async () => {
    const { id } = await sold();
    const reply = await patch(id, { note: 'x', user_id: 1, created_at: 'now' });
    expect(reply.body).toMatchObject({ meta: { ignored_fields: ['user_id', 'created_at'] } });
  });

  test('with If-Match changes that version only', async () => {
    const { fixture } = opened;
    const { id } = await sold();
    const late = await patch(id, { note: 'x' }, { 'if-match': '2' });
    expect(late).toMatchObject({ status: 409, body: { code: 'rest_conflict' } });
    expect((await patch(id, { note: 'x' }, { 'if-match': '1' })).status).toBe(200);
    expect((await patch(id, { note: 'y' }, { 'if-match': '"2"' })).status).toBe(200);
    const gone = await fixture.api.delete(`/orders/${id}`, { headers: { 'if-match': '1' } });
    expect(gone).toMatchObject({ status: 409, body: { code: 'rest_conflict' } });
    expect((await patch(id, { note: 'x' }, { 'if-match': 'W/"3"' })).status).toBe(400);
  });

  test('of an unknown order is a 404', async () => {
    const reply = await patch(999_999, { note: 'x' });
    expect(reply).toMatchObject({ status: 404, trips: 1, body: { code: 'rest_not_found' } });
  });
});

test('The reason of another total is recorded in the history, beside an unchanged status', async () => {
  const { fixture } = opened;
  const { id } = await fixture.newOrder({ product_id: (await fixture.newProduct()).id });
  const said = { grand_total: 1, reason: 'Agreed on the phone.', status: 'on-hold' };
  expect((await patch(id, said)).body).toMatchObject({ changed: false });
  await patch(id, { grand_total: 2 });
  const { history } = (await fixture.api.get(`/orders/${id}`)).body.data;
  expect(history).toHaveLength(2);
  expect(history[1]).toMatchObject({ from: 'on-hold', to: 'on-hold', note: said.reason });
});

describe('Deleting an order', () => {
  test('hides it everywhere and keeps it', async () => {
    const { fixture } = opened;
    const product = await fixture.newProduct();
    const { id } = await fixture.newOrder({ product_id: product.id, status: 'completed' });
    const reply = await fixture.api.delete(`/orders/${id}`);
    expect(reply).toMatchObject({ status: 200, body: { data: { id, deleted: true } } });
    for (const again of [
      await fixture.api.get(`/orders/${id}`),
      await patch(id, { note: 'x' }),
      await fixture.api.delete(`/orders/${id}`),
    ]) {
      expect(again).toMatchObject({ status: 404, body: { code: 'rest_not_found' } });
    }
    const list = await fixture.api.get(`/orders?product_id=${product.id}`);
    expect(list.body).toMatchObject({ data: [], meta: { pagination: { total: 0 } } });
    const { rowCount } = await fixture.store.database.query('select from orders where id = $1', [
      id,
    ]);
    expect(rowCount).toBe(1);
  });

  test('that waits for its payment cancels it: stock comes back, no reminder is sent', async () => {
    const { fixture } = opened;
    const { id: product_id } = await fixture.newProduct({ stock: 1 });
    const { id } = await fixture.newOrder({ product_id });
    expect((await fixture.product(product_id)).stock).toBe(0);
    expect(await fixture.api.delete(`/orders/${id}`)).toMatchObject({ status: 200, trips: 2 });
    expect((await fixture.product(product_id)).stock).toBe(1);
    expect((await fixture.api.get(`/orders/${id}`)).status).toBe(404);
    const { rows } = await fixture.store.database.query(
      'select status, deleted_at is not null as deleted from orders where id = $1',
      [id],
    );
    expect(rows).toEqual([{ status: 'cancelled', deleted: true }]);
    const list = await fixture.api.get(`/orders?product_id=${product_id}`);
    expect(list.body.meta.pagination.total).toBe(0);
  });

  test('by force erases one that was cancelled before any money moved', async () => {
    const { fixture } = opened;
    const { id: product_id } = await fixture.newProduct({ stock: 1 });
    const { id } = await fixture.newOrder({ product_id });
    const early = await fixture.api.delete(`/orders/${id}?force=true`);
    expect(early).toMatchObject({ status: 409, body: { code: 'order_not_erasable' } });
    await patch(id, { status: 'cancelled' });
    expect((await fixture.api.delete(`/orders/${id}?force=1`)).status).toBe(200);
    const { rowCount } = await fixture.store.database.query(
      'select id from orders where id = $1 union all select id from order_history where order_id = $1',
      [id],
    );
    expect(rowCount).toBe(0);
    expect((await fixture.product(product_id)).stock).toBe(1);
  });

  long.each(
    [
      ['in-progress', 'cancelled'],
      ['in-progress', 'cancelled', 'on-hold', 'cancelled'],
      ['completed', 'refunded'],
      ['completed'],
    ].map((path) => ({
      path,
    })),
  )('by force is refused after $path', async ({ path }) => {
    const { fixture } = opened;
    const { id: product_id } = await fixture.newProduct();
    const { id } = await fixture.newOrder({ product_id });
    for (const status of path) await patch(id, { status });
    const reply = await fixture.api.delete(`/orders/${id}?force=true`);
    expect(reply).toMatchObject({ status: 409, body: { code: 'order_not_erasable' } });
    expect((await fixture.order(id)).status).toBe(path.at(-1));
  });
});
