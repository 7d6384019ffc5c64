import { createHmac } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { useReceiver } from '../../kernel/events/receiver.ts';
import type { ApiClient } from '../../harness/client.ts';
import { useStore } from '../../harness/store.ts';

const shop = useStore();
/** A small server that speaks the provider's API: the same key gets the same session. */
const provider = useReceiver();
const webhookSecret = 'whsec_test_secret';
const sessions = new Map<string, { id: string; url: string; expires_at: number }>();
let trouble = false;
let api: ApiClient;
let course: number;
let buyer: number;

beforeAll(async () => {
  const environment = await shop.store.environment;
  environment['STRIPE_SECRET_KEY'] = 'sk_test_1';
  environment['STRIPE_WEBHOOK_SECRET'] = webhookSecret;
  environment['STRIPE_API_URL'] = provider.url('');
  provider.answer = ({ headers }) => {
    if (trouble) return { status: 500 };
    const key = headers['idempotency-key'] ?? '';
    const id = `cs_${sessions.size + 1}`;
    const expires_at = Math.floor(shop.store.clock.now().getTime() / 1000) + 1800;
    const session = sessions.get(key) ?? { id, url: `https://pay.example/${id}`, expires_at };
    sessions.set(key, session);
    return { body: JSON.stringify(session) };
  };
  api = await shop.store.key();
  const id = async (path: string, body: object) => (await api.post(path, body)).body.data.id;
  course = await id('/products', { title: 'Course', price: 10_000 });
  buyer = await id('/users', { email: 'buyer@x.example' });
});

beforeEach(() => {
  provider.received.length = 0;
  trouble = false;
});

const place = async () => {
  const order = { product_id: course, user_id: buyer, payment_gateway: 'stripe' };
  return (await api.post('/orders', order)).body.data;
};
const read = async (id: number) => (await api.get(`/orders/${id}`)).body.data;
const gatewayOf = (id: number) => api.get(`/orders/${id}/payment-gateway`);

let events = 0;
/** The provider's event about a session, signed as it signs. */
const event = (session: string, more: object = {}, type = 'checkout.session.completed') => ({
  id: `evt_${++events}`,
  type,
  data: {
    object: {
      id: session,
      amount_total: 10_000,
      currency: 'usd',
      payment_status: 'paid',
      ...more,
    },
  },
});

const post = (body: object, secret = webhookSecret, age = 0) => {
  const text = JSON.stringify(body);
  const time = Math.floor(shop.store.clock.now().getTime() / 1000) - age;
  const signature = createHmac('sha256', secret).update(`${time}.${text}`).digest('hex');
  return shop.store.client().post('/payments/stripe/callback', text, {
    headers: { 'stripe-signature': `t=${time},v1=${signature}` },
  });
};

test('the gateway is offered, opens one payment, and repeats answer with it', async () => {
  const gateways = (await api.get('/payments/gateways')).body.data;
  expect(gateways.at(-1)).toMatchObject({ id: 'stripe', type: 'redirect', active: true });
  const order = await place();
  const first = await gatewayOf(order.id);
  expect(first).toMatchObject({
    status: 200,
    trips: 2,
    body: { data: { gateway: { id: 'stripe' }, session: { status: 'created' }, reused: false } },
  });
  const [request] = provider.received;
  expect(request?.path).toBe('/v1/checkout/sessions');
  expect(request?.headers['authorization']).toBe('Bearer sk_test_1');
  const again = await gatewayOf(order.id);
  expect(again).toMatchObject({ trips: 1, body: { data: { reused: true } } });
  expect(again.body.data.session.url).toBe(first.body.data.session.url);
  expect(provider.received).toHaveLength(1);
  const instructions = await api.get(`/orders/${order.id}/payment-instructions`);
  expect(instructions.body.data).toMatchObject({
    amount_due: 10_000,
    redirect_url: first.body.data.session.url,
  });
});

test('parallel callers open one payment', async () => {
  const order = await place();
  const replies = await Promise.all(Array.from({ length: 8 }, () => gatewayOf(order.id)));
  const urls = new Set(replies.map(({ body }) => body.data.session.url));
  expect(urls.size).toBe(1);
});

test('a payment pays its order once, however often the provider says so', async () => {
  const order = await place();
  const { body } = await gatewayOf(order.id);
  const paid = event(body.data.session.id);
  const replies = await Promise.all(Array.from({ length: 5 }, () => post(paid)));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  const after = await read(order.id);
  expect(after).toMatchObject({ status: 'completed', payment_status: 'paid' });
  expect(after.history).toHaveLength(2);
  expect(await gatewayOf(order.id)).toMatchObject({
    status: 409,
    body: { code: 'order_not_payable' },
  });
});

test.each([
  ['signed with another secret', (body: object) => post(body, 'whsec_other')],
  ['signed too long ago', (body: object) => post(body, webhookSecret, 301)],
  ['not signed', (body: object) => shop.store.client().post('/payments/stripe/callback', body)],
])('an event %s is refused and changes nothing', async (_, send) => {
  const order = await place();
  const { body } = await gatewayOf(order.id);
  expect((await send(event(body.data.session.id))).status).toBe(400);
  expect((await read(order.id)).status).toBe('on-hold');
});

test('a payment of another amount waits for somebody to look at it', async () => {
  const order = await place();
  const { body } = await gatewayOf(order.id);
  await post(event(body.data.session.id, { amount_total: 1 }));
  expect((await read(order.id)).status).toBe('payment-confirm');
});

test('an expired payment leaves the order waiting, and the next one is another', async () => {
  const order = await place();
  const first = await gatewayOf(order.id);
  await post(event(first.body.data.session.id, {}, 'checkout.session.expired'));
  expect((await read(order.id)).status).toBe('on-hold');
  const second = await gatewayOf(order.id);
  expect(second.body.data.reused).toBe(false);
  expect(second.body.data.session.id).not.toBe(first.body.data.session.id);
});

test('a new total opens a payment of that total', async () => {
  const order = await place();
  const first = await gatewayOf(order.id);
  await api.patch(`/orders/${order.id}`, { quantity: 2 });
  const second = await gatewayOf(order.id);
  expect(second.body.data.session.id).not.toBe(first.body.data.session.id);
  await post(event(second.body.data.session.id, { amount_total: 20_000 }));
  expect((await read(order.id)).status).toBe('completed');
});

test('events about nothing of ours are taken and change nothing', async () => {
  expect((await post(event('cs_unknown'))).body).toEqual({ received: true });
  expect((await post(event('cs_1', {}, 'customer.created'))).body).toEqual({ received: true });
});

test('a provider in trouble is a 503 that can be tried again', async () => {
  const order = await place();
  trouble = true;
  const reply = await gatewayOf(order.id);
  expect(reply).toMatchObject({ status: 503, body: { code: 'gateway_unavailable' } });
  expect(reply.headers.get('retry-after')).toBe('5');
  trouble = false;
  expect((await gatewayOf(order.id)).status).toBe(200);
});
