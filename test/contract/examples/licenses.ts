import type { Examples } from '../examples.ts';
import type { Scene } from '../scene.ts';

export const licenses: Examples = {
  'licenses.list': () => ({}),
  'licenses.get': async (scene) => ({ params: { id: (await newLicense(scene)).id } }),
  'licenses.byCode': async (scene) => ({ params: { code: (await newLicense(scene)).code } }),
  'licenses.byString': async (scene) => {
    await newLicense(scene, 'shop.example');
    return { params: { string: 'https://www.shop.example/' } };
  },
  'licenses.create': async (scene) => ({
    body: { product_id: scene.product, user_id: scene.buyer },
  }),
  'licenses.update': async (scene) => ({
    params: { id: (await newLicense(scene)).id },
    body: { activation_limit: 5 },
  }),
  'licenses.register': async (scene) => ({
    body: { license: (await newLicense(scene)).code, string: 'shop.example' },
  }),
  'licenses.validate': async (scene) => ({ body: await registered(scene) }),
  'licenses.validateByQuery': async (scene) => ({ query: await registered(scene) }),
  'licenses.status': async (scene) => ({ body: await registered(scene) }),
  'licenses.statusByQuery': async (scene) => ({ query: await registered(scene) }),
  'licenses.reset': async (scene) => ({ body: await registered(scene) }),
  'licenses.resetByQuery': async (scene) => ({ query: await registered(scene) }),
  'licenses.unregister': async (scene) => ({ body: await registered(scene) }),
  'licenses.unregisterByQuery': async (scene) => ({ query: await registered(scene) }),
};

/** A licence of the buyer, optionally registered for a string. */
async function newLicense(scene: Scene, string?: string): Promise<{ id: number; code: string }> {
  const product_id = scene.product;
  const { body } = await scene.api.post('/licenses', { product_id, user_id: scene.buyer });
  if (string) await scene.api.post('/licenses/register', { license: body.data.code, string });
  return body.data;
}

async function registered(scene: Scene): Promise<{ license: string; string: string }> {
  const string = 'shop.example';
  return { license: (await newLicense(scene, string)).code, string };
}
