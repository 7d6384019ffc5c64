import type { Examples } from '../examples.ts';

export const orders: Examples = {
  'overview.get': () => ({}),
  'orders.list': () => ({}),
  'orders.count': () => ({}),
  'orders.sum': () => ({}),
  'orders.get': ({ order }) => ({ params: { id: order } }),
  'orders.create': ({ product, buyer }) => ({ body: { product_id: product, user_id: buyer } }),
  'orders.update': async (scene) => ({
    params: { id: await scene.newOrder() },
    body: { status: 'in-progress' },
  }),
  'orders.delete': async (scene) => ({ params: { id: await scene.newOrder() } }),
};
