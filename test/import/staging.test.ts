import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { long } from '../harness/long.ts';
import { dumpFile } from '../../packages/import/src/dump-file.ts';
import { edd } from '../../packages/import/src/edd/source.ts';
import { sejoli } from '../../packages/import/src/sejoli/source.ts';
import type { Source, SourceTable } from '../../packages/import/src/source.ts';
import { outcomes, stage } from '../../packages/import/src/staging.ts';
import type { Step } from '../../packages/import/src/staging.ts';
import { woocommerce } from '../../packages/import/src/woocommerce/source.ts';
import { dialects } from './dump-writer.ts';
import { SECRET, shopTables, writeDump } from './shops.ts';
import type { Rows } from './shops.ts';

const root = mkdtempSync(join(tmpdir(), 'store-import-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const place = (name = 'shop.sql') => {
  const folder = mkdtempSync(join(root, 'case-'));
  return { folder: join(folder, 'import'), dump: join(folder, name) };
};

const heard = () => {
  const steps = new Set<Step>();
  return { steps, progress: (step: Step) => void steps.add(step) };
};

const meta = (id: string, key: string, value: string, column = 'user_id') => ({
  [column]: id,
  meta_key: key,
  meta_value: value,
});

const rows: Rows = {
  users: [{ ID: { number: '7' }, user_email: 'ani@example.com', display_name: "Ani 'A'" }],
  usermeta: [
    meta('7', '_affiliate_id', '3'),
    meta('7', 'wp_capabilities', 'a:1:{s:13:"sejoli-member";b:1;}'),
    meta('7', 'session_tokens', SECRET),
    meta('7', '_application_passwords', SECRET),
    meta('7', 'wp_2_capabilities', 'a:0:{}'),
  ],
  posts: [
    { ID: '20', post_type: 'sejoli-product', post_title: 'Kelas' },
    { ID: '21', post_type: 'revision', post_title: 'Kelas' },
  ],
  postmeta: [
    meta('20', '_price', '150000', 'post_id'),
    meta('20', '_sejoli_commission|number|0|0|value', '10', 'post_id'),
    meta('20', '_fb_conversion_access_token', SECRET, 'post_id'),
  ],
  options: [
    { option_name: 'blogname', option_value: 'Toko' },
    { option_name: '_moota_api_key', option_value: SECRET },
    { option_name: 'auth_key', option_value: SECRET },
  ],
  sejolisa_orders: [
    { ID: { number: '2' }, grand_total: { number: '150123.00' }, status: 'completed' },
    { ID: { number: '1' }, grand_total: { number: '1e3' }, meta_data: 'a\0b' },
  ],
};

const stagedBytes = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join('');

describe('Staging', () => {
  test.each(dialects)(
    'takes the declared tables and columns from a dump by $name, and no others',
    async (by) => {
      const { dump, folder } = place('shop.sql.gz');
      writeDump(dump, shopTables(sejoli, rows), by);
      using staging = await stage(sejoli, dumpFile(dump), { folder });
      expect([...staging.rows('users')]).toEqual([
        {
          ID: '7',
          user_email: 'ani@example.com',
          user_registered: null,
          display_name: "Ani 'A'",
        },
      ]);
      expect([...staging.rows('usermeta')].map(({ meta_key }) => meta_key)).toEqual([
        '_affiliate_id',
        'wp_capabilities',
      ]);
      expect([...staging.rows('posts')].map(({ ID }) => ID)).toEqual(['20']);
      expect([...staging.rows('postmeta')].map(({ meta_value }) => meta_value)).toEqual([
        '150000',
        '10',
      ]);
      expect([...staging.rows('options')]).toEqual([
        { option_name: 'blogname', option_value: 'Toko' },
      ]);
      expect(
        [...staging.rows('sejolisa_orders')].map(({ ID, grand_total, meta_data }) => [
          ID,
          grand_total,
          meta_data,
        ]),
      ).toEqual([
        ['2', '150123.00', null],
        ['1', '1e3', 'a\uFFFDb'],
      ]);
      expect([...staging.rows('sejolisa_wallet')]).toEqual([]);
      expect(staging.facts).toMatchObject({
        prefix: 'wp_',
        rows: { users: 1, usermeta: 2, sejolisa_orders: 2, sejolisa_wallet: 0 },
        repairs: { sejolisa_orders: 1 },
        missingColumns: [],
      });
      expect(staging.facts.dumpTables).toContain('wp_sejolisa_orders');
      expect(stagedBytes(folder)).not.toContain(SECRET);
    },
  );

  test('keeps only the wanted fields of a serialised array with secrets', async () => {
    const settings = `a:3:{s:8:"currency";s:3:"USD";s:15:"live_secret_key";s:${SECRET.length}:"${SECRET}";s:12:"enable_taxes";b:1;}`;
    const { dump, folder } = place();
    writeDump(
      dump,
      shopTables(edd, {
        options: [
          { option_name: 'edd_settings', option_value: settings },
          { option_name: 'affwp_settings', option_value: `a:1:{i:0;O:1:"${SECRET}` },
        ],
      }),
    );
    using staging = await stage(edd, dumpFile(dump), { folder });
    expect([...staging.rows('options')]).toEqual([
      { option_name: 'edd_settings', option_value: '{"currency":"USD","enable_taxes":true}' },
      { option_name: 'affwp_settings', option_value: null },
    ]);
    expect(stagedBytes(folder)).not.toContain(SECRET);
  });

  test('is recognised when it is finished, with its report', async () => {
    const { dump, folder } = place();
    writeDump(dump, shopTables(sejoli, rows));
    const first = heard();
    const before = await stage(sejoli, dumpFile(dump), { folder, progress: first.progress });
    before.record([
      { entity: 'orders', id: '1', outcome: 'imported' },
      { entity: 'orders', id: '2', outcome: 'refused', reason: 'total', detail: '12' },
    ]);
    before.record([{ entity: 'orders', id: '1', outcome: 'changed', targetId: '1' }]);
    before[Symbol.dispose]();
    expect([...first.steps]).toEqual(['fingerprint', 'tables', 'rows']);

    const second = heard();
    using staging = await stage(sejoli, dumpFile(dump), { folder, progress: second.progress });
    expect([...second.steps]).toEqual(['fingerprint']);
    expect(staging.facts).toEqual(before.facts);
    expect(staging.fingerprint).toBe(before.fingerprint);
    expect([...staging.rows('users')]).toHaveLength(1);
    const report = staging.database.prepare('select * from entity_row order by id').all();
    expect(report.map((row) => Object.values(row))).toEqual([
      ['orders', '1', 'changed', '1', null, null],
      ['orders', '2', 'refused', null, 'total', '12'],
    ]);
  });

  test('starts again after an interruption', async () => {
    const { dump, folder } = place();
    writeDump(dump, shopTables(sejoli, rows));
    const interrupted = stage(sejoli, dumpFile(dump), {
      folder,
      progress(step) {
        if (step === 'rows') throw new Error('Enough');
      },
    });
    await expect(interrupted).rejects.toThrow('Enough');
    const { steps, progress } = heard();
    using staging = await stage(sejoli, dumpFile(dump), { folder, progress });
    expect([...steps]).toEqual(['fingerprint', 'tables', 'rows']);
    expect(staging.facts.rows).toMatchObject({ users: 1, sejolisa_orders: 2 });
    expect([...staging.rows('sejolisa_orders')]).toHaveLength(2);
  });

  long('starts again after its process was killed', async () => {
    const { dump, folder } = place();
    const orders = Array.from({ length: 20_000 }, (_, index) => ({
      ID: String(index),
      meta_data: 'x'.repeat(400),
    }));
    writeDump(dump, shopTables(sejoli, { ...rows, sejolisa_orders: orders }));
    const program = join(import.meta.dirname, 'killed.ts');
    expect(spawnSync(process.execPath, [program, dump, folder]).signal).toBe('SIGKILL');
    const { steps, progress } = heard();
    using staging = await stage(sejoli, dumpFile(dump), { folder, progress });
    expect(steps).toContain('rows');
    expect([...staging.rows('sejolisa_orders')]).toHaveLength(20_000);
    expect([...staging.rows('users')]).toHaveLength(1);
  });

  test('keeps nothing of a truncated dump', async () => {
    const { dump, folder } = place();
    const whole = dialects[0]?.write(shopTables(sejoli, rows)) ?? '';
    writeFileSync(dump, whole.slice(0, -200));
    for (let run = 0; run < 2; run += 1)
      await expect(stage(sejoli, dumpFile(dump), { folder })).rejects.toMatchObject({
        fault: 'cut-off',
      });
    expect(stagedBytes(folder)).not.toContain('ani@example.com');
  });

  long('refuses a zipped dump that is cut off at any byte, or damaged', async () => {
    const { dump, folder } = place('shop.sql.gz');
    const zipped = gzipSync(
      dialects[0]?.write([{ name: 'a', columns: ['b'], rows: [['c']] }]) ?? '',
    );
    for (let length = 2; length < zipped.length; length += 7) {
      writeFileSync(dump, zipped.subarray(0, length));
      await expect(stage(sejoli, dumpFile(dump), { folder })).rejects.toMatchObject({
        fault: 'cut-off',
      });
    }
    writeFileSync(dump, zipped.fill(0, 40, 80));
    await expect(stage(sejoli, dumpFile(dump), { folder })).rejects.toMatchObject({
      fault: 'format',
    });
  });

  test.each<[string, string, number[]]>([
    ['.zip', 'format', [0x50, 0x4b, 3, 4]],
    ['UTF-16', 'charset', [0xff, 0xfe, 0x2d, 0]],
    ['nothing', 'cut-off', []],
  ])('refuses %s', async (_, fault, bytes) => {
    const { dump, folder } = place();
    writeFileSync(dump, Buffer.from(bytes));
    await expect(stage(sejoli, dumpFile(dump), { folder })).rejects.toMatchObject({ fault });
  });

  test('reads a dump with a byte-order mark', async () => {
    const { dump, folder } = place();
    writeFileSync(dump, `\uFEFF${dialects[2]?.write(shopTables(sejoli, rows)) ?? ''}`);
    using staging = await stage(sejoli, dumpFile(dump), { folder });
    expect(staging.facts.rows['users']).toBe(1);
  });

  test('is for one process at a time', async () => {
    const { dump, folder } = place();
    writeDump(dump, shopTables(sejoli, rows));
    let other: Promise<unknown> | undefined;
    using _ = await stage(sejoli, dumpFile(dump), {
      folder,
      progress(step) {
        if (step === 'tables')
          other ??= stage(sejoli, dumpFile(dump), { folder }).catch((error: unknown) => error);
      },
    });
    expect(await other).toMatchObject({ fault: 'busy' });
  });

  test('can be read by this user only', async () => {
    const { dump, folder } = place();
    writeDump(dump, shopTables(sejoli, rows));
    using staging = await stage(sejoli, dumpFile(dump), { folder });
    const own = join(folder, staging.fingerprint);
    expect(statSync(own).mode & 0o777).toBe(0o700);
    expect(statSync(join(own, 'sejoli.db')).mode & 0o777).toBe(0o600);
  });

  test('is made again for another shop of the same dump', async () => {
    const { dump, folder } = place();
    const other = { sejolisa_orders: [{ ID: '99' }] };
    writeDump(dump, [...shopTables(sejoli, rows), ...shopTables(sejoli, other, 'wp_2_')]);
    await expect(stage(sejoli, dumpFile(dump), { folder })).rejects.toThrow('"wp_", "wp_2_"');
    const ids = async (prefix: string) => {
      using staging = await stage(sejoli, dumpFile(dump), { folder, prefix });
      return [...staging.rows('sejolisa_orders')].map(({ ID }) => ID);
    };
    expect(await ids('wp_')).toEqual(['2', '1']);
    expect(await ids('wp_2_')).toEqual(['99']);
  });

  test('stores every outcome of a row, and refuses an unknown one', async () => {
    const { dump, folder } = place();
    writeDump(dump, shopTables(sejoli, rows));
    using staging = await stage(sejoli, dumpFile(dump), { folder });
    staging.record(outcomes.map((outcome) => ({ entity: 'users', id: outcome, outcome })));
    expect(() =>
      staging.record([
        { entity: 'users', id: 'kept', outcome: 'imported' },
        { entity: 'users', id: '1', outcome: 'lost' as 'imported' },
      ]),
    ).toThrow(/CHECK/);
    const { count } =
      staging.database.prepare('select count(*) as count from entity_row').get() ?? {};
    expect(count).toBe(outcomes.length);
  });
});

describe.each<Source>([sejoli, woocommerce, edd])('A $name shop', (source) => {
  test('declares only columns that its tables have', () => {
    for (const { columns, rows, fields, index } of Object.values<SourceTable>(source.tables))
      expect(columns).toEqual(
        expect.arrayContaining([
          ...index,
          ...(rows ? [rows.column] : []),
          ...(fields ? [fields.column] : []),
        ]),
      );
  });

  test('can be staged whole', async () => {
    const { dump, folder } = place();
    const one: Rows = Object.fromEntries(
      Object.entries(source.tables).map(([name, table]) => [
        name,
        [Object.fromEntries(table.columns.map((column) => [column, 'x']))],
      ]),
    );
    writeDump(dump, shopTables(source, one));
    using staging = await stage(source, dumpFile(dump), { folder });
    expect(staging.facts.missingColumns).toEqual([]);
    expect(stagedBytes(folder)).not.toContain(SECRET);
  });
});
