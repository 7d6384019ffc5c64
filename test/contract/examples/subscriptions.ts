import type { Examples } from '../examples.ts';
import type { Scene } from '../scene.ts';

export const subscriptions: Examples = {
  'subscriptions.list': () => ({}),
  'subscriptions.get': async (scene) => ({ params: { id: await newSubscription(scene) } }),
  'subscriptions.update': async (scene) => ({
    params: { id: await newSubscription(scene) },
    body: { note: 'Asked for it.' },
  }),
  'subscriptions.cancel': async (scene) => ({
    params: { id: await newSubscription(scene) },
    body: { at: 'end', reason: 'too expensive' },
  }),
  'subscriptions.pause': async (scene) => ({
    params: { id: await newSubscription(scene) },
    body: {},
  }),
  'subscriptions.resume': async (scene) => {
    const id = await newSubscription(scene);
    await scene.api.post(`/subscriptions/${id}/pause`, {});
    return { params: { id } };
  },
};

/** A running subscription of the buyer to a new product. */
export async function newSubscription(scene: Scene): Promise<number> {
  const product_id = await scene.newProduct({ subscription: { active: true } });
  await scene.newOrder({ product_id, status: 'completed' });
  const { body } = await scene.api.get(`/subscriptions?product_id=${product_id}`);
  return body.data[0].id;
}
