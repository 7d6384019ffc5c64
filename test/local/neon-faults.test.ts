import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Fault } from '../../src/local/neon/faults.ts';
import { caught, driver, neonDatabase, until } from './neon-database.ts';
import type { NeonDatabase } from './neon-database.ts';

const WRITERS = `SELECT count(*)::int AS n FROM pg_locks
  WHERE relation = 'kept'::regclass AND mode = 'RowExclusiveLock'`;

let database: NeonDatabase;
let sql: ReturnType<typeof driver>;

beforeAll(async () => {
  database = await neonDatabase();
  sql = driver(database);
  await sql`CREATE TABLE kept (id int)`;
});

afterAll(() => database.close());
beforeEach(() => sql`TRUNCATE kept`);
afterEach(() => database.endpoint.faults.clear());

async function kept(): Promise<number | null> {
  return (await database.direct.query('SELECT FROM kept')).rowCount;
}

const insert = () => sql`INSERT INTO kept VALUES (1) RETURNING id`;
const inBatch = () => sql.transaction([insert(), sql`SELECT 1`]);

describe.for([
  ['a statement', insert],
  ['a batch', inBatch],
] as const)('The connection of %s', ([, write]) => {
  test.for([
    ['before parse', 0],
    ['before commit', 0],
    ['after commit', 1],
    ['mid body', 1],
  ] as const)('cut %s leaves %i rows', async ([cut, rows]) => {
    database.endpoint.faults.next({ cut });
    await expect(write()).rejects.toThrow(/fetch failed|terminated/);
    expect(await kept()).toBe(rows);
    await write();
    expect(await kept()).toBe(rows + 1);
  });

  test('held before the commit shows nothing until it is let go', async () => {
    const fault = database.endpoint.faults.next({ hold: true });
    const answer = write().then((rows) => rows);
    expect(await fault.reached).toMatchObject({ batch: write === inBatch });
    expect(await kept()).toBe(0);
    fault.release();
    await answer;
    expect(await kept()).toBe(1);
  });

  test('that its caller drops while it is held is rolled back', async () => {
    const fault = database.endpoint.faults.next({ hold: true });
    const gone = new AbortController();
    const other = driver(database, { signal: gone.signal });
    const work = other`INSERT INTO kept VALUES (1)`;
    const call = caught(write === inBatch ? other.transaction([work]) : work);
    await fault.reached;
    gone.abort();
    expect(String(await call)).toContain('abort');
    await until(database, WRITERS, 0);
    expect(await kept()).toBe(0);
  });
});

describe('A fault', () => {
  test.for(['40001', '40P01', '53300', '57P01'])('can be PostgreSQL error %s', async (sqlState) => {
    database.endpoint.faults.next({ sqlState });
    await expect(insert()).rejects.toMatchObject({ code: sqlState, severity: 'ERROR' });
    expect(await kept()).toBe(0);
  });

  test('can be an answer that is not JSON', async () => {
    database.endpoint.faults.next({ answer: { status: 503, body: '<html>' } });
    await expect(insert()).rejects.toThrow('HTTP status 503): <html>');
    database.endpoint.faults.next({ answer: { status: 400, body: '<html>' } });
    await expect(insert()).rejects.toBeInstanceOf(SyntaxError);
    expect(await kept()).toBe(0);
  });

  test('can be a delay, which ends when the caller disconnects', async () => {
    const fault = database.endpoint.faults.next({ delay: 3_600_000 });
    const gone = new AbortController();
    const slow = driver(database, { signal: gone.signal });
    const call = caught(slow`INSERT INTO kept VALUES (1)`);
    await fault.reached;
    gone.abort();
    expect(String(await call)).toContain('abort');
    database.endpoint.faults.next({ delay: 1 });
    await insert();
    expect(await kept()).toBe(1);
  });

  test.for([
    ['the text of a statement', { statement: 'SELECT 2' }],
    ['the request id', { requestId: 'b' }],
    ['the number of the trip within its request', { trip: 2 }],
    ['anything else', { match: ({ ofRequest }) => ofRequest === 2 }],
  ] as [string, Fault][])('can ask for %s', async ([, condition]) => {
    database.endpoint.faults.next({ ...condition, sqlState: '40001' });
    const requestId = crypto.randomUUID();
    const first = driver(database, { requestId });
    const second = driver(database, { requestId: condition.requestId ?? requestId });
    await first`SELECT 1`;
    await expect(second`SELECT 2`).rejects.toMatchObject({ code: '40001' });
    await second`SELECT 2`;
  });

  test('can be set for several statements, and cleared', async () => {
    const { faults } = database.endpoint;
    faults.next({ sqlState: '40001', times: 2 });
    await expect(insert()).rejects.toMatchObject({ code: '40001' });
    await expect(insert()).rejects.toMatchObject({ code: '40001' });
    await insert();
    const { reached } = faults.next({ hold: true, times: 9 });
    const held = insert().then((rows) => rows);
    await reached;
    faults.clear();
    await held;
    await insert();
    expect(await kept()).toBe(3);
  });
});

describe('Trips', () => {
  test('are counted in all and for each request', async () => {
    const { trips } = database.endpoint;
    const total = trips.total;
    const requestId = crypto.randomUUID();
    const counted = driver(database, { requestId });
    await counted`SELECT 1`;
    await counted.transaction([sql`SELECT 1`, sql`SELECT 2`]);
    await sql`SELECT 1`;
    expect(trips.total - total).toBe(3);
    expect(trips.of(requestId)).toBe(2);
    expect(trips.of('unknown')).toBe(0);
  });
});
