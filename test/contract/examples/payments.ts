import { createHmac } from 'node:crypto';
import type { Examples } from '../examples.ts';
import type { Scene } from '../scene.ts';
import { uploaded } from './me.ts';

export const payments: Examples = {
  'payments.gateways': () => ({}),
  'orders.paymentInstructions': ({ order }) => ({ params: { id: order } }),
  'orders.paymentGateway': ({ order }) => ({ params: { id: order }, trips: 1 }),
  'payments.callback': (scene) => ({
    params: { gateway: 'stripe' },
    body: { id: 'evt_1', type: 'customer.created', data: { object: {} } },
    headers: (body) => signed(body, scene),
    trips: 0,
  }),
  'payments.unexpected': async (scene) => {
    await newUnexpected(scene);
    return {};
  },
  'payments.resolveUnexpected': async (scene) => ({
    params: { id: await newUnexpected(scene) },
    body: { action: 'refund' },
  }),

  'payments.mutations': () => ({}),
  'payments.resolveMutation': async (scene) => ({
    params: { id: await newMutation(scene) },
    body: { action: 'assign', order_id: await scene.newOrder() },
  }),

  'confirmations.list': () => ({}),
  'confirmations.get': async (scene) => ({ params: { id: await newConfirmation(scene) } }),
  'confirmations.proof': async (scene) => ({ params: { id: await pictured(scene) } }),
  'confirmations.create': async (scene) => ({
    body: { order_id: await scene.newOrder(), total: 15_000 },
  }),
  'confirmations.review': async (scene) => ({
    params: { id: await newConfirmation(scene) },
    body: { status: 'approved' },
  }),
  'confirmations.delete': async (scene) => ({ params: { id: await newConfirmation(scene) } }),
  'orders.confirm': async (scene) => ({
    params: { id: await scene.newOrder() },
    body: { total: 15_000 },
  }),
  'orders.confirmations': ({ order }) => ({ params: { id: order } }),

  'refunds.list': ({ order }) => ({ params: { id: order } }),
  'refunds.listAll': async (scene) => {
    await failedRefund(scene);
    return {};
  },
  'refunds.resolve': async (scene) => ({
    params: { id: await failedRefund(scene) },
    body: { action: 'paid_by_hand' },
  }),
  'refunds.create': async (scene) => ({
    params: { id: await scene.newOrder({ status: 'completed' }) },
    body: { amount: 5000 },
  }),
};

async function newConfirmation(scene: Scene): Promise<number> {
  const order_id = await scene.newOrder();
  return (await scene.create('/confirmations', { order_id, total: 15_000 })).id;
}

async function pictured(scene: Scene): Promise<number> {
  const order_id = await scene.newOrder();
  const key = await uploaded(scene, scene.buyer, { purpose: 'proof', order_id });
  const proof = `/api/svc/v1/me/media/${key}`;
  return (await scene.create('/confirmations', { order_id, proof })).id;
}

async function newUnexpected(scene: Scene): Promise<number> {
  const order = await scene.newOrder({ status: 'cancelled' });
  const at = scene.store.clock.now();
  const { rows } = await scene.store.database.query<{ id: string }>(
    `with session as (
       insert into payment_sessions (order_id, gateway, reference, amount, currency, status,
         paid_amount, paid_currency, refundable, expires_at, created_at, updated_at)
       values ($1, 'stripe', $2, 15000, 'USD', 'paid', 15000, 'USD', true, $3, $3, $3)
       returning *)
     insert into unexpected_payments
       (session_id, order_id, gateway, amount, currency, reason, status, created_at, updated_at)
     select id, order_id, gateway, amount, currency, 'order_cancelled', 'open', created_at, updated_at
       from session returning id`,
    [order, `${order}-${crypto.randomUUID()}`, at],
  );
  return Number(rows[0]?.id);
}

async function failedRefund(scene: Scene): Promise<number> {
  const order = await scene.newOrder({ status: 'completed' });
  const { data } = (await scene.api.post(`/orders/${order}/refunds`, {})).body;
  await scene.store.database.query(
    `with session as (
       insert into payment_sessions (order_id, gateway, reference, amount, currency, status,
         paid_amount, paid_currency, refundable, booked_at, expires_at, created_at, updated_at)
       values ($1, 'stripe', $2, 15000, 'USD', 'paid', 15000, 'USD', true, $3, $3, $3, $3)
       returning *)
     insert into provider_refunds
       (session_id, refund_id, amount, state, made_there, created_at, updated_at)
     select id, $4, amount, 'failed', false, created_at, updated_at from session`,
    [order, `${order}-${crypto.randomUUID()}`, scene.store.clock.now(), data.refund.id],
  );
  return data.refund.id;
}

/** A bank entry of the store that waits for a decision. */
async function newMutation({ store }: Scene): Promise<number> {
  const { rows } = await store.database.query<{ id: string }>(
    `insert into bank_mutations (source, mutation_id, account_number, amount, currency, occurred_at,
       direction, description, status, created_at, updated_at)
     values ('moota', gen_random_uuid(), '1234567890', 15000, 'USD', $1, 'credit', 'TRSF', 'open', $1, $1)
     returning id`,
    [store.clock.now()],
  );
  return Number(rows[0]?.id);
}

/** A configuration that accepts the events of a payment provider. */
export const paymentProvider = {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_test_secret',
};

function signed(body: string, { store }: Scene): Record<string, string> {
  const time = Math.floor(store.clock.now().getTime() / 1000);
  const hmac = createHmac('sha256', paymentProvider.STRIPE_WEBHOOK_SECRET);
  return { 'stripe-signature': `t=${time},v1=${hmac.update(`${time}.${body}`).digest('hex')}` };
}
