import type { Examples } from '../examples.ts';

export const users: Examples = {
  'sessions.create': ({ administrator }) => ({ body: { user_id: administrator } }),
  'sessions.revoke': () => ({ params: { sid: crypto.randomUUID() }, trips: 1 }),
  'sessions.revokeAll': async (scene) => ({ params: { id: await scene.newUser() } }),
  'users.list': () => ({}),
  'users.lookup': ({ buyer }) => ({ query: { id: String(buyer) } }),
  'users.state': ({ buyer }) => ({ params: { id: buyer } }),
  'users.stateByExternalId': async (scene) => {
    const external_id = crypto.randomUUID();
    await scene.newUser({ external_ids: { forum: external_id } });
    return { query: { provider: 'forum', external_id } };
  },
  'users.get': ({ buyer }) => ({ params: { id: buyer } }),
  'users.canAccessAdmin': ({ buyer }) => ({ params: { id: buyer } }),
  'users.canAccessAffiliate': ({ buyer }) => ({ params: { id: buyer } }),
  'users.hasBought': async (scene) => ({
    params: { id: scene.buyer },
    query: { product_id: String(scene.product) },
  }),
  'users.export': ({ buyer }) => ({ params: { id: buyer } }),
  'users.uplines': ({ buyer }) => ({ params: { id: buyer } }),
  'users.downlines': ({ affiliate }) => ({ params: { id: affiliate } }),
  'users.create': (scene) => ({ body: { email: scene.newEmail() } }),
  'users.update': async (scene) => ({
    params: { id: await scene.newUser() },
    body: { first_name: 'Bo' },
  }),
  'users.delete': async (scene) => ({ params: { id: await scene.newUser() } }),
};
