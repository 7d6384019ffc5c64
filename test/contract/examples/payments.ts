import type { Examples } from '../examples.ts';
import type { Scene } from '../scene.ts';

export const payments: Examples = {
  'payments.gateways': () => ({}),
  'orders.paymentInstructions': ({ order }) => ({ params: { id: order } }),
  'orders.paymentGateway': ({ order }) => ({ params: { id: order } }),

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
