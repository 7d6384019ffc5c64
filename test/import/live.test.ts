import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dumpCommands } from '../../packages/import/src/dump-commands.ts';
import { dumpFile } from '../../packages/import/src/dump-file.ts';
import { liveDatabase } from '../../packages/import/src/live.ts';
import type { Reader } from '../../packages/import/src/reader.ts';
import { sejoli } from '../../packages/import/src/sejoli/source.ts';
import { stage } from '../../packages/import/src/staging.ts';
import type { Staging } from '../../packages/import/src/staging.ts';
import { createShop, hostile } from './live-shop.ts';
import { MariaDb, hasMariaDb } from './mariadb.ts';
import { SECRET, shopTables } from './shops.ts';

const PASSWORD = 'p@ss/w#rd%25';

const root = mkdtempSync(join(tmpdir(), 'live-import-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const newFolder = () => mkdtempSync(join(root, 'case-'));

const address = (port: number, database: string, { user = 'reader', password = PASSWORD } = {}) =>
  `mysql://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;

const stagedBytes = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join('');

const everything = (staging: Staging<typeof sejoli>) =>
  Object.fromEntries(
    (Object.keys(sejoli.tables) as (keyof typeof sejoli.tables)[]).map((table) => [
      table,
      [...staging.rows(table)],
    ]),
  );

const ids = (staging: Staging<typeof sejoli>, table: 'users' | 'sejolisa_orders') =>
  [...staging.rows(table)].map(({ ID }) => ID);

describe.skipIf(!hasMariaDb)('A live shop (skipped without mariadbd)', () => {
  let server: MariaDb;
  let databases = 0;

  beforeAll(async () => {
    server = await MariaDb.start();
    await server.root.query(
      `create user reader identified by ?; grant select on *.* to reader;
       create user stranger identified by ?`,
      [PASSWORD, PASSWORD],
    );
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const open = async () => {
    const name = `shop_${++databases}`;
    await createShop(server, name);
    return { name, url: address(server.port, name) };
  };

  test('is staged with the same rows as its dump', async () => {
    const { name, url } = await open();
    await server.root.query(
      `insert into wp_sejolisa_orders (ID, meta_data) values (11, x'41ff42'), (12, x'ff00fe');
       alter table wp_sejolisa_orders drop column type`,
    );
    const path = join(newFolder(), 'shop.sql');
    server.now('mariadb-dump', '--order-by-primary', `--result-file=${path}`, name);
    using dumped = await stage(sejoli, dumpFile(path), { folder: newFolder() });
    const folder = newFolder();
    using live = await stage(sejoli, liveDatabase(url), { folder });
    expect(everything(live)).toEqual(everything(dumped));
    expect(live.facts).toEqual({ ...dumped.facts, withoutSnapshot: ['wp_users'] });
    expect(live.facts).toMatchObject({
      rows: { users: 2, usermeta: 2, postmeta: 1, sejolisa_orders: 5 },
      repairs: { sejolisa_orders: 3 },
      missingColumns: ['wp_sejolisa_orders.type'],
    });
    expect(stagedBytes(folder)).not.toContain(SECRET);
  });

  test('is staged from a dump of the tables that the commands name', async () => {
    const { name, url } = await open();
    const [mysqldump = ''] = dumpCommands(sejoli);
    const path = join(newFolder(), 'shop.sql');
    server.shell(mysqldump.replaceAll('DATABASE', name).replace('shop.sql', path));
    using dumped = await stage(sejoli, dumpFile(path), { folder: newFolder() });
    using live = await stage(sejoli, liveDatabase(url), { folder: newFolder() });
    expect(dumped.facts.rows).toEqual(live.facts.rows);
    expect(dumped.facts.missingColumns).toEqual([]);
    const wanted = Object.keys(sejoli.tables).map((table) => `wp_${table}`);
    expect(dumped.facts.dumpTables.toSorted()).toEqual(
      live.facts.dumpTables.filter((table) => wanted.includes(table)).toSorted(),
    );
  });

  test('has its values as MySQL writes them', async () => {
    const { url } = await open();
    using staging = await stage(sejoli, liveDatabase(url), { folder: newFolder() });
    const [two, , largest] = [...staging.rows('sejolisa_orders')];
    expect(largest).toMatchObject({
      ID: '18446744073709551615',
      affiliate_id: '9007199254740993',
      grand_total: '123456789012345678.12345678',
      created_at: '0000-00-00 00:00:00',
      deleted_at: '0000-00-00',
      meta_data: 'a\uFFFDb',
    });
    // Times with a zone are in UTC, whatever the server's zone.
    expect(two).toMatchObject({
      ID: '2',
      grand_total: '0.00000000',
      updated_at: '2026-03-10 02:00:00',
      status: '',
      meta_data: null,
    });
    expect([...staging.rows('users')]).toMatchObject([
      { ID: '3', user_registered: '2024-02-30 10:00:00' },
      { ID: '7', user_registered: '0000-00-00 00:00:00', display_name: hostile },
    ]);
    expect([...staging.rows('posts')]).toMatchObject([{ post_title: hostile }]);
    expect([...staging.rows('sejolisa_coupons')]).toMatchObject([{ code: 'CAFÉ €5 ü' }]);
    expect([...staging.rows('sejolisa_affiliates')]).toMatchObject([{ commission: '0.1' }]);
  });

  test('has bits as numbers', async () => {
    const { url } = await open();
    await server.root.query(
      `alter table wp_sejolisa_orders modify quantity bit(64);
       update wp_sejolisa_orders set quantity = b'101' where ID = 2;
       update wp_sejolisa_orders set quantity = ~0 where ID = 10`,
    );
    using staging = await stage(sejoli, liveDatabase(url), { folder: newFolder() });
    expect([...staging.rows('sejolisa_orders')].map(({ quantity }) => quantity)).toEqual([
      '5',
      '18446744073709551615',
      null,
    ]);
  });

  test('is read as of one moment, except tables without transactions', async () => {
    const { name, url } = await open();
    using staging = await stage(sejoli, liveDatabase(url), {
      folder: newFolder(),
      progress(step, done) {
        if (step === 'rows' && done === 0)
          server.now(
            'mariadb',
            `--execute=insert into ${name}.wp_sejolisa_orders (ID) values (99); insert into ${name}.wp_users (ID) values (99)`,
          );
      },
    });
    expect(ids(staging, 'sejolisa_orders')).not.toContain('99');
    // The row existed by then, so it is seen without a snapshot.
    expect(ids(staging, 'users')).toContain('99');
    expect(staging.facts.withoutSnapshot).toEqual(['wp_users']);
    using later = await stage(sejoli, liveDatabase(url), { folder: newFolder() });
    expect(ids(later, 'sejolisa_orders')).toContain('99');
  });

  test('is staged once for an import that has begun, whatever changes in the shop', async () => {
    const { name, url } = await open();
    const folder = newFolder();
    const before = await stage(sejoli, liveDatabase(url), { folder });
    before.record([{ entity: 'orders', id: '2', outcome: 'imported' }]);
    const staged = everything(before);
    before[Symbol.dispose]();
    server.now('mariadb', `--execute=delete from ${name}.wp_sejolisa_orders`);
    using again = await stage(sejoli, liveDatabase(url), {
      folder,
      hasBegun: (fingerprint) => fingerprint === before.fingerprint,
    });
    expect(everything(again)).toEqual(staged);
    expect(again.fingerprint).toBe(before.fingerprint);
    expect(again.database.prepare('select id from entity_row').all()).toHaveLength(1);
  });

  test('is read again for any other import, since it has sold more since the rehearsal', async () => {
    const { name, url } = await open();
    const folder = newFolder();
    const rehearsed = await stage(sejoli, liveDatabase(url), { folder });
    rehearsed.record([{ entity: 'orders', id: '2', outcome: 'imported' }]);
    rehearsed[Symbol.dispose]();
    server.now('mariadb', `--execute=insert into ${name}.wp_sejolisa_orders (ID) values (99)`);
    using moved = await stage(sejoli, liveDatabase(url), { folder, hasBegun: () => false });
    expect(ids(moved, 'sejolisa_orders')).toContain('99');
    expect(moved.folder).toBe(rehearsed.folder);
    expect(moved.database.prepare('select id from entity_row').all()).toEqual([]);
    // An import of the former rows can't continue with other rows.
    expect(moved.fingerprint).not.toBe(rehearsed.fingerprint);
  });

  test('is distinguished from others in the same database by its prefix', async () => {
    const { url } = await open();
    const tables = shopTables(sejoli, {}, 'wp_2_').filter(({ name }) => !/_2_user/.test(name));
    for (const { name } of tables)
      await server.root.query(`create table ${name} like ${name.replace('_2_', '_')}`);
    const reader = liveDatabase(url);
    const folder = newFolder();
    await expect(stage(sejoli, reader, { folder })).rejects.toThrow('"wp_2_", "wp_"');
    using second = await stage(sejoli, reader, { folder, prefix: 'wp_2_' });
    second.record([{ entity: 'orders', id: '2', outcome: 'imported' }]);
    using first = await stage(sejoli, reader, { folder, prefix: 'wp_' });
    expect(ids(first, 'sejolisa_orders')).toHaveLength(3);
    expect(ids(second, 'sejolisa_orders')).toEqual([]);
    expect(ids(second, 'users')).toEqual(['3', '7']);
    expect(second.database.prepare('select id from entity_row').all()).toHaveLength(1);
  });

  describe('that is lost', () => {
    const kill = () => server.now('mariadb', '--execute=kill user reader');

    test.each(['between two tables', 'within a table'])('%s leaves nothing', async (where) => {
      const { url } = await open();
      // Larger than the buffers between server and reader.
      await server.root.query(
        "insert into wp_sejolisa_orders (ID, meta_data) select 100 + seq, repeat('x', 1000) from seq_1_to_40000",
      );
      const reader = liveDatabase(url);
      let read = 0;
      const killed: Reader = {
        ...reader,
        read: (sink, progress) =>
          reader.read(
            {
              ...sink,
              row(table, values, repairs) {
                if (table === 'wp_sejolisa_orders' && ++read === 1000 && where === 'within a table')
                  kill();
                sink.row(table, values, repairs);
              },
            },
            progress,
          ),
      };
      const folder = newFolder();
      const lost = stage(sejoli, killed, {
        folder,
        progress(step, done) {
          if (step === 'rows' && done === 2 && where === 'between two tables') kill();
        },
      });
      await expect(lost).rejects.toMatchObject({
        fault: 'connection',
        message: expect.stringContaining('was interrupted'),
      });
      expect(read).toBeLessThan(40_000);
      expect(stagedBytes(folder)).not.toContain('xxxxxxxx');
      using staging = await stage(sejoli, reader, { folder });
      expect(staging.facts.rows['sejolisa_orders']).toBe(40_003);
    });
  });

  test('is disconnected when its rows are refused', async () => {
    const { url } = await open();
    const refused = stage(sejoli, liveDatabase(url), {
      folder: newFolder(),
      progress(step) {
        if (step === 'rows') throw new Error('Enough');
      },
    });
    await expect(refused).rejects.toThrow('Enough');
  });

  const refusals: [string, string, () => string][] = [
    [
      'a wrong password',
      'access',
      () => address(server.port, 'mysql', { password: `${PASSWORD}!` }),
    ],
    ['a user without rights', 'access', () => address(server.port, 'mysql', { user: 'stranger' })],
    ['an unknown database', 'address', () => address(server.port, 'nowhere')],
    ['a database without a shop', 'tables', () => address(server.port, 'mysql')],
  ];
  test.each(refusals)('is refused with %s', async (_, fault, url) => {
    const error: unknown = await stage(sejoli, liveDatabase(url()), {
      folder: newFolder(),
    }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ fault });
    const said = inspect(error, { depth: 9, showHidden: true });
    for (const secret of [PASSWORD, encodeURIComponent(PASSWORD)])
      expect(said).not.toContain(secret);
  });
});
