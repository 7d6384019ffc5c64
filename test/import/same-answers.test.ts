import { join } from 'node:path';
import type { Client } from 'pg';
import { serialize } from 'php-serialize';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dumpFile } from '../../packages/import/src/dump-file.ts';
import type { Answers } from '../../packages/import/src/importer.ts';
import { load } from '../../packages/import/src/load.ts';
import { sejoliImporter } from '../../packages/import/src/sejoli/index.ts';
import { stage } from '../../packages/import/src/staging.ts';
import { verify } from '../../packages/import/src/verify.ts';
import { long } from '../harness/long.ts';
import { type Store, openStore } from '../harness/store.ts';
import { Checkout } from '../local/checkout.ts';
import { importIn } from './command.ts';
import { contents } from './contents.ts';
import { useMoves } from './moved.ts';
import { order, sejoliTables, user } from './sejoli/shop.ts';
import { writeDump } from './shops.ts';

const { dumpPath, moved } = useMoves();

const stores: Store[] = [];
const checkouts: Checkout[] = [];

afterAll(async () => {
  for (const store of stores) await store.close();
  for (const checkout of checkouts) await checkout.remove();
});

async function newStore(): Promise<Store> {
  const store = await openStore();
  stores.push(store);
  return store;
}

const administrator = user(3, { wp_capabilities: serialize({ administrator: true }) });

const shop = sejoliTables([user(1), user(2), administrator], {
  sejolisa_orders: [
    order(1),
    order(2, { user_id: 2, status: 'packed' }),
    order(3, { user_id: 2, created_at: '2023-01-31 23:30:00' }),
  ],
});

/** The shop, and another one in the same database. */
const network = [
  ...shop,
  ...shop.map(({ name, ...rows }) => ({ ...rows, name: name.replace('wp_', 'other_') })),
];

const former = { timezone: 'America/New_York', status: 'packed=shipping' };

let folders = 0;

/** Stages the shop and loads it; the connection breaks at a commit, if one is named. */
async function run(
  { database }: Store,
  answers: Answers,
  { prefix = 'wp_', breaksAt = 0, kind = 'sejoli', folder = dumpPath(String(++folders)) } = {},
): Promise<void> {
  const source = { ...sejoliImporter.source, name: kind } as typeof sejoliImporter.source;
  using staging = await stage(source, dumpFile(dumpPath('network.sql')), { folder, prefix });
  const preflight = sejoliImporter.plan(staging, answers);
  expect(preflight.questions).toEqual([]);
  let commits = 0;
  const client = new Proxy<Client>(database, {
    get: (target, name) =>
      name === 'query'
        ? (text: string, values?: unknown[]) => {
            if (text === 'commit' && ++commits === breaksAt) throw new Error('The line broke');
            return target.query(text, values);
          }
        : Reflect.get(target, name),
  });
  await load(client, { ...sejoliImporter, source }, staging, preflight);
}

/** A store whose import broke once its users were written. */
async function interrupted(options: { folder?: string } = {}): Promise<Store> {
  const store = await newStore();
  await expect(run(store, former, { breaksAt: 4, ...options })).rejects.toThrow('The line broke');
  return store;
}

const notes = async ({ database }: Store) =>
  (await database.query('select distinct answers from imports where done > 0')).rows;

beforeAll(() => writeDump(dumpPath('network.sql'), network));

describe('An interrupted import', () => {
  let store: Store;
  let before: unknown;

  beforeAll(async () => {
    store = await interrupted();
    before = await contents(store);
  });

  test.each<[string, Answers, string]>([
    [
      'another time zone',
      { timezone: 'Asia/Jakarta' },
      '--timezone America/New_York, not Asia/Jakarta.',
    ],
    ['other decimals', { exponent: '2' }, '--exponent 0, not 2.'],
    [
      'another status',
      { status: 'packed=completed' },
      '--status packed=shipping, not packed=completed.',
    ],
    ['administrators', { administrators: 'yes' }, '--administrators no, not yes.'],
    [
      'several other answers',
      { timezone: 'UTC', administrators: 'yes' },
      '--timezone America/New_York, not UTC; --administrators no, not yes.',
    ],
  ])('is not continued with %s', async (_, answers, says) => {
    await expect(run(store, { ...former, ...answers })).rejects.toThrow(
      `The import into DATABASE_URL was begun with other answers: ${says} Nothing was written now. Repeat it with the former answers, or import into a new database.`,
    );
    expect(await contents(store)).toEqual(before);
  });

  test('is not continued with another shop of the same dump', async () => {
    await expect(run(store, former, { prefix: 'other_' })).rejects.toThrow(
      '--prefix wp_, not other_.',
    );
    expect(await contents(store)).toEqual(before);
  });

  test('is not continued as one of another kind of shop', async () => {
    await expect(run(store, former, { kind: 'edd' })).rejects.toThrow('sejoli, not edd.');
    expect(await contents(store)).toEqual(before);
  });

  test('is continued with its own answers, and ends like one that was not interrupted', async () => {
    const calm = await newStore();
    await run(calm, former);
    await run(store, { ...former, exponent: '0', administrators: 'no' });
    expect(await contents(store)).toEqual(await contents(calm));
  });
});

test('The report of a continued import has nothing of a rehearsal with other answers', async () => {
  const folder = dumpPath('rehearsed');
  const store = await interrupted({ folder });
  await run(await newStore(), { ...former, administrators: 'yes' }, { folder });
  await run(store, former, { folder });
  const dump = dumpFile(dumpPath('network.sql'));
  using staging = await stage(sejoliImporter.source, dump, { folder, prefix: 'wp_' });
  expect(
    staging.database
      .prepare(`select reason from entity_row where entity = 'users' and id = '3'`)
      .get(),
  ).toEqual({ reason: 'administrator' });
});

test('The answers of an import are noted with its first rows', async () => {
  const store = await newStore();
  await expect(run(store, former, { breaksAt: 1 })).rejects.toThrow('The line broke');
  expect(await notes(store)).toEqual([]);
  await expect(run(store, former, { breaksAt: 2 })).rejects.toThrow('The line broke');
  const answers = { ...former, prefix: 'wp_', exponent: '0', administrators: 'no', version: '3' };
  expect(await notes(store)).toEqual([{ answers }]);
});

test.each([
  ['noted none', 'null'],
  ['noted them', `answers || '{"version": "1"}'`],
])(
  'An import is not continued that a version with other rows began, which %s',
  async (_, answers) => {
    const store = await interrupted();
    await store.database.query(`update imports set answers = ${answers}`);
    const before = await store.database.query('select count(*) from orders');
    await expect(run(store, former)).rejects.toThrow(
      'The import into DATABASE_URL was begun by another version, whose rows differ.',
    );
    expect(await store.database.query('select count(*) from orders')).toMatchObject({
      rows: before.rows,
    });
  },
);

test('The comparison finds settings that differ from those of the import', async () => {
  writeDump(dumpPath('shop.sql'), shop);
  const { store, staging } = await moved(sejoliImporter, dumpPath('shop.sql'), former);
  const settings = async (answers: Answers) => {
    const { plan } = sejoliImporter.plan(staging, answers);
    const comparisons = await verify(store.database, sejoliImporter, staging, plan);
    return comparisons.find(({ entity }) => entity === 'settings');
  };
  expect(await settings(former)).toMatchObject({ source: 1, ours: 1, unexplained: 0 });
  expect(await settings({ ...former, timezone: 'UTC', exponent: '2' })).toMatchObject({
    unexplained: 1,
    examples: ['options timezone exponent'],
  });
});

long('npm run import, repeated without its answers, takes those it began with', async () => {
  const checkout = new Checkout();
  checkouts.push(checkout);
  const path = join(checkout.folder, 'shop.sql.gz');
  writeDump(path, shop);
  const store = await newStore();
  const write = (...answers: string[]) =>
    importIn(checkout, ['sejoli', path, '--write', ...answers], { DATABASE_URL: store.databaseUrl })
      .ended;
  await store.database.query(`
    create function break() returns trigger language plpgsql as $$ begin raise 'The line broke'; end $$;
    create trigger break before insert on orders execute function break()`);
  const status = ['--status', 'packed=shipping'];
  const broken = await write(
    ...status,
    '--timezone',
    'America/New_York',
    '--administrators',
    'yes',
  );
  expect(broken.printed).toContain('The line broke');
  await store.database.query('drop function break cascade');

  const refused = await write(...status, '--timezone', 'Asia/Jakarta', '--administrators', 'no');
  expect(refused).toMatchObject({
    code: 1,
    printed: expect.stringContaining(
      '--timezone America/New_York, not Asia/Jakarta; --administrators yes, not no.',
    ),
  });
  expect((await store.database.query('select from orders')).rowCount).toBe(0);

  const { code, printed } = await write();
  expect(code, printed).toBe(0);
  const { rows } = await store.database.query(
    `select timezone, (select status from orders where id = 2),
            (select count(*)::int from users where 'administrator' = any(roles)) as administrators
       from settings`,
  );
  expect(rows).toEqual([{ timezone: 'America/New_York', status: 'shipping', administrators: 1 }]);
});
