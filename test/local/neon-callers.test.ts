import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { caught, driver, neonDatabase, until } from './neon-database.ts';
import type { NeonDatabase } from './neon-database.ts';

const WAITING = `SELECT count(*)::int AS n FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

let database: NeonDatabase;

beforeAll(async () => {
  database = await neonDatabase({ poolSize: 60 });
});

afterAll(() => database.close());

describe('Callers', () => {
  test('in sequence share a connection, though it is reset between them', async () => {
    const sql = driver(database);
    const seen = new Set<number>();
    for (let i = 0; i < 50; i++) {
      const [row] = await sql`SELECT pg_backend_pid() AS pid`;
      seen.add(Number(row?.['pid']));
    }
    expect(seen.size).toBe(1);
  });

  test('sixty of them run at the same time, and one more waits in line', async () => {
    const sql = driver(database);
    await database.direct.query('SELECT pg_advisory_lock(1)');
    const callers = Array.from({ length: 61 }, () => sql`SELECT pg_advisory_lock_shared(1)`);
    const all = Promise.all(callers);
    await until(database, WAITING, 60);
    await database.direct.query('SELECT pg_advisory_unlock(1)');
    expect(await all).toHaveLength(61);
  });

  test('to another database replace an idle connection', async () => {
    const there = driver(database);
    const elsewhere = driver({ ...database, url: database.url.replace(/neon_\w+/, 'postgres') });
    await Promise.all(Array.from({ length: 60 }, () => there`SELECT pg_sleep(0)`));
    expect(await elsewhere`SELECT current_database() AS name`).toEqual([{ name: 'postgres' }]);
  });

  test('may name their database in a way that only the endpoint understands', async () => {
    const there = await neonDatabase({ resolve: () => database.url });
    const url = 'postgres://user:secret@shop.neon.tech/shop';
    const rows = await driver({ ...there, url })`SELECT 1 AS n`;
    expect(rows).toEqual([{ n: 1 }]);
    await there.close();
  });

  test.for([
    ['a statement', false],
    ['a batch', true],
  ] as const)('that disconnect cancel %s and undo its work', async ([, batch]) => {
    await database.direct.query('CREATE TABLE IF NOT EXISTS done (id int)');
    const gone = new AbortController();
    const sql = driver(database, { signal: gone.signal });
    await database.direct.query('SELECT pg_advisory_lock(2)');
    const work = sql`INSERT INTO done SELECT 1 FROM pg_advisory_xact_lock(2)`;
    const call = caught(batch ? sql.transaction([work]) : work);
    await until(database, WAITING, 1);
    gone.abort();
    expect(String(await call)).toContain('abort');
    await until(database, WAITING, 0);
    await database.direct.query('SELECT pg_advisory_unlock(2)');
    expect((await database.direct.query('SELECT FROM done')).rowCount).toBe(0);
  });

  test('that disconnect after the last statement get their COMMIT all the same', async () => {
    await database.direct.query(`CREATE TABLE late (id int);
      CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql
        AS $$BEGIN PERFORM pg_advisory_xact_lock(3); RETURN NULL; END$$;
      CREATE CONSTRAINT TRIGGER wait AFTER INSERT ON late
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait()`);
    const gone = new AbortController();
    const sql = driver(database, { signal: gone.signal });
    await database.direct.query('SELECT pg_advisory_lock(3)');
    const call = caught(sql.transaction([sql`INSERT INTO late VALUES (1)`]));
    await until(database, WAITING, 1);
    gone.abort();
    expect(String(await call)).toContain('abort');
    await database.direct.query('SELECT pg_advisory_unlock(3)');
    await until(database, 'SELECT count(*)::int AS n FROM late', 1);
  });

  test('that leave the queue remove nobody else from it', async () => {
    const one = await neonDatabase({ poolSize: 1 });
    const { faults } = one.endpoint;
    const held = faults.next({ requestId: 'held', hold: true });
    const first = driver(one, { requestId: 'held' })`SELECT 1 AS n`.then((rows) => rows);
    await held.reached;
    const arrived = faults.next({ requestId: 'leaving' });
    const gone = new AbortController();
    const leaving = { requestId: 'leaving', signal: gone.signal };
    const second = caught(driver(one, leaving)`SELECT 2 AS n`);
    await arrived.reached;
    const third = driver(one)`SELECT 3 AS n`.then((rows) => rows);
    gone.abort();
    expect(String(await second)).toContain('abort');
    held.release();
    expect(await Promise.all([first, third])).toEqual([[{ n: 1 }], [{ n: 3 }]]);
    await one.close();
  });
});
