import { addSeconds } from '../../../src/lib/instant.ts';
import type { Examples } from '../examples.ts';
import type { Scene } from '../scene.ts';

export const reminders: Examples = {
  'reminders.list': () => ({}),
  'reminders.get': async (scene) => ({ params: { id: await newReminder(scene) } }),
  'reminders.create': async (scene) => ({ body: { ...text, order_id: await scene.newOrder() } }),
  'reminders.update': async (scene) => ({
    params: { id: await newReminder(scene) },
    body: { title: 'Your order waits' },
  }),
  'reminders.resend': async (scene) => ({ params: { id: await newReminder(scene) } }),
  'reminders.delete': async (scene) => ({ params: { id: await newReminder(scene) } }),

  'reminderTemplates.list': () => ({}),
  'reminderTemplates.create': () => ({ body: template }),
  'reminderTemplates.update': async (scene) => ({
    params: { id: await newTemplate(scene) },
    body: { active: false },
  }),
  'reminderTemplates.delete': async (scene) => ({ params: { id: await newTemplate(scene) } }),
};

const text = { title: 'Your order', content: 'It waits for your payment.' };

/** A reminder that is not due during the test. */
async function newReminder(scene: Scene): Promise<number> {
  const order_id = await scene.newOrder();
  const scheduled_at = addSeconds(scene.store.clock.now().toISOString(), 86_400);
  return (await scene.create('/reminders', { ...text, order_id, scheduled_at })).id;
}

const template = { ...text, type: 'order', offset: 1 };

const newTemplate = async (scene: Scene) =>
  (await scene.create('/reminder-templates', template)).id;
