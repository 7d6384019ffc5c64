import { createHmac } from 'node:crypto';
import type { Examples } from '../examples.ts';
import type { Scene } from '../scene.ts';

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

  'confirmations.list': () => ({}),
  'confirmations.get': async (scene) => ({ params: { id: await newConfirmation(scene) } }),
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
  'refunds.create': async (scene) => ({
    params: { id: await scene.newOrder({ status: 'completed' }) },
    body: { amount: 5000 },
  }),
};

async function newConfirmation(scene: Scene): Promise<number> {
  const order_id = await scene.newOrder();
  return (await scene.create('/confirmations', { order_id, total: 15_000 })).id;
}

/** Configuration with which events of a payment provider are accepted. */
export const paymentProvider = {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_test_secret',
};

/** The signature of the payment provider. */
function signed(body: string, { store }: Scene): Record<string, string> {
  const time = Math.floor(store.clock.now().getTime() / 1000);
  const hmac = createHmac('sha256', paymentProvider.STRIPE_WEBHOOK_SECRET);
  return { 'stripe-signature': `t=${time},v1=${hmac.update(`${time}.${body}`).digest('hex')}` };
}
