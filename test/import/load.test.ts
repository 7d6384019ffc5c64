import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dumpFile } from '../../packages/import/src/dump-file.ts';
import { load } from '../../packages/import/src/load.ts';
import type { Importer, StepContext } from '../../packages/import/src/importer.ts';
import { type MappedRow, change, insertInto, mapped } from '../../packages/import/src/mapped.ts';
import { sejoli } from '../../packages/import/src/sejoli/source.ts';
import { type Staging, stage } from '../../packages/import/src/staging.ts';
import { defaultParts } from '../../src/schema/product-parts.ts';
import { products } from '../../src/schema/products.ts';
import { userExternalIds, users } from '../../src/schema/users.ts';
import { long } from '../harness/long.ts';
import { expectIntegrity } from '../harness/integrity.ts';
import { StoreFixture } from '../harness/store-fixture.ts';
import { type Store, openStore } from '../harness/store.ts';
import { shopTables, writeDump } from './shops.ts';

type Context = StepContext<typeof sejoli, null>;

const root = mkdtempSync(join(tmpdir(), 'load-test-'));
const stores: Store[] = [];
let stagings = 0;
const open: Staging<typeof sejoli>[] = [];

afterAll(async () => {
  for (const staging of open) staging[Symbol.dispose]();
  for (const store of stores) await store.close();
  rmSync(root, { recursive: true });
});

beforeAll(() => writeDump(join(root, 'shop.sql'), shopTables(sejoli, {})));

async function newStore(): Promise<Store> {
  const store = await openStore();
  stores.push(store);
  return store;
}

/** Opens the shop's staging, as another import would. */
async function newStaging(): Promise<Staging<typeof sejoli>> {
  const folder = join(root, String(++stagings));
  const staging = await stage(sejoli, dumpFile(join(root, 'shop.sql')), { folder });
  open.push(staging);
  return staging;
}

const at = '2024-05-01T03:00:00.000Z';

/** More than two batches, so that some are full and one isn't. */
const people = 1100;

/** A person whom PostgreSQL refuses, because the address belongs to somebody else. */
const refused = 777;

/** People with even ids, each the sponsor of the one before, so that every person precedes their sponsor. */
function* person(): Generator<MappedRow> {
  for (let n = 1; n <= people; n++) {
    const id = 2 * n;
    const email = `${n === refused ? 1 : n}@people.example`;
    yield {
      entity: 'users',
      id: String(id),
      outcome: n % 10 === 0 ? 'changed' : 'imported',
      targets: [id],
      reasons: n % 10 === 0 ? ['guest'] : [],
      rows: [
        insertInto(users, {
          id,
          email,
          display_name: `Ä ${n}`,
          roles: ['member'],
          created_at: at,
          updated_at: at,
        }),
        insertInto(userExternalIds, {
          user_id: id,
          provider: 'wordpress',
          external_id: String(id),
        }),
      ],
    };
  }
}

/** Sets the sponsors once all people exist. */
function* sponsorship(): Generator<MappedRow> {
  for (let n = 2; n <= people; n++) {
    const rows =
      n === refused || n - 1 === refused
        ? []
        : [change(users, 2 * (n - 1), { affiliate_id: 2 * n })];
    yield mapped('groups', n, { rows });
  }
}

/** Products get new ids; the source mentions the id of a missing one. */
function* product({ numbers }: Context): Generator<MappedRow> {
  numbers.above(products, 40);
  for (const slug of ['tea', 'coffee']) {
    const id = numbers.next(products);
    const row = insertInto(products, {
      ...defaultParts,
      id,
      slug,
      title: slug,
      price: 1000,
      currency: 'USD',
      created_at: at,
      updated_at: at,
    });
    yield mapped('products', slug, { rows: [row], targets: [id] });
  }
}

const preflight = { plan: null, answers: { timezone: 'Asia/Jakarta' } };

const importer: Importer<typeof sejoli, null> = {
  source: sejoli,
  options: {},
  plan: () => ({ ...preflight, questions: [], notes: [] }),
  steps: [
    { entity: 'users', count: () => people, map: person },
    { entity: 'groups', count: () => people - 1, map: sponsorship },
    { entity: 'products', count: () => 2, map: product },
  ],
  owed: () => [],
  compared: () => ({ access: '' }),
};

async function contents({ database }: Store): Promise<unknown> {
  const read = async (table: string) =>
    (await database.query(`select to_jsonb(t) as row from ${table} t order by 1`)).rows;
  const { rows: progress } = await database.query(
    'select entity, done, counts, finished_at is not null as finished from imports order by entity',
  );
  const { rows: next } = await database.query(
    `select (select last_value from users_id_seq) as users, (select last_value from products_id_seq) as products`,
  );
  return [
    await read('users'),
    await read('user_external_ids'),
    await read('products'),
    progress,
    next,
  ];
}

/** A client that calls a function with each statement before it sends it. */
const intercepted = (client: Client, before: (text: string) => Promise<void> | void) =>
  new Proxy(client, {
    get: (target, name) =>
      name === 'query'
        ? async (text: string, values?: unknown[]) => {
            await before(text);
            return target.query(text, values);
          }
        : Reflect.get(target, name),
  });

const report = (staging: Staging<typeof sejoli>) =>
  staging.database.prepare('select * from entity_row order by entity, id').all();

test('every row of the source is imported or reported, and new ids are above all mentioned ones', async () => {
  const [store, staging] = [await newStore(), await newStaging()];
  const heard: string[] = [];
  await load(store.database, importer, staging, preflight, {
    progress: (entity, done, total) => heard.push(`${entity} ${done}/${total}`),
  });
  expect(heard).toContain('users 500/1100');
  expect(heard.at(-1)).toBe('products 2/2');

  const { rows } = await store.database.query('select count(*) as n from users');
  expect(Number(rows[0].n)).toBe(people - 1);
  const counted = staging.database
    .prepare('select entity, outcome, count(*) as n from entity_row group by 1, 2 order by 1, 2')
    .all();
  expect(counted.map((row) => ({ ...row }))).toEqual([
    { entity: 'groups', outcome: 'imported', n: people - 1 },
    { entity: 'products', outcome: 'imported', n: 2 },
    { entity: 'users', outcome: 'changed', n: 110 },
    { entity: 'users', outcome: 'imported', n: people - 111 },
    { entity: 'users', outcome: 'refused', n: 1 },
  ]);
  expect(
    staging.database.prepare(`select id, detail from entity_row where outcome = 'refused'`).get(),
  ).toEqual({ id: String(2 * refused), detail: '23505 users_email' });

  await expectIntegrity({ store });
  const fixture = await StoreFixture.open(store);
  expect((await fixture.newUser({ email: 'new@people.example' })).id).toBe(2 * people + 1);
  expect((await fixture.newProduct()).id).toBe(43);
});

long(
  'an import that was interrupted at any point continues, and ends like one that was not',
  async () => {
    const [undisturbed, calm] = [await newStore(), await newStaging()];
    await load(undisturbed.database, importer, calm, preflight);
    const [store, staging] = [await newStore(), await newStaging()];
    // In the middle of the first batch, in the half that a refused row leaves, at its end, in the last step.
    for (const point of ['users 120', 'users 740', 'users 1000', 'groups 600', 'products 1']) {
      const [entity, after] = point.split(' ');
      const cutOff = {
        ...importer,
        steps: importer.steps.map((step) => ({
          ...step,
          *map(context: Context) {
            let n = 0;
            for (const mapped of step.map(context)) {
              if (step.entity === entity && n++ === Number(after)) throw new Error('cut off');
              yield mapped;
            }
          },
        })),
      };
      await expect(load(store.database, cutOff, staging, preflight)).rejects.toThrow('cut off');
    }
    await load(store.database, importer, staging, preflight);
    expect(await contents(store)).toEqual(await contents(undisturbed));
    expect(report(staging)).toEqual(report(calm));
  },
);

long(
  'a second import of the same shop waits for the first, and writes and skips nothing',
  async () => {
    const [undisturbed, calm] = [await newStore(), await newStaging()];
    await load(undisturbed.database, importer, calm, preflight);
    const [store, staging, second] = [await newStore(), await newStaging(), await newStaging()];
    const other = new Client({ connectionString: store.databaseUrl });
    await other.connect();
    const { promise: met, resolve: meet } = Promise.withResolvers<void>();
    const watched = intercepted(other, (text) => {
      // The second import waits for the lock, or writes already.
      if (text === 'begin' || text.includes('pg_try_advisory_lock')) meet();
    });
    let late: Promise<void> | undefined;
    const first = intercepted(store.database, async (text) => {
      if (text !== 'commit' || late) return;
      late = load(watched, importer, second, preflight);
      await met;
    });
    await load(first, importer, staging, preflight);
    await late;
    await other.end();
    expect(await contents(store)).toEqual(await contents(undisturbed));
    expect(report(staging)).toEqual(report(calm));
  },
);

test('a store with users of its own is refused', async () => {
  const store = await newStore();
  const fixture = await StoreFixture.open(store);
  await fixture.newUser();
  await expect(load(store.database, importer, await newStaging(), preflight)).rejects.toThrow(
    'has users that this import did not bring',
  );
});
