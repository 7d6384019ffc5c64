import { beforeAll, expect, test } from 'vitest';
import type { ApiClient } from '../harness/client.ts';
import { expectIntegrity } from '../harness/integrity.ts';
import { useStore } from '../harness/store.ts';

const stage = useStore();
let api: ApiClient;
let course: number;
let coffee: number;
let buyer: number;

beforeAll(async () => {
  await stage.store.database.query('update settings set manual_accounts = $1', [
    JSON.stringify([{ id: 'BCA', bank: 'BCA', owner: 'Store', account_number: '123' }]),
  ]);
  api = await stage.store.key();
  const id = async (path: string, body: object) => (await api.post(path, body)).body.data.id;
  course = await id('/products', { title: 'Course', price: 10_000 });
  coffee = await id('/products', { title: 'Coffee', price: 900, type: 'physical' });
  buyer = await id('/users', { email: 'buyer@x.example' });
});

const place = async (more: object = {}) =>
  (await api.post('/orders', { product_id: course, user_id: buyer, ...more })).body.data;

test('a cart goes from its price to the full refund with the same figures at every step', async () => {
  await api.post('/coupons', { code: 'TEN', discount: { value: 10, type: 'percentage' } });
  const cart = { product_id: course, user_id: buyer, quantity: 2, coupon: 'TEN' };
  const { data: priced } = (await api.post('/checkout/calculate', cart)).body;
  expect(priced).toMatchObject({
    valid: true,
    subtotal: 20_000,
    discount_total: 2000,
    grand_total: 18_000,
    lines: [
      { kind: 'product', amount: 20_000 },
      { kind: 'discount', amount: -2000 },
    ],
  });
  const quote = await api.get(
    `/checkout/quote?product_id=${course}&user_id=${buyer}&quantity=2&coupon=TEN`,
  );
  expect(quote.body.data).toMatchObject(priced);
  const { quote_token } = quote.body.data;
  const order = await place({ quote_token });
  expect(order).toMatchObject({ grand_total: 18_000, payment_status: 'unpaid' });

  const instructions = await api.get(`/orders/${order.id}/payment-instructions`);
  expect(instructions.body.data).toMatchObject({
    amount_due: 18_000,
    accounts: [{ id: 'BCA', account_number: '123' }],
    steps: [
      expect.stringContaining('USD 180.00'),
      expect.stringContaining(order.number),
      expect.any(String),
    ],
  });

  const confirmed = await api.post(`/orders/${order.id}/confirmation`, {
    sender: 'Bo',
    detail: { total: 18_000 },
  });
  expect(confirmed).toMatchObject({
    status: 201,
    trips: 2,
    body: { data: { status: 'pending', amount_expected: 18_000, amount_matches: true } },
  });
  expect((await api.get(`/orders/${order.id}`)).body.data.payment_status).toBe('in-review');
  const approved = await api.post(`/confirmations/${confirmed.body.data.id}`, {
    status: 'approved',
  });
  expect(approved).toMatchObject({ status: 200, trips: 2, body: { data: { status: 'approved' } } });
  expect((await api.get(`/orders/${order.id}`)).body.data).toMatchObject({
    status: 'completed',
    payment_status: 'paid',
  });
  expect((await api.get(`/orders/${order.id}/payment-instructions`)).body.data.amount_due).toBe(0);

  const part = await api.post(`/orders/${order.id}/refunds`, { amount: 5000, reason: 'late' });
  expect(part).toMatchObject({
    status: 201,
    trips: 2,
    body: {
      data: {
        refund: { amount: 5000, reason: 'late' },
        order: { status: 'completed', payment_status: 'partially-refunded', net_total: 13_000 },
      },
    },
  });
  const much = await api.post(`/orders/${order.id}/refunds`, { amount: 13_001 });
  expect(much).toMatchObject({ status: 409, body: { code: 'refund_exceeds_paid' } });
  const rest = await api.post(`/orders/${order.id}/refunds`);
  expect(rest.body.data).toMatchObject({
    refund: { amount: 13_000 },
    order: { status: 'refunded', payment_status: 'refunded', net_total: 0 },
  });
  const again = await api.post(`/orders/${order.id}/refunds`);
  expect(again).toMatchObject({ status: 409, body: { code: 'nothing_payable' } });
  const { body } = await api.get(`/orders/${order.id}/refunds`);
  expect(body.data.map(({ amount }: { amount: number }) => amount)).toEqual([13_000, 5000]);
  expect((await api.get('/coupons/TEN')).body.data.usage).toBe(0);
  expect((await api.get('/orders?output=sum')).body.data.sums[0].net_total).toBe(0);
});

test('setting the status to refunded returns the rest, and a cancellation after payment returns everything', async () => {
  const one = await place();
  await api.patch(`/orders/${one.id}`, { status: 'completed' });
  await api.post(`/orders/${one.id}/refunds`, { amount: 1 });
  await api.patch(`/orders/${one.id}`, { status: 'refunded', reason: 'broken' });
  const { body } = await api.get(`/orders/${one.id}/refunds`);
  expect(body.data).toMatchObject([{ amount: 9999, reason: 'broken' }, { amount: 1 }]);

  const other = await place({ product_id: coffee });
  await api.patch(`/orders/${other.id}`, { status: 'in-progress' });
  await api.patch(`/orders/${other.id}`, { status: 'cancelled' });
  expect((await api.get(`/orders/${other.id}/refunds`)).body.data).toMatchObject([{ amount: 900 }]);
});

test('an unpaid order has nothing to refund', async () => {
  const order = await place();
  expect(await api.post(`/orders/${order.id}/refunds`)).toMatchObject({
    status: 409,
    body: { code: 'nothing_payable' },
  });
});

test('parallel refunds never give back more than was paid', async () => {
  const order = await place();
  await api.patch(`/orders/${order.id}`, { status: 'completed' });
  const replies = await Promise.all(
    Array.from({ length: 12 }, () => api.post(`/orders/${order.id}/refunds`, { amount: 3000 })),
  );
  const granted = replies.filter(({ status }) => status === 201).length;
  const { body } = await api.get(`/orders/${order.id}`);
  expect(body.data.refunded_total).toBe(granted * 3000);
  expect(granted).toBeLessThanOrEqual(3);
  expect(granted).toBeGreaterThan(0);
});

test('every way to confirm behaves the same, and a new confirmation supersedes the pending one', async () => {
  const order = await place();
  const paths = [
    ['/confirmations', { order_id: order.id, proof: 'https://img.example/1.jpg' }],
    [`/orders/${order.id}/confirmations`, { proof: 'https://img.example/2.jpg' }],
    [`/orders/${order.id}/confirmation`, { detail: { proof: 'https://img.example/1.jpg' } }],
  ] as const;
  const ids = [];
  for (const [path, body] of paths) {
    const reply = await api.post(path, body);
    expect(reply.status).toBe(201);
    ids.push(reply.body.data.id);
  }
  const { body } = await api.get(`/confirmations?order_id=${order.id}`);
  expect(body.data).toMatchObject([
    { id: ids[2], status: 'pending', duplicate_of: ids[0] },
    { id: ids[1], status: 'superseded', duplicate_of: null },
    { id: ids[0], status: 'superseded' },
  ]);
  expect(body.data).toMatchObject((await api.get(`/orders/${order.id}/confirmations`)).body.data);
  expect(await api.post(`/confirmations/${ids[0]}`, { status: 'approved' })).toMatchObject({
    status: 409,
    body: { code: 'confirmation_not_pending' },
  });
});

test('a rejected confirmation sends the order back to waiting, with the reason', async () => {
  const order = await place({ product_id: coffee });
  const { body } = await api.post('/confirmations', { order_id: order.id, total: 1 });
  expect(body.data.amount_matches).toBe(false);
  const rejected = await api.post(`/confirmations/${body.data.id}`, {
    status: 'rejected',
    reject_reason: 'not received',
  });
  expect(rejected.body.data).toMatchObject({ status: 'rejected', reject_reason: 'not received' });
  expect((await api.get(`/orders/${order.id}`)).body.data).toMatchObject({
    status: 'on-hold',
    history: [{}, {}, { to: 'on-hold', note: 'not received' }],
  });
  const next = await api.post('/confirmations', { order_id: order.id });
  await api.post(`/confirmations/${next.body.data.id}`, { status: 'approved' });
  expect((await api.get(`/orders/${order.id}`)).body.data.status).toBe('in-progress');
  expect(await api.post('/confirmations', { order_id: order.id })).toMatchObject({
    status: 409,
    body: { code: 'order_not_payable' },
  });
});

test('of two reviewers at once, only one review counts', async () => {
  const order = await place();
  const { body } = await api.post('/confirmations', { order_id: order.id });
  const held = stage.store.neon.faults.next({ statement: 'update "confirmations"', hold: true });
  const approve = api.post(`/confirmations/${body.data.id}`, { status: 'approved' });
  await held.reached;
  const reject = api.post(`/confirmations/${body.data.id}`, { status: 'rejected' });
  held.release();
  const statuses = [(await approve).status, (await reject).status];
  expect(statuses).toEqual([200, 409]);
});

test('open orders never wait for the same amount', async () => {
  await stage.store.database.query(
    'update settings set unique_code_enabled = true, version = version + 1',
  );
  const orders = await Promise.all(Array.from({ length: 40 }, () => place()));
  const figures = orders.map(({ grand_total }) => grand_total);
  expect(new Set(figures).size).toBe(40);
  for (const { unique_code, grand_total } of orders) {
    expect(unique_code).toBeGreaterThanOrEqual(1);
    expect(unique_code).toBeLessThanOrEqual(999);
    expect(grand_total).toBe(10_000 + unique_code);
  }
});

test('the gateways are those of the store, and an account can be chosen', async () => {
  const { body } = await api.get('/payments/gateways');
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['manual', 'cod', 'free']);
  const order = await place({ payment_gateway: 'manual:BCA' });
  const opened = await api.get(`/orders/${order.id}/payment-gateway`);
  expect(opened.body.data).toMatchObject({
    order_id: order.id,
    gateway: { id: 'manual', options: [{ id: 'BCA' }] },
    session: null,
    reused: false,
  });
});

test('a transfer of any offset is kept as the same moment in UTC', async () => {
  const { id: order_id } = await place();
  const confirm = (transferred_at: string) =>
    api.post('/confirmations', { order_id, transferred_at });
  expect((await confirm('2026-03-10T09:30:00+07:00')).body.data.transferred_at).toBe(
    '2026-03-10T02:30:00.000Z',
  );
  expect((await confirm('0000-03-10T09:30:00Z')).status).toBe(400);
});

test('an order that changes to transfer gets a code of its own, and loses it when it changes to another gateway', async () => {
  const parcel = await stage.store
    .key()
    .then((key) =>
      key.post('/products', {
        title: 'Tea',
        price: 900,
        type: 'physical',
        cod: { active: true, fee: 100 },
      }),
    )
    .then(({ body }) => body.data.id);
  const order = await place({ product_id: parcel, payment_gateway: 'cod' });
  await api.patch(`/orders/${order.id}`, { status: 'on-hold' });
  const pay = async (payment_gateway: string) =>
    (await api.patch(`/orders/${order.id}`, { payment_gateway })).body.data;
  const transferred = await pay('manual');
  expect(transferred.unique_code).toBeGreaterThanOrEqual(1);
  expect(transferred.grand_total).toBe(900 + transferred.unique_code);
  expect(await pay('manual:BCA')).toMatchObject({ unique_code: transferred.unique_code });
  expect(await pay('cod')).toMatchObject({ unique_code: 0, fee_total: 100, grand_total: 1000 });
});

test('a total that another open order waits for is refused with this reason', async () => {
  const [one, other] = [await place(), await place()];
  const taken = { grand_total: other.grand_total };
  expect(await api.patch(`/orders/${one.id}`, taken)).toMatchObject({
    status: 409,
    body: { code: 'transfer_figure_taken' },
  });
  // The amount of an order that has just been cancelled is refused, too: its transfer may be on its way.
  await api.patch(`/orders/${one.id}`, { status: 'cancelled' });
  const freed = { grand_total: one.grand_total };
  expect(await api.patch(`/orders/${other.id}`, freed)).toMatchObject({
    status: 409,
    body: { code: 'transfer_figure_taken' },
  });
});

test('a checkout names the reasons for which its order would be refused', async () => {
  const { body } = await api.post('/products', {
    title: 'Lamp',
    price: 5000,
    type: 'physical',
    limit_buy_time: 60,
    access_code: 'sesame',
    enable_sale: false,
    cod: { active: true, fee: 0 },
  });
  const cart = { product_id: body.data.id, user_id: buyer, access_code: 'sesame' };
  const by = async (payment_gateway: string) => {
    const way = { ...cart, payment_gateway };
    const priced = await api.post('/checkout/calculate', way);
    const ordered = await api.post('/orders', way);
    return [priced.body.data.valid, priced.body.data.messages.length, ordered.status];
  };
  expect(await by('nobody')).toEqual([false, 1, 400]);
  expect(await by('cod')).toEqual([true, 0, 201]);
  expect(await by('cod')).toEqual([false, 1, 409]);
  const closed = await api.post('/checkout/calculate', { ...cart, access_code: 'other' });
  expect(closed).toMatchObject({ status: 409, body: { code: 'product_closed' } });
  const quote = await api.get(`/checkout/quote?product_id=${body.data.id}&access_code=sesame`);
  const [, claims = ''] = quote.body.data.quote_token.split('.');
  expect(atob(claims)).not.toContain('sesame');
});

test('after these tests every derived figure is right', () => expectIntegrity(stage));
