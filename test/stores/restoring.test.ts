import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { importStore } from '../../src/cli/archive/import.ts';
import { writeArchive } from '../../src/cli/archive/write.ts';
import { restoreSteps } from '../../src/cli/store/restoring.ts';
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
