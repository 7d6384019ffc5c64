import type { Examples } from '../examples.ts';
import type { Scene } from '../scene.ts';

export const webhooks: Examples = {
  'webhooks.list': () => ({}),
  'webhooks.get': async (scene) => ({ params: { id: await newWebhook(scene) } }),
  'webhooks.create': () => ({ body: { url: nowhere, events: ['ping'] } }),
  'webhooks.update': async (scene) => ({
    params: { id: await newWebhook(scene) },
    body: { name: 'Bookkeeping' },
  }),
  'webhooks.rotate': async (scene) => ({ params: { id: await newWebhook(scene) } }),
  'webhooks.delete': async (scene) => ({ params: { id: await newWebhook(scene) } }),
  'webhooks.test': async (scene) => ({ params: { id: await newWebhook(scene) } }),
  'webhooks.replay': async (scene) => ({
    params: { id: await newWebhook(scene) },
    body: { from: '2026-03-01T00:00:00Z' },
  }),
  'webhooks.deliveries': async (scene) => ({ params: { id: await testedWebhook(scene) } }),
  'webhooks.delivery': async (scene) => ({
    params: { id: await testedWebhook(scene), log_id: 1 },
  }),
  'webhooks.figures': async (scene) => ({ params: { id: await testedWebhook(scene) } }),
  'webhooks.countReplay': async (scene) => ({
    params: { id: await newWebhook(scene) },
    query: { from: '2026-03-01T00:00:00Z' },
  }),
  'webhooks.resend': async (scene) => ({
    params: { id: await testedWebhook(scene), log_id: 1 },
  }),

  'notify.feed': async (scene) => ({ query: { webhook_id: String(await newWebhook(scene)) } }),
  'notify.sink': () => ({ body: { anything: 1 }, trips: 0 }),
};

const nowhere = 'http://127.0.0.1:1/';

/** A webhook that only gets its own tests. */
const newWebhook = async (scene: Scene) =>
  (await scene.create('/webhooks', { url: nowhere, events: ['ping'] })).id;

async function testedWebhook(scene: Scene): Promise<number> {
  const id = await newWebhook(scene);
  for (const wait of [60, 0]) {
    await scene.api.post(`/webhooks/${id}/test`);
    await scene.store.settled();
    scene.store.clock.advance(wait);
  }
  return id;
}
