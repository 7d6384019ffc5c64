import type { Examples } from '../examples.ts';

export const me: Examples = {
  'me.get': () => ({}),
  'me.orders': () => ({}),
  'me.order': async (scene) => ({ params: { id: await scene.newOrder() } }),
  'me.orderStatus': async (scene) => ({
    params: { id: await scene.newOrder() },
    body: { status: 'in-progress' },
  }),
};
