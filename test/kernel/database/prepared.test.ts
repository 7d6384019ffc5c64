import { asc, eq, inArray, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { DatabaseUnavailable } from '../../../src/kernel/database/errors.ts';
import {
  type PreparedCall,
  prepared,
  tripFunctions,
} from '../../../src/kernel/database/prepared.ts';
import { recordOrNullFrom, recordOf, selectRecords } from '../../../src/kernel/database/records.ts';
import {
  type Argument,
  type Statements,
  build,
  raw,
  sendIf,
} from '../../../src/kernel/database/statements.ts';
import { UnitOfWork } from '../../../src/kernel/database/unit-of-work.ts';
import { products } from '../../../src/schema/products.ts';
import { userGroups } from '../../../src/schema/groups.ts';
import { users } from '../../../src/schema/users.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';
import { untilWaiting } from '../../races/queue.ts';

const opened = useStoreFixture();
let ids: number[];

beforeAll(async () => {
  const { fixture } = opened;
  const group = await fixture.api.post('/user-groups', { name: 'He said "hello\\", (yes)' });
  const people = [
    await fixture.newUser({
      display_name: `O'Hara, "Jo" \\ (née Ray)`,
      meta: { a: ['b"\\', null] },
    }),
    await fixture.newUser({ group_id: group.body.data.id, address: ' lines\nand\ttabs ' }),
    await fixture.newUser({ display_name: '日本 🎈', meta: { deep: { er: 1.5 } } }),
  ];
  ids = people.map(({ id }) => id);
});

/** A unit of work of the service itself. */
const unit = async () =>
  new UnitOfWork((await opened.fixture.store.services()).connection, undefined);

async function make(call: PreparedCall<Statements>): Promise<void> {
  const { text } = await call.trip.function();
  await opened.fixture.store.database.query(text);
}

const person = recordOf({
  user: users,
  group: recordOrNullFrom(userGroups, eq(userGroups.id, users.group_id), userGroups),
});

const statements = ({
  id,
  ids: all,
}: {
  id: Argument<number>;
  ids: Argument<readonly number[]>;
}) => ({
  records: selectRecords(person).from(users).where(eq(users.id, id)),
  joined: build
    .select({
      user: users,
      group: userGroups,
      upper: sql<string>`upper(${users.email})`.mapWith(String),
    })
    .from(users)
    .leftJoin(userGroups, eq(userGroups.id, users.group_id))
    .where(sql`${users.id} = any (${Array.isArray(all) ? sql.param(all) : all}::bigint[])`)
    .orderBy(asc(users.id)),
  plain: build.select().from(users).where(eq(users.id, id)),
  named: build
    .select({ total: sql<string>`count(*)`.mapWith(Number) })
    .from(users)
    .where(inArray(users.status, ['active', 'blocked'])),
  group: {
    rows: raw(sql`select email, meta, id::int as number from users where id = ${id}`),
    none: raw(sql`select 1 as one where false`),
    nobody: build.select({ id: products.id }).from(products).where(eq(products.id, 0)),
  },
});

const read = prepared({ id: 'bigint', ids: 'bigint[]' }, statements);

test('A prepared trip gives the answers of its statements', async () => {
  const values = { id: ids[1] ?? 0, ids };
  await make(read(values));
  for (const id of ids) {
    const expected = await (await unit()).query(statements({ ...values, id }));
    // Raw statements only use the rows.
    const { group } = expected;
    const raws = { rows: { rows: group.rows.rows }, none: { rows: group.none.rows } };
    expect(await (await unit()).query(read({ ...values, id }))).toEqual({
      ...expected,
      group: { ...group, ...raws },
    });
  }
});

test('The same statements make the same function, and different statements a different one', async () => {
  const again = prepared({ id: 'bigint', ids: 'bigint[]' }, statements);
  const less = prepared({ id: 'bigint', ids: 'bigint[]' }, ({ id }) => ({
    records: selectRecords(person).from(users).where(eq(users.id, id)),
  }));
  const names = await Promise.all(
    [read, again, less].map(async (trip) => {
      return (await trip({ id: 1, ids }).trip.function()).name;
    }),
  );
  expect(names[1]).toBe(names[0]);
  expect(names[2]).not.toBe(names[0]);
  const stored = (await tripFunctions()).map(({ name }) => name);
  expect(stored.filter((name) => name === names[0])).toHaveLength(1);
});

test('A statement with a condition is sent if the condition holds', async () => {
  const some = prepared({ id: 'bigint?' }, ({ id }) => ({
    found: sendIf(sql`${id} is not null`, () =>
      build
        .select({ id: users.id })
        .from(users)
        .where(sql`${users.id} = coalesce(${id}, ${ids[0]})`),
    ),
  }));
  await make(some({ id: null }));
  expect(await (await unit()).query(some({ id: null }))).toEqual({ found: [] });
  expect(await (await unit()).query(some({ id: ids[1] }))).toEqual({ found: [{ id: ids[1] }] });
});

test('Values that never change are part of the text, so that the query planner knows them', async () => {
  const quoted = prepared({}, () => ({
    found: build
      .select({ id: users.id })
      .from(users)
      .where(eq(users.display_name, `O'Hara, "Jo" \\ (née Ray)`)),
  }));
  await make(quoted({}));
  const { text } = await quoted({}).trip.function();
  expect(text).toContain(`'O''Hara, "Jo" \\ (née Ray)'`);
  expect(await (await unit()).query(quoted({}))).toEqual({ found: [{ id: ids[0] }] });
});

describe('A prepared trip', () => {
  test('can not write', async () => {
    const write = prepared({ id: 'bigint' }, ({ id }) => ({
      written: raw(sql`update users set version = version where id = ${id} returning id`),
    }));
    await expect(
      make(write({ id: 1 })).then(async () => (await unit()).query(write({ id: 1 }))),
    ).rejects.toThrow();
  });

  // Control: a function that isn't stable sees commits of others between its statements.
  test.each([
    ['reads one snapshot', 'STABLE', 0],
    ['would not if it were volatile', 'VOLATILE', 1],
  ])('%s', async (_, volatility, seen) => {
    const { database } = opened.fixture.store;
    const count = () => raw<{ total: number }>(sql`select count(*)::int as total from products`);
    const lock = Math.floor(Math.random() * 1e9);
    const twice = prepared({}, () => ({
      before: count(),
      waited: raw(sql`select 1 as one from (select pg_advisory_lock_shared(${lock})) l`),
      after: count(),
    }));
    const { name, text } = await twice({}).trip.function();
    await database.query(text.replace('STABLE', volatility));
    await database.query('select pg_advisory_lock($1)', [lock]);
    const reading = (await unit()).query(twice({}));
    await untilWaiting(opened.fixture.store, 1);
    await opened.fixture.newProduct();
    await database.query('select pg_advisory_unlock($1)', [lock]);
    const { before, after } = await reading;
    expect(Number(after.rows[0]?.total) - Number(before.rows[0]?.total)).toBe(seen);
    await database.query(`drop function ${name}`);
  });

  test('whose function is missing is trouble of the database', async () => {
    const missing = prepared({ id: 'bigint' }, ({ id }) => ({
      found: raw(sql`select ${id} as missing`),
    }));
    await expect((await unit()).query(missing({ id: 1 }))).rejects.toThrow(DatabaseUnavailable);
  });
});
