import { hashesOfCode } from '../../../src/actions/console/links.ts';
import { readPeppers } from '../../../src/kernel/auth/secret-token.ts';
import { ConsoleLinks } from '../../../src/cli/console-links.ts';
import type { Examples } from '../examples.ts';
import type { Scene } from '../scene.ts';

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

/** The headers of a session to which a code was sent. */
async function withCode({ store, administrator }: Scene, code: string) {
  const cookie = await store.consoleSession(administrator);
  const peppers = await readPeppers((await store.environment).API_KEY_PEPPERS ?? '');
  const [hash] = await hashesOfCode(code, /svcses_([^_]+)_/.exec(cookie)?.[1] ?? '', { peppers });
  await store.database.query(
    `insert into console_codes (hash, user_id, session_id, created_at, expires_at)
     select $1, user_id, id, $2, $2::timestamptz + interval '10 minutes'
       from console_sessions order by id desc limit 1`,
    [hash, store.clock.now()],
  );
  return () => ({ cookie });
}

/** Signs a new member in to the pages of their account. */
async function withAccountSession(scene: Scene): Promise<number> {
  const id = await scene.newUser();
  const { store } = scene;
  await store.database.query(
    `insert into account_sessions (prefix, hash, user_id, created_at, expires_at)
     values ('x7Kq2mVb9TzL', '', $1, $2, $2::timestamptz + interval '30 days')
     on conflict (prefix) do update set user_id = excluded.user_id`,
    [id, store.clock.now()],
  );
  return id;
}

export const consoleSessions: Examples = {
  'console.links.look': async (scene) => ({ body: { link: await newLink(scene) } }),
  'console.session.create': async (scene) => ({ body: { link: await newLink(scene) } }),
  'console.links.request': () => ({
    body: { email: 'administrator@people.example' },
    trips: 0,
  }),
  'console.links.create': async (scene) => ({ body: { user_id: await scene.newManager() } }),
  'console.signIn.get': () => ({ trips: 0 }),
  'console.session.get': () => ({}),
  'console.session.sendCode': async ({ store }) => {
    await store.database.query(`delete from messages where kind = 'sign-in-code'`);
    return {};
  },
  'console.session.renew': async (scene) => ({
    body: { code: '118204' },
    headers: await withCode(scene, '118204'),
  }),
  'console.session.delete': () => ({}),
  'console.sessions.list': () => ({}),
  'console.accountSessions.list': async (scene) => ({
    query: { user_id: String(await withAccountSession(scene)) },
  }),
  'console.accountSessions.delete': async (scene) => {
    await withAccountSession(scene);
    return { params: { id: 'x7Kq2mVb9TzL' } };
  },
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
