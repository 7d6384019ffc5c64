import type { Examples } from '../examples.ts';
import type { Scene } from '../scene.ts';

export const access: Examples = {
  'access.list': () => ({}),
  'access.get': async (scene) => ({ params: { id: (await newAccess(scene)).id } }),
  'access.check': async (scene) => ({
    query: { user_id: String(scene.buyer), product_id: String(scene.product) },
  }),
  'access.create': async (scene) => ({
    body: { user_id: await scene.newUser(), product_id: scene.product },
  }),
  'access.delete': async (scene) => ({ params: { id: (await newAccess(scene)).id } }),
  'access.products': (scene) => ({ params: { id: scene.buyer } }),
  'access.updateProducts': async (scene) => ({
    params: { id: await scene.newUser() },
    body: { product_ids: [scene.product] },
  }),

  'access.listContent': () => ({}),
  'access.getContent': async (scene) => ({ params: { id: (await newContent(scene)).id } }),
  'access.createContent': async (scene) => ({
    body: { title: 'Lesson 1', product_ids: [scene.product] },
  }),
  'access.updateContent': async (scene) => ({
    params: { id: (await newContent(scene)).id },
    body: { title: 'Lesson 2' },
  }),
  'access.deleteContent': async (scene) => ({ params: { id: (await newContent(scene)).id } }),
  'access.checkContent': async (scene) => ({
    params: { id: (await newContent(scene)).id },
    query: { user_id: String(scene.buyer) },
  }),
  'access.getBlockMessage': async (scene) => ({ params: { id: (await newContent(scene)).id } }),
  'access.updateBlockMessage': async (scene) => ({
    params: { id: (await newContent(scene)).id },
    // The value is unchanged, so nothing is written.
    body: { redirect_active: false },
    trips: 1,
  }),
};

const newAccess = async (scene: Scene) =>
  scene.create('/access', { user_id: scene.buyer, product_id: scene.product });

const newContent = async (scene: Scene) =>
  scene.create('/access/content', {
    title: 'Lesson 1',
    product_ids: [scene.product],
  });
