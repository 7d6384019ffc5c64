import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { apiKey } from '../../../src/kernel/auth/access.ts';
import { authenticate } from '../../../src/kernel/auth/principals.ts';
import {
  Collision,
  DatabaseRefusal,
  GuardFailure,
  UniqueViolation,
} from '../../../src/kernel/database/errors.ts';
import {
  type Guard,
  type Statement,
  build,
  guard,
  raw,
} from '../../../src/kernel/database/statements.ts';
import type { Authorising } from '../../../src/kernel/database/stored-function.ts';
import { UnitOfWork } from '../../../src/kernel/database/unit-of-work.ts';
import { writer } from '../../../src/kernel/database/writing.ts';
import { users } from '../../../src/schema/users.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';
import { untilWaiting } from '../../races/queue.ts';

const opened = useStoreFixture();
let id: number;

beforeEach(async () => {
  ({ id } = await opened.fixture.newUser({ display_name: 'Ada' }));
});

/** A unit of work of the service itself, or of a caller. */
const unit = async (authorising?: Authorising) =>
  new UnitOfWork((await opened.fixture.store.services()).connection, authorising);

const write = async (...statements: (Statement | Guard)[]) => (await unit()).write(statements);

const rename = (name: string) =>
  build.update(users).set({ display_name: name }).where(eq(users.id, id));

async function stored(): Promise<Record<string, unknown>> {
  const found = await opened.fixture.store.database.query('select * from users where id = $1', [
    id,
  ]);
  return found.rows[0] as Record<string, unknown>;
}

describe('A write', () => {
  test('runs all of its statements, and returns the rows of the last one', async () => {
    const counted = raw<{ name: string; number: number; at: null }>(
      sql`select display_name as name, 2::bigint as number, null as at from users where id = ${id}`,
    );
    const work = await unit();
    expect(await work.write([rename('Grace')], counted)).toEqual([
      { name: 'Grace', number: 2, at: null },
    ]);
    expect(await work.write([rename('Ada')])).toEqual([]);
    expect(work.trips).toBe(2);
    expect(await stored()).toMatchObject({ display_name: 'Ada' });
  });

  test.each([
    `O'Hara; drop table users; --`,
    String.raw`\' or 1=1 -- \\`,
    '$1 $2 %1$L %s %% %L $svc$',
    '日本 🎈\nline\ttab',
    '',
  ])('stores a text unchanged: %j', async (text) => {
    const meta = { text, list: [text, null, 1.5, true], in: { it: text } };
    await write(
      rename(text),
      build.update(users).set({ meta }).where(eq(users.id, id)),
      raw(sql`update users set roles = ${sql.param(['member', text])}::text[] where id = ${id}`),
    );
    expect(await stored()).toMatchObject({ display_name: text, meta, roles: ['member', text] });
  });

  test('treats a text that looks like a parameter as a text', async () => {
    const statement = raw(sql`update users set display_name = '$1' where id = ${id}`);
    await expect(write(statement)).rejects.toThrow('may read as a parameter');
  });

  const failures: [what: string, failing: () => Statement | Guard, error: object][] = [
    [
      'a guard',
      () =>
        guard(sql`update users set status = 'blocked' where false returning id`, 'rest_conflict'),
      new GuardFailure('rest_conflict'),
    ],
    [
      'a row that is there already',
      () => raw(sql`insert into users select * from users where id = ${id}`),
      new UniqueViolation('users_pkey'),
    ],
    [
      'a row that is gone',
      () => raw(sql`update users set affiliate_id = 0 where id = ${id}`),
      expect.any(Collision),
    ],
    ['a mistake', () => raw(sql`select 1 / 0`), expect.objectContaining({ code: '22012' })],
  ];

  test.each(failures)('that meets %s fails and changes nothing', async (_, failing, error) => {
    const work = await unit();
    const failed: unknown = await work.write([rename('Grace'), failing(), rename('Eve')]).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(failed).toEqual(error);
    expect(await stored()).toMatchObject({ display_name: 'Ada' });
  });

  test('of a caller without permission changes nothing', async () => {
    const { store } = opened.fixture;
    const { authority } = await store.services();
    const { token } = await store.createKey({ scopes: ['orders:read'] });
    const credentials = { authorization: `Bearer ${token}`, apiKey: undefined, ip: undefined };
    const now = store.clock.now();
    const { authorising } = await authenticate(apiKey('users:write'), credentials, authority, now);
    const work = await unit(authorising);
    await expect(work.write([rename('Grace')])).rejects.toThrow(DatabaseRefusal);
    expect(work.authorised).toBe(false);
    expect(await stored()).toMatchObject({ display_name: 'Ada' });
  });
});

describe('A commit between the statements of a write', () => {
  const lock = 4_711;
  afterEach(() => opened.fixture.store.database.query('select pg_advisory_unlock_all()'));

  // Control: a stable function doesn't see the commit.
  test.each([
    ['is seen by the next', '', 'Grace'],
    ['would not be if the function were stable', 'alter', 'Ada'],
  ])('%s', async (_, altered, seen) => {
    const { database } = opened.fixture.store;
    const { name } = await writer();
    if (altered) await database.query(`alter function ${name} stable`);
    await database.query('select pg_advisory_lock($1)', [lock]);
    const look = build.select({ name: users.display_name }).from(users).where(eq(users.id, id));
    const writing = (await unit()).write(
      [look, raw(sql`select pg_advisory_lock_shared(${lock})`)],
      raw<{ name: string }>(sql`select display_name as name from users where id = ${id}`),
    );
    await untilWaiting(opened.fixture.store, 1);
    await database.query(`update users set display_name = 'Grace' where id = $1`, [id]);
    await database.query('select pg_advisory_unlock($1)', [lock]);
    expect(await writing).toEqual([{ name: seen }]);
    if (altered) await database.query(`alter function ${name} volatile`);
  });
});

test('A caller who disconnects leaves no values in the log of PostgreSQL', async () => {
  const { database } = opened.fixture.store;
  const { name } = await writer();
  const call = `select * from ${name}(null, null, null, $1, $2, $3, $4)`;
  const slow = ['update users set display_name = %1$L where pg_sleep(60) is null'];
  await database.query('set statement_timeout = 50');
  const failed: unknown = await database.query(call, [[1], ['Grace Hopper'], false, slow]).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  await database.query('reset statement_timeout');
  expect(failed).toMatchObject({ code: '57014' });
  expect(JSON.stringify(Object.entries(failed as object))).not.toContain('Grace');
});
