import { beforeAll, expect, test } from 'vitest';
import type { ApiClient } from '../../harness/client.ts';
import { useStore } from '../../harness/store.ts';

const shop = useStore();
let api: ApiClient;
let product: number;
let buyers: number[];
let seller: number;

const created = async (path: string, body: object) => {
  const reply = await api.post(path, body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body.data.id as number;
};

beforeAll(async () => {
  api = await shop.store.key();
  product = await created('/products', {
    title: 'Course',
    price: 10_000,
    affiliate: { enabled: true },
  });
  seller = await created('/users', { email: 'seller@x.example', roles: ['affiliate'] });
  buyers = [
    await created('/users', { email: 'one@x.example' }),
    await created('/users', { email: 'two@x.example' }),
  ];
});

let counter = 0;
const coupon = async (body: object) => {
  const code = `CODE-${++counter}`;
  await created('/coupons', { code, ...body });
  return code;
};

const buy = (coupon_code: string, more: object = {}) =>
  api.post('/orders', { product_id: product, user_id: buyers[0], coupon_code, ...more });

test('a coupon is created with its code alone and read by code in any case or by id', async () => {
  const made = await api.post('/coupons', { code: 'welcome-1' });
  expect(made).toMatchObject({
    status: 201,
    trips: 2,
    body: { data: { code: 'WELCOME-1', state: 'active', usage: 0, limit_use: 0 } },
  });
  const id = made.body.data.id;
  expect((await api.get('/coupons/welcome-1')).body.data).toEqual(made.body.data);
  expect((await api.get(`/coupons/${id}`)).body.data).toEqual(made.body.data);
  expect(await api.get('/coupons/NOBODY')).toMatchObject({ status: 404, trips: 1 });
  expect(await api.post('/coupons', { code: 'Welcome-1' })).toMatchObject({
    status: 409,
    body: { code: 'coupon_code_exists' },
  });
});

test.each(['12345', 'a', 'with blank', 'ÜBER', ''])('%j is no code', async (code) => {
  expect((await api.post('/coupons', { code })).status).toBe(400);
});

test.each([
  [{ discount: { value: 10, type: 'percentage' } }, 1, 1000],
  [{ discount: { value: 12.5, type: 'percentage' }, rule: { max_discount: 900 } }, 1, 900],
  [{ discount: { value: 700, type: 'fixed', usage: 'total' } }, 3, 700],
  [{ discount: { value: 700, type: 'fixed', usage: 'per_item' } }, 3, 2100],
  [{ discount: { value: 99_000, type: 'fixed', usage: 'total' } }, 2, 20_000],
])('%j takes %3$i off %i', async (terms, quantity, discount_total) => {
  const placed = await buy(await coupon(terms), { quantity });
  expect(placed).toMatchObject({
    status: 201,
    trips: 2,
    body: { data: { discount_total, grand_total: 10_000 * quantity - discount_total } },
  });
});

test.each<[string, () => object]>([
  ['coupon_inactive', () => ({ status: 'pending' })],
  ['coupon_not_started', () => ({ start_date: '2030-01-01T00:00:00Z' })],
  ['coupon_expired', () => ({ limit_date: '2020-01-01T00:00:00Z' })],
  ['coupon_product_excluded', () => ({ rule: { cant_apply: [product] } })],
  ['coupon_min_amount', () => ({ rule: { minimum_amount: 10_001 } })],
  ['coupon_renewal_only', () => ({ rule: { renewal_coupon: true } })],
  ['coupon_group', () => ({ rule: { user_ids: [seller] } })],
])('%s is said at checkout and refused at the order', async (reason, terms) => {
  const code = await coupon(terms());
  const cart = { product_id: product, user_id: buyers[0], coupon: code };
  expect((await api.post('/checkout/calculate', cart)).body.data).toMatchObject({
    valid: false,
    discount_total: 0,
    coupon: { code, valid: false, reason, value: 0 },
  });
  expect(await buy(code)).toMatchObject({ status: 409, body: { code: reason } });
});

test.each(['apply_only', 'cant_apply', 'user_ids', 'group_ids'])(
  'a rule that names an unknown id in %s is refused, and nothing is written',
  async (list) => {
    const refused = {
      status: 404,
      body: { code: 'rest_not_found', data: { params: { [`rule.${list}`]: 'unknown id' } } },
    };
    const rule = { [list]: [999_999] };
    expect(await api.post('/coupons', { code: 'NO-SUCH', rule })).toMatchObject(refused);
    const kept = await coupon({});
    const { id } = (await api.get(`/coupons/${kept}`)).body.data;
    expect(await api.patch(`/coupons/${id}`, { rule })).toMatchObject({ ...refused, trips: 1 });
    expect(await api.get('/coupons/NO-SUCH')).toMatchObject({ status: 404 });
  },
);

test('a rule may go on naming what was deleted', async () => {
  const group = await created('/user-groups', { name: 'Gone soon' });
  const gone = await created('/products', { title: 'Gone soon', price: 1 });
  const rule = { group_ids: [group], cant_apply: [gone] };
  const id = await created('/coupons', { code: 'STAYS', rule });
  await api.delete(`/user-groups/${group}`);
  await api.delete(`/products/${gone}`);
  const changed = { rule: { ...rule, minimum_amount: 5 } };
  expect(await api.patch(`/coupons/${id}`, changed)).toMatchObject({
    status: 200,
    body: { data: changed },
  });
});

test('an unknown coupon is 404 at the order and only said at checkout', async () => {
  expect(await buy('NOBODY')).toMatchObject({ status: 404, body: { code: 'coupon_not_found' } });
  const checkout = await api.post('/checkout/calculate', { product_id: product, coupon: 'NOBODY' });
  expect(checkout.body.data.coupon).toMatchObject({ valid: false, reason: 'coupon_not_found' });
});

test('a coupon for first orders is refused to who has ordered before', async () => {
  const code = await coupon({ rule: { first_order_only: true } });
  const user_id = await created('/users', { email: 'fresh@x.example' });
  expect((await buy(code, { user_id })).status).toBe(201);
  expect((await buy(code, { user_id })).body.code).toBe('coupon_first_order_only');
});

test('limits count per coupon and per buyer, and a cancelled or refunded order gives its use back', async () => {
  const code = await coupon({ limit_use: 3, limit_use_per_user: 2 });
  const first = await buy(code);
  const second = await buy(code);
  expect((await buy(code)).body.code).toBe('coupon_user_limit');
  expect((await buy(code, { user_id: buyers[1] })).status).toBe(201);
  expect((await buy(code, { user_id: buyers[1] })).body.code).toBe('coupon_limit_reached');
  expect((await api.get(`/coupons/${code}`)).body.data).toMatchObject({
    usage: 3,
    state: 'exhausted',
  });

  const move = (order: typeof first, status: string) =>
    api.patch(`/orders/${order.body.data.id}`, { status });
  expect((await move(first, 'cancelled')).status).toBe(200);
  expect((await move(second, 'completed')).status).toBe(200);
  expect((await move(second, 'refunded')).status).toBe(200);
  expect((await api.get(`/coupons/${code}`)).body.data.usage).toBe(1);

  expect((await buy(code)).status).toBe(201);
  expect((await buy(code)).status).toBe(201);
  // Reopening the first order claims its use again: there is none left.
  expect(await move(first, 'on-hold')).toMatchObject({
    status: 409,
    body: { code: 'coupon_limit_reached' },
  });
});

test("a copy takes its terms live from the template and counts for its owner, who can't use it", async () => {
  const template = await coupon({
    discount: { value: 10, type: 'percentage' },
    rule: { use_by_affiliate: true },
  });
  const { body } = await api.get(`/coupons/${template}`);
  const copy = await coupon({ coupon_parent_id: body.data.id, user_id: seller });
  const order = await buy(copy);
  expect(order.body.data).toMatchObject({
    discount_total: 1000,
    affiliate_id: seller,
    attribution: { affiliate_id: seller, source: 'coupon' },
  });
  expect((await buy(copy, { user_id: seller })).body.code).toBe('coupon_own');

  await api.patch(`/coupons/${body.data.id}`, { discount: { value: 20 } });
  expect((await buy(copy)).body.data.discount_total).toBe(2000);
  await api.patch(`/coupons/${body.data.id}`, { status: 'pending' });
  expect((await buy(copy)).body.code).toBe('coupon_inactive');
});

test('a new quantity keeps the coupon of the order', async () => {
  const code = await coupon({ discount: { value: 10, type: 'percentage' } });
  const { body } = await buy(code);
  const changed = await api.patch(`/orders/${body.data.id}`, { quantity: 3 });
  expect(changed.body.data).toMatchObject({ discount_total: 3000, grand_total: 27_000 });
});

test('the code of a deleted coupon is free, and old orders keep their discount', async () => {
  const code = await coupon({ discount: { value: 10, type: 'percentage' } });
  const order = await buy(code);
  const { body } = await api.get(`/coupons/${code}`);
  expect((await api.delete(`/coupons/${body.data.id}`)).status).toBe(200);
  expect((await buy(code)).status).toBe(404);
  await created('/coupons', { code });
  const { body: kept } = await api.get(`/orders/${order.body.data.id}`);
  expect(kept.data.discount_total).toBe(1000);
});

test('lists filter by status, owner, parent, product and templates', async () => {
  const template = await created('/coupons', { code: 'LIST-T', rule: { use_by_affiliate: true } });
  const copy = await created('/coupons', {
    code: 'LIST-C',
    coupon_parent_id: template,
    user_id: seller,
  });
  const other = await created('/products', { title: 'Other', price: 1 });
  const only = await created('/coupons', { code: 'LIST-P', rule: { apply_only: [other] } });
  const off = await created('/coupons', { code: 'LIST-O', status: 'pending' });
  const ids = async (filter: string) => {
    const { body } = await api.get(`/coupons?search=list-&${filter}`);
    expect(body.meta.pagination.total).toBe(body.data.length);
    return body.data.map(({ id }: { id: number }) => id);
  };
  expect(await ids('')).toEqual([off, only, copy, template]);
  expect(await ids('status=pending')).toEqual([off]);
  expect(await ids(`user_id=${seller}`)).toEqual([copy]);
  expect(await ids(`coupon_parent_id=${template}`)).toEqual([copy]);
  expect(await ids('templates=true')).toEqual([template]);
  expect(await ids(`product_id=${other}`)).toEqual([off, only, copy, template]);
  expect(await ids('product_id=1')).toEqual([off, copy, template]);
});

test('a quote is honoured for its time and refused when the price has moved', async () => {
  const code = await coupon({ discount: { value: 10, type: 'percentage' } });
  const query = `product_id=${product}&quantity=2&coupon=${code}`;
  const quote = await api.get(`/checkout/quote?${query}`);
  expect(quote).toMatchObject({ status: 200, trips: 1, body: { data: { grand_total: 18_000 } } });
  const { quote_token } = quote.body.data;
  const order = { product_id: product, user_id: buyers[0], quote_token };
  expect((await api.post('/orders', order)).body.data).toMatchObject({
    quantity: 2,
    coupon_code: code,
    grand_total: 18_000,
  });
  expect((await api.post('/orders', { ...order, quantity: 1 })).body.code).toBe('quote_changed');
  expect((await api.post('/orders', { ...order, quote_token: 'x' })).body.code).toBe(
    'rest_invalid_param',
  );
  const session = await shop.store.token(seller);
  expect((await api.post('/orders', { ...order, quote_token: session })).status).toBe(400);
  shop.store.clock.advance(16 * 60);
  expect((await api.post('/orders', order)).body.code).toBe('quote_expired');
});

test('how often a coupon is used is shown only to keys that may read coupons', async () => {
  const code = await coupon({ limit_use: 5 });
  const cart = { product_id: product, coupon: code };
  const visitor = await shop.store.key('checkout:read');
  const seen = (await visitor.post('/checkout/calculate', cart)).body.data.coupon;
  expect(seen).not.toHaveProperty('usage');
  expect(seen).not.toHaveProperty('limit_use');
  const staff = await shop.store.key('checkout:read', 'coupons:read');
  const known = (await staff.post('/checkout/calculate', cart)).body.data.coupon;
  expect(known).toMatchObject({ usage: 0, limit_use: 5 });
});

test('an update may give the value or the type of a discount alone', async () => {
  const made = await api.post('/coupons', {
    code: 'fixed-1',
    discount: { value: 5000, type: 'fixed' },
  });
  const path = `/coupons/${made.body.data.id}`;
  expect(await api.patch(path, { discount: { value: 7000 } })).toMatchObject({
    status: 200,
    body: { data: { discount: { value: 7000, type: 'fixed' } } },
  });
  // Part of a unit, and 7000 percent.
  for (const discount of [{ value: 12.5 }, { type: 'percentage' }]) {
    expect(await api.patch(path, { discount })).toMatchObject({
      status: 400,
      body: {
        code: 'rest_invalid_param',
        data: { params: { 'discount.value': expect.any(String) } },
      },
    });
  }
  expect(await api.patch(path, { discount: { value: 12.5, type: 'percentage' } })).toMatchObject({
    status: 200,
  });
  expect((await api.patch(path, { discount: { type: 'fixed' } })).status).toBe(400);
});

test('dates of any offset are kept as the same moment in UTC', async () => {
  const made = await api.post('/coupons', {
    code: 'dated-1',
    start_date: '2030-01-01T07:00:00+07:00',
    limit_date: '2031-01-01T00:00:00Z',
  });
  expect(made.body.data).toMatchObject({
    start_date: '2030-01-01T00:00:00.000Z',
    limit_date: '2031-01-01T00:00:00.000Z',
  });
  const never = { start_date: '0000-01-01T00:00:00Z' };
  expect((await api.patch(`/coupons/${made.body.data.id}`, never)).status).toBe(400);
});

test('a copy is listed under the status it is shown with, the stricter of its own and its template', async () => {
  const parent = await created('/coupons', { code: 'STRICT', status: 'pending' });
  const id = await created('/coupons', { code: 'STRICT-COPY', coupon_parent_id: parent });
  const listed = async (status: string) => {
    const { body } = await api.get(`/coupons?coupon_parent_id=${parent}&status=${status}`);
    expect(body.meta.pagination.total).toBe(body.data.length);
    return body.data.map((row: { id: number; status: string }) => [row.id, row.status]);
  };
  expect(await listed('pending')).toEqual([[id, 'pending']]);
  expect(await listed('active')).toEqual([]);
  await api.patch(`/coupons/${id}`, { status: 'need-approve' });
  expect(await listed('need-approve')).toEqual([[id, 'need-approve']]);
  expect(await listed('pending')).toEqual([]);
});
