import { mkdtemp, readFile, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readArchive } from '../../src/cli/archive/read.ts';
import { writeArchive } from '../../src/cli/archive/write.ts';
import { expectIntegrity } from '../harness/integrity.ts';
import { Shop, useShop } from '../harness/shop.ts';
import { type Store, openStore } from '../harness/store.ts';

const opened = useShop();
const nobody = () => {};
let parent: string;
let archives = 0;
/** What a test opened beside. */
const others: Store[] = [];

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'archive-test-'));
});

afterAll(async () => {
  for (const store of others) await store.close();
  await rm(parent, { recursive: true });
});

async function emptyStore(): Promise<Store> {
  const store = await openStore();
  others.push(store);
  return store;
}

async function exported(): Promise<string> {
  const folder = join(parent, String(++archives));
  await writeArchive(opened.shop.store.database, folder, nobody);
  return folder;
}

/** A store with an upline tree, a paid order, one given back in part, and texts that are hard to carry. */
async function fill({ api, newAffiliate, newOrder, newProduct, newUser }: Shop): Promise<void> {
  const last = await newAffiliate();
  const first = await newAffiliate({
    display_name: '"\\\n\u2028 \u{1F600}, {}\t',
    affiliate_id: last.id,
  });
  const product = await newProduct({
    title: "L'été — ¼ \\u0041 \u2029",
    affiliate: { enabled: true, tiers: [{ tier: 1, type: 'percentage', fee: 10 }] },
  });
  const buyer = await newUser({ affiliate_id: first.id });
  for (const _ of [1, 2, 3]) {
    const order = await newOrder({ product_id: product.id, user_id: buyer.id });
    await api.patch(`/orders/${order.id}`, { status: 'completed' });
    await api.post(`/orders/${order.id}/refunds`, { amount: 100, reason: 'Late' });
  }
  await newOrder({ product_id: product.id, user_id: buyer.id });
}

test('a store that was exported is read back row by row, and goes on from there', async () => {
  await fill(opened.shop);
  const folder = await exported();
  const store = await emptyStore();
  const { tables } = await readArchive(store.database, folder, nobody);
  expect(tables['orders']?.rows).toBe(4);
  expect(tables['refunds']?.rows).toBe(3);
  await expectIntegrity({ store });

  const before = (await opened.shop.api.get('/orders?per_page=100')).body.data;
  const shop = await Shop.open(store);
  expect((await shop.api.get('/orders?per_page=100')).body.data).toEqual(before);
  const { id: user_id } = await shop.newUser({ email: 'later@people.example' });
  const order = await shop.newOrder({ product_id: before[0].product.id, user_id });
  expect(order.id).toBeGreaterThan(before[0].id);
  await expectIntegrity({ store });
});

test('nobody but its owner may read an archive', async () => {
  const folder = await exported();
  expect((await stat(folder)).mode & 0o077).toBe(0);
  expect((await stat(join(folder, 'users.ndjson'))).mode & 0o077).toBe(0);
});

describe('An archive is refused, and nothing is written,', () => {
  const refusals: readonly (readonly [
    string,
    RegExp,
    (folder: string, store: Store) => Promise<unknown>,
  ])[] = [
    [
      'where a row was changed',
      /users\.ndjson is not what was exported/,
      async (folder) => {
        const path = join(folder, 'users.ndjson');
        const text = await readFile(path, 'utf8');
        await writeFile(path, text.replace('@people.example', '@other.example'));
      },
    ],
    [
      'where the end of a file is missing',
      /orders\.ndjson is not what was exported/,
      async (folder) => {
        const path = join(folder, 'orders.ndjson');
        const text = await readFile(path, 'utf8');
        await writeFile(path, text.slice(0, text.trimEnd().lastIndexOf('\n') + 1));
      },
    ],
    [
      'where a file is cut off within a line',
      /orders\.ndjson is not what was exported.*copy the folder again/,
      async (folder) => {
        const path = join(folder, 'orders.ndjson');
        await writeFile(path, (await readFile(path, 'utf8')).slice(0, -20));
      },
    ],
    [
      'where its manifest is half a one',
      /manifest\.json is not what an export writes/,
      (folder) => writeFile(join(folder, 'manifest.json'), '{'),
    ],
    [
      'where its manifest is another one',
      /manifest\.json is not what an export writes/,
      (folder) => writeFile(join(folder, 'manifest.json'), '{"format": 2}'),
    ],
    [
      'where a file is missing',
      /refunds\.ndjson is missing/,
      (folder) => unlink(join(folder, 'refunds.ndjson')),
    ],
    [
      'where its export was broken off',
      /has no manifest\.json/,
      (folder) => unlink(join(folder, 'manifest.json')),
    ],
    [
      'where it is of another version',
      /of another version/,
      (_, { database }) => database.query(`update drizzle.__drizzle_migrations set hash = 'other'`),
    ],
    [
      'where the store is not empty',
      /is not empty/,
      (_, { database }) =>
        database.query(
          `insert into users (display_name, created_at, updated_at) values ('', now(), now())`,
        ),
    ],
  ];

  test.each(refusals)('%s', async (_, message, damage) => {
    const folder = await exported();
    const store = await emptyStore();
    await damage(folder, store);
    const count = async () => {
      const { rows } = await store.database.query(
        `select (select count(*) from users) as users, (select count(*) from orders) as orders,
                (select count(*) from pg_constraint where contype = 'f') as references_there,
                (select count(*) from pg_trigger where tgenabled = 'D') as triggers_off`,
      );
      return rows[0];
    };
    const before = await count();
    await expect(readArchive(store.database, folder, nobody)).rejects.toThrow(message);
    expect(await count()).toEqual(before);
  });
});

test('an export does not mix with what is in a folder', async () => {
  const folder = await exported();
  await expect(writeArchive(opened.shop.store.database, folder, nobody)).rejects.toThrow(
    /is not empty/,
  );
});
