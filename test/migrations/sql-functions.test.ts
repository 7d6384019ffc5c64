import type { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { renewSqlFunctions } from '../../src/cli/migrations/sql-functions.ts';
import { sqlFunctions } from '../../src/cli/migrations/migrate.ts';
import { emptyDatabase } from '../upgrade/old-store.ts';
import calledFunctions from './called-functions.json' with { type: 'json' };

let client: Client;

beforeEach(async () => {
  ({ client } = await emptyDatabase());
});

afterEach(() => client.end());

const version = (answer: number, isCalled: boolean) => ({
  name: 'f',
  text: `create or replace function f() returns int language sql as $$ select ${answer} $$`,
  hash: String(answer),
  isCalled,
});

const answer = async () => (await client.query<{ f: number }>('select f()')).rows[0]?.f;

describe('A function of src/schema/sql', () => {
  test('is replaced if its text differs', async () => {
    await renewSqlFunctions(client, [version(1, false)]);
    await renewSqlFunctions(client, [version(2, false)]);
    expect(await answer()).toBe(2);
  });

  test('is created again if a database has it from before hashes were kept', async () => {
    await client.query(version(1, true).text);
    await renewSqlFunctions(client, [version(2, true)]);
    expect(await answer()).toBe(2);
  });

  test('keeps its text while workers call it', async () => {
    await renewSqlFunctions(client, [version(1, true)]);
    await expect(renewSqlFunctions(client, [version(2, true)])).rejects.toThrow(/new name/);
    expect(await answer()).toBe(1);
  });
});

/**
 * Hashes of the functions that workers call by name. Lines are only added: a changed function gets a new name and a new
 * line, and the former one stays while workers may call it.
 */
test('Functions that a deployed worker calls keep their text', () => {
  const called = sqlFunctions.filter(({ isCalled }) => isCalled);
  expect(Object.fromEntries(called.map(({ name, hash }) => [name, hash]))).toEqual(calledFunctions);
});
