import { expect, test } from 'vitest';
import { useCoupons } from './stage.ts';

const { opened, api, product, buyers, seller, created, coupon, buy } = useCoupons();

test.each([
  [{ discount: { value: 10, type: 'percentage' } }, 1, 1000],
  [{ discount: { value: 12.5, type: 'percentage' }, rule: { max_discount: 900 } }, 1, 900],
  [{ discount: { value: 700, type: 'fixed', usage: 'total' } }, 3, 700],
  [{ discount: { value: 700, type: 'fixed', usage: 'per_item' } }, 3, 2100],
  [{ discount: { value: 99_000, type: 'fixed', usage: 'total' } }, 2, 20_000],
])('a coupon with %j, used for %i units, takes %i off', async (terms, quantity, discount_total) => {
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
  ['coupon_product_excluded', () => ({ rule: { cant_apply: [product()] } })],
  ['coupon_min_amount', () => ({ rule: { minimum_amount: 10_001 } })],
  ['coupon_renewal_only', () => ({ rule: { renewal_coupon: true } })],
  ['coupon_group', () => ({ rule: { user_ids: [seller()] } })],
])('%s is reported at checkout, and the order is refused', async (reason, terms) => {
  const code = await coupon(terms());
  const cart = { product_id: product(), user_id: buyers()[0], coupon: code };
  expect((await api().post('/checkout/calculate', cart)).body.data).toMatchObject({
    valid: false,
    discount_total: 0,
    coupon: { code, valid: false, reason, value: 0 },
  });
  expect(await buy(code)).toMatchObject({ status: 409, body: { code: reason } });
});

test('an unknown coupon is a 404 for an order, and only a message at checkout', async () => {
  expect(await buy('NOBODY')).toMatchObject({ status: 404, body: { code: 'coupon_not_found' } });
  const checkout = await api().post('/checkout/calculate', {
    product_id: product(),
    coupon: 'NOBODY',
  });
  expect(checkout.body.data.coupon).toMatchObject({ valid: false, reason: 'coupon_not_found' });
});

test('a coupon for first orders is refused to a buyer who has ordered before', async () => {
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
  expect((await buy(code, { user_id: buyers()[1] })).status).toBe(201);
  expect((await buy(code, { user_id: buyers()[1] })).body.code).toBe('coupon_limit_reached');
  expect((await api().get(`/coupons/${code}`)).body.data).toMatchObject({
    usage: 3,
    state: 'exhausted',
  });

  const move = (order: typeof first, status: string) =>
    api().patch(`/orders/${order.body.data.id}`, { status });
  expect((await move(first, 'cancelled')).status).toBe(200);
  expect((await move(second, 'completed')).status).toBe(200);
  expect((await move(second, 'refunded')).status).toBe(200);
  expect((await api().get(`/coupons/${code}`)).body.data.usage).toBe(1);

  expect((await buy(code)).status).toBe(201);
  expect((await buy(code)).status).toBe(201);
  // Reopening the first order would use the coupon again, and no use is left.
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
  const { body } = await api().get(`/coupons/${template}`);
  const copy = await coupon({ coupon_parent_id: body.data.id, user_id: seller() });
  const order = await buy(copy);
  expect(order.body.data).toMatchObject({
    discount_total: 1000,
    affiliate_id: seller(),
    attribution: { affiliate_id: seller(), source: 'coupon' },
  });
  expect((await buy(copy, { user_id: seller() })).body.code).toBe('coupon_own');

  await api().patch(`/coupons/${body.data.id}`, { discount: { value: 20 } });
  expect((await buy(copy)).body.data.discount_total).toBe(2000);
  await api().patch(`/coupons/${body.data.id}`, { status: 'pending' });
  expect((await buy(copy)).body.code).toBe('coupon_inactive');
});

test('a new quantity keeps the coupon of the order', async () => {
  const code = await coupon({ discount: { value: 10, type: 'percentage' } });
  const { body } = await buy(code);
  const changed = await api().patch(`/orders/${body.data.id}`, { quantity: 3 });
  expect(changed.body.data).toMatchObject({ discount_total: 3000, grand_total: 27_000 });
});

test('a quote is honoured for its time and refused when the price has moved', async () => {
  const code = await coupon({ discount: { value: 10, type: 'percentage' } });
  const query = `product_id=${product()}&quantity=2&coupon=${code}`;
  const quote = await api().get(`/checkout/quote?${query}`);
  expect(quote).toMatchObject({ status: 200, trips: 1, body: { data: { grand_total: 18_000 } } });
  const { quote_token } = quote.body.data;
  const order = { product_id: product(), user_id: buyers()[0], quote_token };
  expect((await api().post('/orders', order)).body.data).toMatchObject({
    quantity: 2,
    coupon_code: code,
    grand_total: 18_000,
  });
  expect((await api().post('/orders', { ...order, quantity: 1 })).body.code).toBe('quote_changed');
  expect((await api().post('/orders', { ...order, quote_token: 'x' })).body.code).toBe(
    'rest_invalid_param',
  );
  const session = await opened.fixture.store.token(seller());
  expect((await api().post('/orders', { ...order, quote_token: session })).status).toBe(400);
  opened.fixture.store.clock.advance(16 * 60);
  expect((await api().post('/orders', order)).body.code).toBe('quote_expired');
});

test("the number of a coupon's uses is shown only to keys that may read coupons", async () => {
  const code = await coupon({ limit_use: 5 });
  const cart = { product_id: product(), coupon: code };
  const visitor = await opened.fixture.store.key('checkout:read');
  const seen = (await visitor.post('/checkout/calculate', cart)).body.data.coupon;
  expect(seen).not.toHaveProperty('usage');
  expect(seen).not.toHaveProperty('limit_use');
  const staff = await opened.fixture.store.key('checkout:read', 'coupons:read');
  const known = (await staff.post('/checkout/calculate', cart)).body.data.coupon;
  expect(known).toMatchObject({ usage: 0, limit_use: 5 });
});
