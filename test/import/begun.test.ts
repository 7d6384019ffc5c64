import { afterAll, beforeAll, expect, test } from 'vitest';
import { importsBegunIn } from '../../packages/import/src/command/begun.ts';
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

test('An import goes only into an empty store, or one in which an import has begun', async () => {
  expect([...(await importsBegunIn(store.databaseUrl))]).toEqual([]);
  await store.database.query(
    `insert into users (email, created_at, updated_at) values ('ani@example.com', now(), now())`,
  );
  await expect(importsBegunIn(store.databaseUrl)).rejects.toThrow(
    'The store in DATABASE_URL has users or orders that did not come from an import',
  );
  await store.database.query(
    `insert into imports (fingerprint, entity, kind, done, started_at)
     values ('0a', 'users', 'sejoli', 1, now()), ('0a', 'orders', 'sejoli', 0, now())`,
  );
  expect([...(await importsBegunIn(store.databaseUrl))]).toEqual(['0a']);
});
