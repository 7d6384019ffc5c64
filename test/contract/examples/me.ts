import type { Examples } from '../examples.ts';

export const me: Examples = {
  'me.get': () => ({}),
  'me.orders': () => ({}),
  'me.order': ({ order }) => ({ params: { id: order } }),
  'me.orderStatus': async (scene) => ({
    params: { id: await scene.newOrder() },
    body: { status: 'in-progress' },
  }),
};
