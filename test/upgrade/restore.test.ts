import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import { expect } from 'vitest';
import { restoreArchive } from '../../src/cli/archive/restore.ts';
import { newSealKey } from '../../src/cli/archive/seal.ts';
import { writeArchive } from '../../src/cli/archive/write.ts';
import { checkIntegrity } from '../../src/cli/integrity/index.ts';
import { findDifferences } from '../../src/cli/store/undone.ts';
import { migrateDatabase, migrations } from '../../src/cli/migrations/migrate.ts';
import { long } from '../harness/long.ts';
import { emptyDatabase, openOldStore } from './old-store.ts';

const heard = () => undefined;

long(
  'A backup of the first version is read into an empty database row by row, and brought up to date',
  async () => {
    const parent = await mkdtemp(join(tmpdir(), 'backup-'));
    const folder = join(parent, 'backup');
    const old = await openOldStore('v0.0.0');
    const empty = await emptyDatabase();
    const key = newSealKey();
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
      const previous = [old.databaseUrl];
      const { found, unread } = await findDifferences(previous, empty.client, written.exported_at);
      expect(unread).toEqual([]);
      const kinds = Object.entries(found).filter(([, ids]) => ids.length > 0);
      // A migration adds scopes to keys.
      expect(kinds.map(([kind]) => kind)).toEqual(['narrowed']);
    } finally {
      await empty.client.end();
      await old.close();
      await rm(parent, { recursive: true });
    }
  },
);

for (const version of ['v0.0.0', 'v0.1.0'] as const)
  long(
    `A store that is restored from a backup of ${version} equals the one that is migrated in place, in every table`,
    async () => {
      const parent = await mkdtemp(join(tmpdir(), 'backup-'));
      const old = await openOldStore(version);
      const empty = await emptyDatabase();
      const write = async (client: Client, name: string) =>
        (await writeArchive(client, join(parent, name), heard)).tables;
      try {
        await write(old.database, 'backup');
        await restoreArchive(empty.url, join(parent, 'backup'), heard, undefined);
        await migrateDatabase(old.databaseUrl);
        expect(await write(empty.client, 'restored')).toEqual(
          await write(old.database, 'migrated'),
        );
        const { rows } = await empty.client.query('select currency from settings');
        expect(rows).toEqual([{ currency: 'IDR' }]);
      } finally {
        await empty.client.end();
        await old.close();
        await rm(parent, { recursive: true });
      }
    },
  );
