import type { Examples } from '../examples.ts';

export const orders: Examples = {
  'orders.list': () => ({}),
  'orders.get': async (scene) => ({ params: { id: await scene.newOrder() } }),
  'orders.create': async (scene) => ({
    body: { product_id: await scene.newProduct(), user_id: scene.buyer },
  }),
  'orders.update': async (scene) => ({
    params: { id: await scene.newOrder() },
    body: { status: 'in-progress' },
  }),
  'orders.delete': async (scene) => ({ params: { id: await scene.newOrder() } }),
};
