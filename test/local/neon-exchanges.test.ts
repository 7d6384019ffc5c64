import { afterEach, describe, expect, test } from 'vitest';
import { driver, neonDatabase } from './neon-database.ts';
import type { NeonDatabase } from './neon-database.ts';
import { type Relay, startRelay } from './relay.ts';

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** An endpoint with one connection, which goes through a relay. */
async function throughRelay(): Promise<{ database: NeonDatabase; relay: Relay }> {
  const relay = await startRelay();
  const resolve = (url: string) => Object.assign(new URL(url), { port: relay.port }).href;
  const database = await neonDatabase({ poolSize: 1, resolve });
  closers.push(relay.close, database.close);
  return { database, relay };
}

type Sql = ReturnType<typeof driver>;
const three = (sql: Sql) => [sql`SELECT 1`, sql`SELECT ${2}::int`, sql`CREATE TEMP TABLE t ()`];
const reads = (sql: Sql) => [sql`SELECT 1`, sql`SELECT ${2}::int`, sql`SELECT 3`];

describe('Exchanges with PostgreSQL', () => {
  test.for([
    ['a statement', 1, (sql: Sql) => sql`SELECT ${1}::int`],
    ['a statement without a row', 1, (sql: Sql) => sql`CREATE TEMP TABLE t ()`],
    ['an empty statement', 1, (sql: Sql) => sql.query('')],
    ['an empty batch', 2, (sql: Sql) => sql.transaction([])],
    ['three statements', 2, (sql: Sql) => sql.transaction(three(sql))],
    ['three reads', 1, (sql: Sql) => sql.transaction(reads(sql), { readOnly: true })],
  ] as const)('of %s are %i', async ([, expected, send]) => {
    const { database, relay } = await throughRelay();
    const sql = driver(database);
    await sql`SELECT 1`;
    const before = relay.exchanges;
    await send(sql);
    // The connection is reset before its next use.
    expect(relay.exchanges - before - 1).toBe(expected);
  });

  test('stop at the first error of a batch: nothing after it runs, not even a rollback', async () => {
    const database = await neonDatabase();
    closers.push(database.close);
    const sql = driver(database);
    await sql`CREATE TABLE kept (n int)`;
    for (const wrong of [sql`SELECT nothing`, sql`SELECT 1 / ${0}::int`]) {
      const batch = [wrong, sql`ROLLBACK`, sql`INSERT INTO kept VALUES (1)`];
      await expect(sql.transaction(batch)).rejects.toThrow(/nothing|zero/);
    }
    expect(await sql`SELECT FROM kept`).toEqual([]);
  });
});
