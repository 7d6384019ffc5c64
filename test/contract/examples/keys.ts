import type { Examples } from '../examples.ts';
import type { Scene } from '../scene.ts';

const newKey = async ({ store }: Scene) => {
  const { id } = await store.createKey({ scopes: ['orders:read'] });
  return { params: { id } };
};

export const keys: Examples = {
  'keys.list': () => ({}),
  'keys.get': newKey,
  'keys.create': () => ({
    body: { name: 'Shop backend', scopes: ['orders:read'], ip_allow: ['203.0.113.0/24'] },
  }),
  'keys.update': async (scene) => ({
    ...(await newKey(scene)),
    body: { name: 'Bookkeeping', expires_at: '2027-01-31T17:00:00.000Z' },
  }),
  'keys.rotate': async (scene) => ({ ...(await newKey(scene)), body: { overlap: 900 } }),
  'keys.revoke': newKey,
  'keys.use': newKey,
};
