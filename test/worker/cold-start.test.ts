import { resolve } from 'node:path';
import type { Plugin } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWorker, runBareWorkerd } from '../../src/local/worker/index.ts';
import { type Store, openStore } from '../harness/store.ts';

/** Makes each module record when it is evaluated. */
const marked: Plugin = {
  name: 'marked',
  transform: {
    filter: { id: /\/(src|node_modules)\/.*\.m?[jt]s$/ },
    handler(code, id) {
      const name = /(src|node_modules)\/(?!.*node_modules\/).*$/.exec(id)?.[0];
      return { code: `(globalThis.evaluated ??= []).push(${JSON.stringify(name)});\n${code}` };
    },
  },
};

let store: Store;
let worker: Awaited<ReturnType<typeof runBareWorkerd>>;

beforeAll(async () => {
  const entry = resolve(import.meta.dirname, 'fixtures/evaluated.ts');
  const script = await buildWorker(entry, { modules: [], plugins: [marked] });
  store = await openStore();
  // workerd uses the machine's clock, so tokens must use it, too.
  store.clock.set(new Date().toISOString());
  worker = await runBareWorkerd({
    script,
    bindings: { ...(await store.environment), MODULES: '' },
    neonUrl: store.neon.url,
    compatibilityDate: '2026-10-20',
    compatibilityFlags: ['global_fetch_strictly_public'],
  });
});

afterAll(async () => {
  await worker.stop();
  await store.close();
});

const ask = (path: string, headers: Record<string, string> = {}) =>
  fetch(worker.url + path, { headers });

/** The evaluated modules, of the service and of packages. */
async function evaluated() {
  const names = (await (await ask('/evaluated')).json()) as string[];
  return {
    ours: names.filter((name) => name.startsWith('src/')),
    packages: names.filter((name) => !name.startsWith('src/')),
  };
}

const packagesOf = (names: readonly string[]) =>
  new Set(names.map((name) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(name)?.[1]));

const foldersOf = (names: readonly string[]) =>
  new Set(names.map((name) => /^src\/([^/]+)\//.exec(name)?.[1]));

test('a worker evaluates little before its first request, only the needed modules for the first /me, and none for the second', async () => {
  const started = await evaluated();
  // None of the code of operations, statements and tables, or of the database's driver.
  for (const folder of [
    'operations',
    'actions',
    'processes',
    'queries',
    'reactions',
    'providers',
    'jobs',
    'modules',
  ])
    expect(foldersOf(started.ours)).not.toContain(folder);
  for (const name of ['drizzle-orm', '@neondatabase/serverless'])
    expect(packagesOf(started.packages)).not.toContain(name);
  expect(started.ours.length).toBeLessThanOrEqual(79);
  expect(started.packages.length).toBeLessThanOrEqual(70);

  expect((await ask('/healthz')).status).toBe(200);
  const healthy = await evaluated();
  expect(packagesOf(healthy.packages)).not.toContain('drizzle-orm');
  expect(healthy.ours.length).toBeLessThanOrEqual(100);

  const { rows } = await store.database.query<{ id: string }>(
    `insert into users (email, created_at, updated_at) values ('own@x.example', now(), now()) returning id`,
  );
  const authorization = `Bearer ${await store.token(Number(rows[0]?.id))}`;
  expect((await ask('/api/svc/v1/me', { authorization })).status).toBe(200);
  const own = await evaluated();
  const ofOperations = /^src\/(actions|processes|operations)\//;
  expect(own.ours.filter((name) => ofOperations.test(name)).toSorted()).toEqual([
    'src/actions/me/profile-schemas.ts',
    'src/actions/me/profile.ts',
    'src/operations/me/get.ts',
    'src/operations/platform/healthz.ts',
  ]);
  expect(own.ours.length).toBeLessThanOrEqual(136);

  expect((await ask('/api/svc/v1/me', { authorization })).status).toBe(200);
  expect(await evaluated()).toEqual(own);
});
