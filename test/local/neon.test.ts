import { NeonDbError } from '@neondatabase/serverless';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { caught, driver, neonDatabase, until } from './neon-database.ts';
import type { NeonDatabase } from './neon-database.ts';
import { startRefusal, startRelay } from './relay.ts';

let database: NeonDatabase;
let sql: ReturnType<typeof driver>;

beforeAll(async () => {
  // One connection, so that every test gets the one of the previous test.
  database = await neonDatabase({ poolSize: 1 });
  sql = driver(database);
  await sql`CREATE TABLE item (
    id int PRIMARY KEY,
    price numeric CONSTRAINT price_not_negative CHECK (price >= 0),
    parent int REFERENCES item DEFERRABLE INITIALLY DEFERRED
  )`;
});

afterAll(() => database.close());

async function refusal(work: Promise<unknown>): Promise<NeonDbError> {
  const error = await caught(work);
  if (!(error instanceof NeonDbError)) throw error;
  return error;
}

function post(body: string | Buffer, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(database.endpoint.url, {
    method: 'POST',
    body,
    headers: { 'Neon-Connection-String': database.url, ...headers },
  });
}

describe('A statement', () => {
  test('answers each type as the driver reads it: int8 and numeric as strings', async () => {
    const [row] = await sql`SELECT 1 AS int4, 9007199254740993 AS int8, 1.50::numeric AS numeric,
      true AS bool, NULL AS nothing, '{"a":[1]}'::jsonb AS json, ''::text AS empty,
      '2026-01-02T03:04:05Z'::timestamptz AS at, '\\x00ff'::bytea AS bytes, ARRAY['a',NULL,'{"'] AS texts`;
    expect(row).toEqual({
      int4: 1,
      int8: '9007199254740993',
      numeric: '1.50',
      bool: true,
      nothing: null,
      json: { a: [1] },
      empty: '',
      at: new Date('2026-01-02T03:04:05Z'),
      bytes: Buffer.from([0, 255]),
      texts: ['a', null, '{"'],
    });
  });

  test('takes parameters of every kind, their types inferred', async () => {
    const [row] = await sql`SELECT ${1}::int + 1 AS sum, ${[1, 2]}::int[] AS list,
      ${{ a: "ü'" }}::jsonb AS json, ${null}::text AS nothing, ${Buffer.from([1])}::bytea AS bytes,
      ${'9007199254740993'}::int8 AS big`;
    expect(row).toEqual({
      sum: 2,
      list: [1, 2],
      json: { a: "ü'" },
      nothing: null,
      bytes: Buffer.from([1]),
      big: '9007199254740993',
    });
  });

  test('reports its command, its row count and its columns', async () => {
    const full = { fullResults: true } as const;
    const insert = await sql.query('INSERT INTO item (id) VALUES (101), (102)', [], full);
    expect(insert).toMatchObject({ command: 'INSERT', rowCount: 2, rows: [], fields: [] });
    const select = await sql.query('SELECT price FROM item WHERE id > 100', [], full);
    expect(select).toMatchObject({ command: 'SELECT', rowCount: 2 });
    expect(select.fields).toMatchObject([{ name: 'price', dataTypeID: 1700, format: 'text' }]);
    const table = await sql.query('CREATE TABLE other ()', [], full);
    expect(table).toMatchObject({ command: 'CREATE', rowCount: null });
  });

  test('is answered as the wire format says', async () => {
    const response = await post('{"query":"SELECT $1::int AS a, NULL AS b","params":["7"]}');
    expect(response.status).toBe(200);
    const int4 = { dataTypeID: 23, dataTypeSize: 4 };
    const text = { dataTypeID: 25, dataTypeSize: -1 };
    const common = { tableID: 0, columnID: 0, dataTypeModifier: -1, format: 'text' };
    expect(await response.json()).toEqual({
      fields: [
        { name: 'a', ...int4, ...common },
        { name: 'b', ...text, ...common },
      ],
      rows: [['7', null]],
      command: 'SELECT',
      rowCount: 1,
      rowAsArray: true,
    });
  });

  test('that is empty answers nothing', async () => {
    expect(await sql.query('')).toEqual([]);
  });
});

describe('An error of PostgreSQL', () => {
  test('has its SQLSTATE and all its fields', async () => {
    const error = await refusal(sql`INSERT INTO item (id, price) VALUES (1, -1)`);
    expect(error).toMatchObject({
      message: 'new row for relation "item" violates check constraint "price_not_negative"',
      code: '23514',
      severity: 'ERROR',
      schema: 'public',
      table: 'item',
      constraint: 'price_not_negative',
      routine: 'ExecConstraints',
    });
    expect(error.detail).toContain('Failing row');
  });

  test('names its place in the statement', async () => {
    expect(await refusal(sql`SELECT nothing`)).toMatchObject({ code: '42703', position: '8' });
  });

  test('is returned for two commands in one statement', async () => {
    expect(await refusal(sql`SELECT 1; SELECT 2`)).toMatchObject({ code: '42601' });
  });

  test('is returned for a database that does not exist', async () => {
    const elsewhere = driver({ ...database, url: database.url.replace(/neon_\w+/, 'nowhere') });
    expect(await refusal(elsewhere`SELECT 1`)).toMatchObject({ code: '3D000', severity: 'FATAL' });
  });

  test('is returned for one parameter too many', async () => {
    expect(await refusal(sql.query('SELECT 1', ['a']))).toMatchObject({ code: '08P01' });
  });

  test.for(['COPY item FROM STDIN', 'COPY (SELECT 1) TO STDOUT'])(
    "is not the answer to %s: the endpoint can't transfer its data",
    async (copy) => {
      const error = await refusal(sql.query(copy));
      expect(error).toMatchObject({ message: 'unexpected message from server', code: undefined });
    },
  );
});

describe('A batch', () => {
  test('answers every statement, in one transaction', async () => {
    const ids = await sql.transaction([
      sql`SELECT txid_current() AS id`,
      sql`CREATE TEMP TABLE seen ON COMMIT DROP AS SELECT 5 AS n`,
      sql`SELECT txid_current() AS id, n FROM seen`,
    ]);
    expect(ids).toEqual([[{ id: expect.any(String) }], [], [{ id: ids[0]?.[0]?.['id'], n: 5 }]]);
  });

  test('stops at its first error and leaves nothing behind', async () => {
    const error = await refusal(
      sql.transaction([
        sql`INSERT INTO item (id) VALUES (201)`,
        sql`SELECT 1 / ${0}::int`,
        sql`SELECT nothing`,
      ]),
    );
    expect(error.code).toBe('22012');
    expect(await sql`SELECT FROM item WHERE id = 201`).toEqual([]);
  });

  test('leaves nothing behind after a savepoint either', async () => {
    const savepoint = sql`SAVEPOINT here`;
    const insert = sql`INSERT INTO item (id) VALUES (202)`;
    await refusal(sql.transaction([insert, savepoint, sql`SELECT 1 / ${0}::int`]));
    expect(await sql`SELECT FROM item WHERE id = 202`).toEqual([]);
  });

  test('reports what PostgreSQL finds at the commit', async () => {
    const orphan = sql`INSERT INTO item (id, parent) VALUES (203, 999)`;
    expect(await refusal(sql.transaction([orphan]))).toMatchObject({ code: '23503' });
    expect(await sql`SELECT FROM item WHERE id = 203`).toEqual([]);
  });

  test.for([
    ['ReadUncommitted', 'read uncommitted'],
    ['ReadCommitted', 'read committed'],
    ['RepeatableRead', 'repeatable read'],
    ['Serializable', 'serializable'],
  ] as const)('runs at %s when asked', async ([isolationLevel, level]) => {
    const [rows] = await sql.transaction([sql`SHOW transaction_isolation`], { isolationLevel });
    expect(rows).toEqual([{ transaction_isolation: level }]);
  });

  test('is read only and deferrable when asked, and says so', async () => {
    const insert = sql`INSERT INTO item (id) VALUES (204)`;
    expect(await refusal(sql.transaction([insert], { readOnly: true }))).toMatchObject({
      code: '25006',
    });
    const headers = { 'Neon-Batch-Read-Only': 'true', 'Neon-Batch-Deferrable': 'true' };
    const response = await post('{"queries":[{"query":"SHOW transaction_deferrable"}]}', headers);
    expect(await response.json()).toMatchObject({ results: [{ rows: [['on']] }] });
    expect(response.headers.get('neon-batch-read-only')).toBe('true');
    expect(response.headers.get('neon-batch-deferrable')).toBe('true');
  });

  test('is neither read only nor deferrable for any other value', async () => {
    const headers = { 'Neon-Batch-Read-Only': 'yes', 'Neon-Batch-Deferrable': '1' };
    const response = await post('{"queries":[{"query":"SHOW transaction_read_only"}]}', headers);
    expect(await response.json()).toMatchObject({ results: [{ rows: [['off']] }] });
    expect(response.headers.get('neon-batch-read-only')).toBeNull();
    expect(response.headers.get('neon-batch-deferrable')).toBeNull();
  });

  test('may be empty', async () => {
    expect(await sql.transaction([])).toEqual([]);
    expect(await sql.transaction([], { readOnly: true })).toEqual([]);
  });
});

describe('A request', () => {
  test.for([
    ['is not JSON', 'nonsense', {}],
    ['has no statement', '{"text":"SELECT 1"}', {}],
    ['has a parameter that is not text', '{"query":"SELECT $1","params":[1]}', {}],
    ['has half a character', '{"query":"SELECT $1","params":["\\ud83d"]}', {}],
    ['has half a character in a statement', '{"queries":[{"query":"SELECT \'\\ud83d\'"}]}', {}],
    ['is not UTF-8', Buffer.from('{"query":"SELECT \'\xe9\'"}', 'latin1'), {}],
    ['asks for an unknown isolation', '{"queries":[]}', { 'Neon-Batch-Isolation-Level': 'None' }],
    ['names no database', '{"query":"SELECT 1"}', { 'Neon-Connection-String': '' }],
  ] as const)('that %s is a 400', async ([, body, headers]) => {
    const response = await post(body, headers);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ message: expect.any(String), code: null });
  });

  test.for([
    ['mysql://me:secret@shop.neon.tech/shop', 'incorrect scheme'],
    ['postgres://:secret@shop.neon.tech/shop', 'missing username'],
    ['postgres://me@shop.neon.tech/shop', 'missing authentication credentials: required password'],
    ['postgres://me:secret@127.0.0.1/shop', 'missing hostname'],
    ['postgres://me:secret@[::1]/shop', 'missing hostname'],
  ] as const)('from %s is a 400: %s', async ([url, message]) => {
    const response = await post('{"query":"SELECT 1"}', { 'Neon-Connection-String': url });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ message, code: null });
  });

  test('other than POST /sql is a 400', async () => {
    const elsewhere = new URL('/', database.endpoint.url);
    expect((await fetch(elsewhere, { method: 'POST', body: '{}' })).status).toBe(400);
    expect((await fetch(database.endpoint.url)).status).toBe(400);
  });

  test('over 10 MiB is a 413', async () => {
    const response = await post(`{"query":"SELECT 1","params":["${'x'.repeat(10_485_760)}"]}`);
    expect(response.status).toBe(413);
    const message = 'request is too large (max is 10485760 bytes)';
    expect(await response.json()).toMatchObject({ message, code: null });
  });

  test('whose answer is over 10 MiB is a 507, and commits nothing', async () => {
    const large = sql`SELECT repeat('x', 1024 * 1024) FROM generate_series(1, 11)`;
    const insert = sql`INSERT INTO item (id) VALUES (301)`;
    await expect(sql.transaction([insert, large])).rejects.toThrow('HTTP status 507');
    await expect(sql.transaction([large], { readOnly: true })).rejects.toThrow('HTTP status 507');
    await expect(large).rejects.toThrow(
      'HTTP status 507): {"message":"response is too large (max is 10485760 bytes)","code":null',
    );
    expect(await sql`SELECT FROM item WHERE id = 301`).toEqual([]);
  });

  describe('has its answer measured', () => {
    const rows = (text: string, count: number) =>
      sql`SELECT ${text} AS text FROM generate_series(1, ${count}::int)`;

    test('as JSON', async () => {
      // Two million control characters are twelve million characters of JSON.
      await expect(rows('\u0001'.repeat(20_000), 100)).rejects.toThrow('HTTP status 507');
      await expect(rows('"'.repeat(20_000), 300)).rejects.toThrow('HTTP status 507');
      expect(await rows('é'.repeat(20_000), 250)).toHaveLength(250);
    });

    test('with all statements of its batch', async () => {
      const half = rows('x'.repeat(100_000), 60);
      expect(await half).toHaveLength(60);
      await expect(sql.transaction([half, half])).rejects.toThrow('HTTP status 507');
    });

    test('before each row, so the last row may be of any size', async () => {
      const [row] = await sql`SELECT repeat('x', 11 * 1024 * 1024) AS text`;
      expect(row?.['text']).toHaveLength(11 * 1024 * 1024);
    });
  });
});

describe('A connection', () => {
  async function behind(port: number) {
    const resolve = (url: string) => Object.assign(new URL(url), { port }).href;
    const there = await neonDatabase({ resolve });
    return { ...there, sql: driver(there) };
  }

  test('that nobody accepts is answered with 500', async () => {
    const { sql: nowhere, close } = await behind(1);
    await expect(nowhere`SELECT 1`).rejects.toThrow(
      `HTTP status 500): {"message":"Couldn't connect to compute node","code":null`,
    );
    await close();
  });

  test.for([
    ['53300', 'sorry, too many clients already'],
    ['57P03', 'the database system is starting up'],
  ] as const)('that PostgreSQL refuses with %s is answered with 500', async ([code, message]) => {
    const server = await startRefusal(code, message);
    const { sql: refused, close } = await behind(server.port);
    const error = await refusal(refused`SELECT 1`);
    expect(error.message).toContain(`HTTP status 500): {"message":"${message}","code":"${code}"`);
    expect(error.code).toBeUndefined();
    await close();
    server.close();
  });

  test('with the wrong password is answered with 400 without a code', async () => {
    const message = 'password authentication failed for user "me"';
    const server = await startRefusal('28P01', message);
    const { sql: refused, close } = await behind(server.port);
    expect(await refusal(refused`SELECT 1`)).toMatchObject({ message, code: undefined });
    await close();
    server.close();
  });

  test('that breaks in the middle of a statement is answered with 400 without a code', async () => {
    const relay = await startRelay();
    const { sql: cut, close, direct } = await behind(relay.port);
    await direct.query('SELECT pg_advisory_lock(9)');
    const call = refusal(cut`SELECT pg_advisory_lock_shared(9)`);
    const waiting = `SELECT count(*)::int AS n FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await until({ direct }, waiting, 1);
    relay.cut();
    expect(await call).toMatchObject({ message: expect.any(String), code: undefined });
    expect(String(await call)).not.toContain('HTTP status');
    await direct.query('SELECT pg_advisory_unlock(9)');
    await close();
    await relay.close();
  });
});

describe('Between two uses a connection', () => {
  test('forgets settings, role, tables, statements, cursors, locks, channels, sequences', async () => {
    const before = await sql`SELECT pg_backend_pid() AS pid`;
    await sql`CREATE ROLE guest`;
    await sql`CREATE SEQUENCE counter`;
    await sql`SET search_path = pg_catalog`;
    await sql`SELECT set_config('svc.mine', 'yes', false)`;
    await sql`CREATE TEMP TABLE mine ()`;
    await sql`PREPARE mine AS SELECT 1`;
    await sql`SELECT pg_advisory_lock(7)`;
    await sql`LISTEN mine`;
    await sql`SELECT nextval('counter')`;
    await sql.transaction([sql`DECLARE mine CURSOR WITH HOLD FOR SELECT 1`]);
    await sql`SET SESSION AUTHORIZATION guest`;
    const after = await sql`SELECT pg_backend_pid() AS pid`;
    expect(after).toEqual(before);
    expect(
      await sql`SELECT current_setting('search_path') AS path, session_user AS role,
        current_setting('svc.mine', true) AS mine, to_regclass('mine') AS temp,
        (SELECT count(*) FROM pg_prepared_statements WHERE name <> '') AS statements,
        (SELECT count(*) FROM pg_cursors WHERE name <> '') AS cursors,
        (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()) AS locks,
        (SELECT count(*) FROM pg_listening_channels()) AS channels`,
    ).toEqual([
      {
        path: '"$user", public',
        role: 'postgres',
        mine: '',
        temp: null,
        statements: '0',
        cursors: '0',
        locks: '0',
        channels: '0',
      },
    ]);
    expect(await refusal(sql`SELECT lastval()`)).toMatchObject({ code: '55000' });
    await sql`DROP ROLE guest`;
  });

  test('leaves no transaction open', async () => {
    await sql`BEGIN`;
    await sql`INSERT INTO item (id) VALUES (501)`;
    expect((await database.direct.query('SELECT FROM item WHERE id = 501')).rowCount).toBe(1);
  });

  const pid = async (on = sql) => (await on`SELECT pg_backend_pid() AS pid`)[0]?.['pid'];

  test('keeps the plans of functions', async () => {
    await sql`CREATE FUNCTION planned(int) RETURNS int LANGUAGE plpgsql STABLE
      AS $$BEGIN RETURN (SELECT count(*) FROM item WHERE id = $1); END$$`;
    const first = await pid();
    for (let call = 0; call < 7; call++) await sql`SELECT planned(${call}::int)`;
    // Cached plans have a memory context of their own.
    const kept = await sql`SELECT count(*)::int AS n FROM pg_backend_memory_contexts
      WHERE name = 'CachedPlan' AND ident LIKE '(SELECT count(*) FROM item WHERE id = $1)%'`;
    expect(kept).toEqual([{ n: 1 }]);
    expect(await pid()).toBe(first);
  });

  test('is shared only by callers that ask for a pooled connection', async () => {
    const alone = driver(database, { pooled: false });
    const first = await pid();
    const second = await pid(alone);
    const third = await pid(alone);
    expect(new Set([first, second, third]).size).toBe(3);
  });

  test('stays after an error in a batch', async () => {
    const first = await pid();
    await refusal(
      sql.transaction([sql`SELECT set_config('svc.mine', 'yes', false)`, sql`SELECT no`]),
    );
    expect(await pid()).toBe(first);
    expect(await sql`SELECT current_setting('svc.mine', true) AS mine`).toEqual([{ mine: '' }]);
  });

  test('is replaced when a COMMIT fails', async () => {
    const first = await pid();
    const orphan = sql`INSERT INTO item (id, parent) VALUES (401, 999)`;
    await refusal(sql.transaction([orphan]));
    expect(await pid()).not.toBe(first);
  });

  test('is replaced after an error of a single statement, and when PostgreSQL has closed it', async () => {
    const first = await pid();
    await refusal(sql`SELECT nothing`);
    const second = await pid();
    expect(second).not.toBe(first);
    const gone = sql`SELECT pg_terminate_backend(pg_backend_pid())`;
    expect(await refusal(gone)).toMatchObject({ code: '57P01' });
    expect(await pid()).not.toBe(second);
  });
});
