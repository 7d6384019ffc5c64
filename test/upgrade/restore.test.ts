import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { restoreArchive } from '../../src/cli/archive/restore.ts';
import { newSealKey } from '../../src/cli/archive/seal.ts';
import { writeArchive } from '../../src/cli/archive/write.ts';
import { checkIntegrity } from '../../src/cli/integrity/index.ts';
import { migrations } from '../../src/cli/migrations/migrate.ts';
import { emptyDatabase, openOldStore } from './old-store.ts';
import { long } from '../harness/long.ts';

long(
  'A backup of the first version is read into an empty database row by row, and brought up to date',
  async () => {
    const parent = await mkdtemp(join(tmpdir(), 'backup-'));
    const folder = join(parent, 'backup');
    const old = await openOldStore('v0.0.0');
    const empty = await emptyDatabase();
    const key = newSealKey();
    const heard = () => undefined;
    try {
      const written = await writeArchive(old.database, folder, heard, key);
      expect(written.schema).toBe(migrations[2]?.hash);
      await restoreArchive(empty.url, folder, heard, key);
      const { rows } = await empty.client.query<{ hash: string; orders: number }>(
        `select (select hash from drizzle.__drizzle_migrations order by id desc limit 1) as hash,
              (select count(*)::int from orders) as orders`,
      );
      expect(rows).toEqual([
        { hash: migrations.at(-1)?.hash, orders: written.tables['orders']?.rows },
      ]);
      const checks = await checkIntegrity(empty.client);
      expect(checks.filter(({ differences }) => differences > 0)).toEqual([]);
    } finally {
      await empty.client.end();
      await old.close();
      await rm(parent, { recursive: true });
    }
  },
);
