import { afterAll, beforeAll, expect, test } from 'vitest';
import { importsBegunIn } from '../../packages/import/src/command/begun.ts';
import { StoreFixture } from '../harness/store-fixture.ts';
import { type Store, openStore } from '../harness/store.ts';

let store: Store;

beforeAll(async () => {
  store = await openStore();
});
afterAll(() => store.close());

test('A database without tables has no imports', async () => {
  const name = 'import_target_without_tables';
  await store.database.query(`create database ${name}`);
  try {
    const url = Object.assign(new URL(store.databaseUrl), { pathname: `/${name}` }).href;
    expect([...(await importsBegunIn(url))]).toEqual([]);
  } finally {
    await store.database.query(`drop database ${name} with (force)`);
  }
});

test.each([
  ['products', '/products', { title: 'My own', price: 999 }],
  ['coupons', '/coupons', { code: 'OWN', discount: { type: 'fixed', value: 100 } }],
  ['user groups', '/user-groups', { name: 'Mine' }],
])('An import does not go into a store with %s of its own', async (name, path, fields) => {
  const own = await openStore();
  try {
    const { api } = await StoreFixture.open(own);
    expect((await api.post(path, fields)).status).toBe(201);
    await expect(importsBegunIn(own.databaseUrl)).rejects.toThrow(
      `The store in DATABASE_URL has ${name} that this import did not bring`,
    );
  } finally {
    await own.close();
  }
});

test('An import goes into a store whose settings, keys and webhooks were set up', async () => {
  const own = await openStore();
  try {
    const { api } = await StoreFixture.open(own);
    const webhook = { url: 'https://all.example/hook', events: ['*'], status: 'paused' };
    expect((await api.post('/webhooks', webhook)).status).toBe(201);
    await own.database.query(`update settings set currency = 'IDR', version = version + 1`);
    expect([...(await importsBegunIn(own.databaseUrl))]).toEqual([]);
  } finally {
    await own.close();
  }
});

test('An import goes only into an empty store, or one in which an import has begun', async () => {
  expect([...(await importsBegunIn(store.databaseUrl))]).toEqual([]);
  await store.database.query(
    `insert into users (email, created_at, updated_at) values ('ani@example.com', now(), now())`,
  );
  await expect(importsBegunIn(store.databaseUrl)).rejects.toThrow(
    'The store in DATABASE_URL has users that this import did not bring',
  );
  await store.database.query(
    `insert into imports (fingerprint, entity, kind, done, started_at)
     values ('0a', 'users', 'sejoli', 1, now()), ('0a', 'orders', 'sejoli', 0, now())`,
  );
  expect([...(await importsBegunIn(store.databaseUrl)).keys()]).toEqual(['0a']);
});
