import { afterEach, describe, expect, test } from 'vitest';
import type { NeonOptions } from '../../src/local/neon/index.ts';
import { caught, driver, neonDatabase, until } from './neon-database.ts';
import type { NeonDatabase } from './neon-database.ts';
import { type Relay, startRelay } from './relay.ts';

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** An endpoint of one connection, which goes through a relay. */
async function throughRelay(
  options: NeonOptions,
): Promise<{ database: NeonDatabase; relay: Relay }> {
  const relay = await startRelay();
  const resolve = (url: string) => Object.assign(new URL(url), { port: relay.port }).href;
  const database = await neonDatabase({ poolSize: 1, resolve, ...options });
  closers.push(relay.close, database.close);
  return { database, relay };
}

type Sql = ReturnType<typeof driver>;
const three = (sql: Sql) => [sql`SELECT 1`, sql`SELECT ${2}::int`, sql`CREATE TEMP TABLE t ()`];
const reads = (sql: Sql) => [sql`SELECT 1`, sql`SELECT ${2}::int`, sql`SELECT 3`];

describe('Exchanges with PostgreSQL', () => {
  test.for([
    ['a statement', 2, 1, (sql: Sql) => sql`SELECT ${1}::int`],
    ['a statement without a row', 2, 1, (sql: Sql) => sql`CREATE TEMP TABLE t ()`],
    ['an empty statement', 2, 1, (sql: Sql) => sql.query('')],
    ['an empty batch', 2, 2, (sql: Sql) => sql.transaction([])],
    ['three statements', 8, 2, (sql: Sql) => sql.transaction(three(sql))],
    ['three reads', 8, 1, (sql: Sql) => sql.transaction(reads(sql), { readOnly: true })],
  ] as const)('of %s are %i as by the proxy, and %i at once', async ([, proxied, atOnce, send]) => {
    for (const [exchangeDelay, expected] of [
      [0, proxied],
      [undefined, atOnce],
    ] as const) {
      const { database, relay } = await throughRelay({ exchangeDelay });
      const { trips } = database.endpoint;
      const sql = driver(database);
      await sql`SELECT 1`;
      const before = { relayed: relay.exchanges, counted: trips.exchanges };
      await send(sql);
      // The connection is reset before its next use.
      expect(relay.exchanges - before.relayed - 1).toBe(expected);
      expect(trips.exchanges - before.counted).toBe(proxied);
    }
  });

  test('are counted for each request, whichever way they are made', async () => {
    const database = await neonDatabase();
    closers.push(database.close);
    const sql = driver(database, { requestId: 'counted' });
    await sql`SELECT 1`;
    expect(database.endpoint.trips.exchangesOf('counted')).toBe(2);
    await sql.transaction(reads(sql));
    expect(database.endpoint.trips.exchangesOf('counted')).toBe(10);
    expect(database.endpoint.trips.exchangesOf('unknown')).toBe(0);
  });

  test('take as much longer as they are told to', async () => {
    const database = await neonDatabase({ exchangeDelay: 20 });
    closers.push(database.close);
    const sql = driver(database);
    const started = performance.now();
    await sql.transaction(reads(sql));
    // A timer may be a millisecond early.
    expect(performance.now() - started).toBeGreaterThanOrEqual(8 * 19);
  });

  test('end when the caller leaves between two of them', async () => {
    const database = await neonDatabase({ exchangeDelay: 3_600_000, poolSize: 1 });
    closers.push(database.close);
    const gone = new AbortController();
    const leaving = caught(driver(database, { signal: gone.signal })`SELECT 1`);
    const sessions = `SELECT count(*)::int AS n FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`;
    await until(database, sessions, 1);
    gone.abort();
    expect(String(await leaving)).toContain('abort');
    await until(database, sessions, 0);
  });
});

describe('Statement after statement', () => {
  test('sees what others commit in between', async () => {
    const database = await neonDatabase({ exchangeDelay: 0 });
    closers.push(database.close);
    const sql = driver(database);
    await sql`CREATE TABLE seen (n int)`;
    await database.direct.query('SELECT pg_advisory_lock(1)');
    const batch = sql.transaction(
      [
        sql`SELECT count(*)::int AS n FROM seen`,
        sql`SELECT pg_advisory_xact_lock(1)`,
        sql`SELECT count(*)::int AS n FROM seen`,
      ],
      { isolationLevel: 'ReadCommitted' },
    );
    await until(
      database,
      `SELECT count(*)::int AS n FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      1,
    );
    await database.direct.query('INSERT INTO seen VALUES (1)');
    await database.direct.query('SELECT pg_advisory_unlock(1)');
    expect(await batch).toEqual([[{ n: 0 }], [expect.anything()], [{ n: 1 }]]);
  });

  test('stops at its first error: nothing after it runs, not even a rollback', async () => {
    const database = await neonDatabase({ exchangeDelay: 0 });
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
