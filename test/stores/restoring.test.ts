import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { importStore } from '../../src/cli/archive/import.ts';
import { writeArchive } from '../../src/cli/archive/write.ts';
import { restoreSteps } from '../../src/cli/store/restoring.ts';
import { addSecrets, completeSecrets, readSecrets } from '../../src/cli/store/secrets.ts';
import { long } from '../harness/long.ts';
import { useStore } from '../harness/store.ts';
import { emptyDatabase } from '../upgrade/old-store.ts';

const opened = useStore();
const store = {
  ...{ name: 'roti', namespace: 2001, owner: 'a@shop.example', currency: 'IDR' },
  address: 'https://api.shop.example',
};

long(
  'A restored backup is not imported over the store, and a repeated restore leaves out ids once',
  async () => {
    const parent = await mkdtemp(join(tmpdir(), 'restoring-'));
    const folder = join(parent, 'backup');
    const { url, client } = await emptyDatabase();
    vi.stubEnv('STORES_DIR', parent);
    vi.stubEnv('DATABASE_URL', url);
    const run = (name: string) =>
      restoreSteps(store, folder, { database: url })
        .find((step) => step.name === name)
        ?.run();
    const lastUser = async () =>
      (await client.query('select last_value from users_id_seq')).rows[0].last_value as string;
    try {
      await writeArchive(opened.store.database, folder, () => undefined);
      await run('database');
      await run('read');
      const last = await lastUser();
      await expect(importStore(folder, true)).rejects.toThrow('is not empty');
      expect(await run('read')).toBe('was read before');
      expect(await lastUser()).toBe(last);
    } finally {
      vi.unstubAllEnvs();
      await client.end();
      await rm(parent, { recursive: true });
    }
  },
);

test('A restore that goes on after a rotation keeps the strings, and lists no live database as an old one', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'restoring-'));
  vi.stubEnv('STORES_DIR', parent);
  const { databaseUrl } = opened.store;
  const change = restoreSteps(store, parent, {}).find(({ name }) => name === 'secrets');
  const use = (url: string) =>
    addSecrets(store, { DATABASE_URL: url, DATABASE_URL_DIRECT: url, NEON_PROJECT_ID: '' });
  try {
    await completeSecrets(store);
    const database = { pooled: databaseUrl, direct: databaseUrl };
    const restoring = { folder: parent, since: new Date(0).toISOString(), database, isRead: true };
    await writeFile(join(parent, 'roti.restoring'), JSON.stringify(restoring));
    const rotated = new URL(databaseUrl);
    rotated.searchParams.set('application_name', 'second');
    const secrets = await use(rotated.href);
    expect(await change?.run()).toBe('as they were');
    expect(await readSecrets(store)).toEqual(secrets);
    const down = new URL(databaseUrl);
    down.pathname = '/none';
    await use(down.href);
    expect(await change?.run()).toContain('the previous one is kept');
    const { OLD_DATABASES = '', DATABASE_URL } = await readSecrets(store);
    expect([DATABASE_URL, JSON.parse(OLD_DATABASES)]).toEqual([
      databaseUrl,
      [expect.objectContaining({ direct: down.href })],
    ]);
  } finally {
    vi.unstubAllEnvs();
    await rm(parent, { recursive: true });
  }
});
