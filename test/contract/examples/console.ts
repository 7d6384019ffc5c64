import { ConsoleLinks } from '../../../src/cli/console-links.ts';
import type { Examples } from '../examples.ts';
import type { Scene } from '../scene.ts';

/** The secret of a new link for an administrator. */
async function newLink(scene: Scene): Promise<string> {
  const { store } = scene;
  const {
    rows: [person],
  } = await store.database.query<{ email: string }>('select email from users where id = $1', [
    scene.administrator,
  ]);
  const { API_KEY_PEPPERS = '' } = await store.environment;
  const links = new ConsoleLinks(store.database, API_KEY_PEPPERS);
  const link = await links.create(person?.email ?? '', 'https://shop.example', store.clock.now());
  return link?.split('#link=')[1] ?? '';
}

export const consoleSessions: Examples = {
  'console.links.look': async (scene) => ({ body: { link: await newLink(scene) } }),
  'console.session.create': async (scene) => ({ body: { link: await newLink(scene) } }),
  'console.session.get': () => ({}),
  'console.session.delete': () => ({}),
  'console.sessions.list': () => ({}),
  'console.setup.get': () => ({}),
  'console.setup.check': () => ({ body: { gateway: 'stripe' } }),
  'console.sessions.delete': async ({ store, administrator }) => {
    await store.consoleSession(administrator);
    const {
      rows: [session],
    } = await store.database.query<{ id: string }>(
      'select max(id) as id from console_sessions where user_id = $1',
      [administrator],
    );
    return { params: { id: Number(session?.id) } };
  },
};
