import { createHash } from 'node:crypto';
import {
  appendFile,
  cp,
  mkdir,
  readFile,
  stat,
  truncate,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { importStore } from '../../src/cli/archive/import.ts';
import { manifestPath, readManifest } from '../../src/cli/archive/manifest.ts';
import { readArchive } from '../../src/cli/archive/read.ts';
import { long } from '../harness/long.ts';
import type { Store } from '../harness/store.ts';
import { changeManifest, fill, nobody, useArchives } from './archives.ts';

const archives = useArchives();

/** Replaces a list in the first row of a table by one value, and corrects the hash of the file. */
async function giveList(folder: string, table: string, column: string, value: string) {
  const path = join(folder, `${table}.ndjson`);
  const list = new RegExp(`"${column}": ?\\[[^\\]]*\\]`);
  const before = await readFile(path, 'utf8');
  const text = before.replace(list, `"${column}":["${value}"]`);
  expect(text).not.toBe(before);
  await writeFile(path, text);
  const sha256 = createHash('sha256').update(text).digest('hex');
  await changeManifest(folder, ({ tables }) => Object.assign(tables[table] ?? {}, { sha256 }));
}

describe('An archive is refused, and nothing is written,', () => {
  let whole: string;
  let store: Store;
  beforeAll(async () => {
    await fill(archives.fixture);
    whole = await archives.exported();
    store = await archives.emptyStore();
  });

  const damages: readonly (readonly [string, RegExp, (folder: string) => Promise<unknown>])[] = [
    [
      'where a row was changed',
      /users\.ndjson differs from the export/,
      async (folder) => {
        const path = join(folder, 'users.ndjson');
        const text = await readFile(path, 'utf8');
        await writeFile(path, text.replace('@people.example', '@other.example'));
      },
    ],
    [
      'where a sequence has a larger value than any store reaches',
      /gives 2000000000001 as the last value of .*users_id_seq/,
      (folder) =>
        changeManifest(folder, ({ sequences }) => {
          for (const one of sequences)
            if (one.name.includes('users_id')) one.last_value = '2000000000001';
        }),
    ],
    [
      'where the end of a file is missing',
      /orders\.ndjson differs from the export/,
      async (folder) => {
        const path = join(folder, 'orders.ndjson');
        const text = await readFile(path, 'utf8');
        await writeFile(path, text.slice(0, text.trimEnd().lastIndexOf('\n') + 1));
      },
    ],
    [
      'where a line has no end',
      /orders\.ndjson differs from the export/,
      async (folder) => {
        const path = join(folder, 'orders.ndjson');
        await truncate(path, (await stat(path)).size - 20);
      },
    ],
    [
      'where a line is there twice',
      /users\.ndjson differs from the export/,
      async (folder) => {
        const path = join(folder, 'users.ndjson');
        const [line] = (await readFile(path, 'utf8')).split('\n');
        await appendFile(path, `${line}\n`);
      },
    ],
    [
      'where a row has more than was exported',
      /users\.ndjson differs from the export/,
      async (folder) => {
        const path = join(folder, 'users.ndjson');
        await writeFile(path, (await readFile(path, 'utf8')).replace('{', '{"more":1,'));
      },
    ],
    [
      'where its manifest cannot be read',
      /manifest\.json could not be read: EISDIR/,
      async (folder) => {
        await unlink(manifestPath(folder));
        await mkdir(manifestPath(folder));
      },
    ],
    [
      'where its manifest is not whole',
      /manifest\.json differs from what an export writes/,
      (folder) => truncate(join(folder, 'manifest.json'), 100),
    ],
    [
      'where its manifest lacks a table',
      /manifest\.json names other tables/,
      (folder) => changeManifest(folder, ({ tables }) => delete tables['users']),
    ],
    [
      'where its manifest does not say how far ids are',
      /manifest\.json names other tables/,
      (folder) => changeManifest(folder, ({ sequences }) => sequences.pop()),
    ],
    [
      'where a number of its manifest was changed',
      /manifest\.json differs from what an export writes/,
      async (folder) => {
        const path = manifestPath(folder);
        const text = await readFile(path, 'utf8');
        await writeFile(path, text.replace(/"last_value": "\d+"/, '"last_value": "1000000"'));
      },
    ],
    [
      'where its manifest lost its hash',
      /manifest\.json differs from what an export writes/,
      async (folder) => {
        const manifest = await readManifest(folder);
        await writeFile(manifestPath(folder), JSON.stringify(manifest));
      },
    ],
    [
      'where a user has a role that does not exist',
      /users\.ndjson has a value of roles/,
      (folder) => giveList(folder, 'users', 'roles', 'root'),
    ],
    [
      'where an API key has a scope that does not exist',
      /api_keys\.ndjson has a value of scopes/,
      (folder) => giveList(folder, 'api_keys', 'scopes', 'everything'),
    ],
    [
      'where a webhook asks for an event that does not exist',
      /webhooks\.ndjson has a value of events/,
      (folder) => giveList(folder, 'webhooks', 'events', 'order.exploded'),
    ],
    [
      'where the settings give access with a status that does not exist',
      /settings\.ndjson has a value of access_statuses/,
      (folder) => giveList(folder, 'settings', 'access_statuses', 'on-hold'),
    ],
    [
      'where its manifest is another one',
      /manifest\.json differs from what an export writes/,
      (folder) => writeFile(join(folder, 'manifest.json'), '{"format": 2}'),
    ],
    [
      'where a file is missing',
      /refunds\.ndjson is missing/,
      (folder) => unlink(join(folder, 'refunds.ndjson')),
    ],
    [
      'where its export was interrupted',
      /has no manifest\.json/,
      (folder) => unlink(join(folder, 'manifest.json')),
    ],
  ];

  const states: readonly (readonly [string, RegExp, (store: Store) => Promise<unknown>])[] = [
    [
      'where it is of another version',
      /of another version/,
      ({ database }) => database.query(`update drizzle.__drizzle_migrations set hash = 'other'`),
    ],
    [
      'where the store is not empty',
      /is not empty/,
      ({ database }) =>
        database.query(
          `insert into users (display_name, created_at, updated_at) values ('', now(), now())`,
        ),
    ],
    [
      'where the store has a key alone',
      /is not empty \(api_keys\)/,
      ({ database }) =>
        database.query(
          `insert into api_keys (name, scopes, signs_in_administrators, created_at)
           values ('', '{}', false, now())`,
        ),
    ],
    [
      'where the store was set up alone',
      /is not empty \(settings\)/,
      ({ database }) => database.query(`update settings set store_name = 'Mine', version = 2`),
    ],
  ];

  long.each(damages)('%s', async (_, message, damage) => {
    const folder = archives.newFolder();
    await cp(whole, folder, { recursive: true });
    await damage(folder);
    await expectRefused(store, folder, message);
  });

  test.each(states)('%s', async (_, message, change) => {
    const changed = await archives.emptyStore();
    await change(changed);
    await expectRefused(changed, whole, message);
  });
});

/** Expects a store to refuse an archive, and to stay unchanged. */
async function expectRefused({ database }: Store, folder: string, message: RegExp) {
  const count = async () => {
    const { rows } = await database.query(
      `select (select count(*) from users) as users, (select count(*) from orders) as orders,
              (select count(*) from pg_constraint where contype = 'f') as references_there,
              (select count(*) from pg_trigger where tgenabled = 'D') as triggers_off`,
    );
    return rows[0];
  };
  const before = await count();
  await expect(readArchive(database, folder, nobody)).rejects.toThrow(message);
  expect(await count()).toEqual(before);
}

long(
  'an import into a store that is not empty is refused before the store is migrated',
  async () => {
    const folder = await archives.exported();
    const { database, databaseUrl } = await archives.emptyStore();
    await database.query(
      `insert into users (display_name, created_at, updated_at) values ('', now(), now())`,
    );
    await database.query(`delete from drizzle.__drizzle_migrations`);
    vi.stubEnv('DATABASE_URL', databaseUrl);
    await expect(importStore(folder, true)).rejects.toThrow(/is not empty/);
    vi.unstubAllEnvs();
  },
);
