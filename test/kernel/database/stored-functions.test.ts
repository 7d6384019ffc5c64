import { afterEach, describe, expect, test } from 'vitest';
import { storeFunctions } from '../../../src/cli/migrations/stored-functions.ts';
import { storedFunctions } from '../../../src/kernel/database/writing.ts';
import type { StoredFunction } from '../../../src/kernel/database/stored-function.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';

const opened = useStoreFixture();

/** The functions of a version, each named after the number that it returns. */
const version = (...answers: number[]): StoredFunction[] =>
  answers.map((answer) => ({
    name: `svc_trip_test_${answer}`,
    text: `CREATE FUNCTION svc_trip_test_${answer}() RETURNS int LANGUAGE sql AS 'SELECT ${answer}'`,
  }));

async function present(): Promise<number[]> {
  const { rows } = await opened.fixture.store.database.query<{ answer: string }>(
    `select substring(proname from '[0-9]+$') as answer from pg_proc
      where proname like 'svc\\_trip\\_test\\_%' order by 1`,
  );
  return rows.map(({ answer }) => Number(answer));
}

const migrate = (functions: StoredFunction[]) =>
  storeFunctions(opened.fixture.store.database, functions);

afterEach(async () => {
  await migrate(await storedFunctions());
  const { database } = opened.fixture.store;
  for (const answer of await present())
    await database.query(`drop function svc_trip_test_${answer}`);
  await database.query(`delete from stored_functions where name like 'svc\\_trip\\_test\\_%'`);
});

const later = (time: string) =>
  opened.fixture.store.database.query(
    'update stored_functions set superseded_at = superseded_at - $1::interval',
    [time],
  );

describe('Migrating', () => {
  test('keeps the functions of other versions until a later one was superseded for a year', async () => {
    await migrate(version(1, 2));
    await migrate(version(2, 3));
    await later('360 days');
    await migrate(version(4));
    await later('360 days');
    await migrate(version(4));
    expect(await present()).toEqual([1, 2, 3, 4]);
    await later('7 days');
    await migrate(version(4));
    expect(await present()).toEqual([2, 3, 4]);
  });

  test('keeps the functions of a worker that was rolled back more than a year ago', async () => {
    await migrate(version(1, 2));
    await migrate(version(2, 3));
    await later('400 days');
    await migrate(version(2, 3));
    await migrate(version(4));
    await migrate(version(4));
    expect(await present()).toEqual([1, 2, 3, 4]);
  });

  test('keeps the functions of a worker that stays through two failed upgrades a month apart', async () => {
    for (const one of [1, 2, 3, 4]) {
      await migrate(version(one));
      await later('31 days');
    }
    expect(await present()).toEqual([1, 2, 3, 4]);
  });

  test('keeps the functions that a rolled-back version needs, whatever is deployed then', async () => {
    await migrate(version(1, 2));
    await later('400 days');
    await migrate(version(1, 3));
    await migrate(version(1, 4));
    expect(await present()).toEqual([1, 2, 3, 4]);
  });

  test('back to a version keeps its functions permanently', async () => {
    await migrate(version(1));
    await migrate(version(2));
    await migrate(version(1));
    await later('400 days');
    await migrate(version(1));
    expect(await present()).toEqual([1, 2]);
  });

  test('creates missing functions again', async () => {
    await migrate(version(1));
    await opened.fixture.store.database.query('drop function svc_trip_test_1');
    await migrate(version(1));
    expect(await present()).toEqual([1]);
  });
});

/** Functions that workers or triggers of earlier versions call, but not those of this one. */
const superseded = [
  'svc_authorize',
  'svc_authorize_console',
  'svc_authorize_console_session',
  'svc_authorize_key',
  'svc_authorize_session',
  'svc_changed_commissions',
  'svc_claim_gathered_messages',
  'svc_claim_messages',
  'svc_claim_ranked_messages',
  'svc_commission_chains',
  'svc_earning_chains',
  'svc_leave_draft',
  'svc_queue_messages',
];

test('A store has at most 63 functions of this version, of 225,000 characters in all', async () => {
  const { rows } = await opened.fixture.store.database.query<{ functions: number; size: number }>(
    `select count(*)::int as functions, sum(length(pg_get_functiondef(f.oid)))::int as size
       from pg_proc f join pg_language l on l.oid = f.prolang and l.lanname in ('plpgsql', 'sql')
      where f.pronamespace = 'public'::regnamespace
        and f.proname <> all ($1)
        and not exists (select from stored_functions s where s.name = f.proname and s.superseded_at is not null)`,
    [superseded],
  );
  expect(rows[0]?.functions).toBeLessThanOrEqual(63);
  expect(rows[0]?.size).toBeLessThanOrEqual(225_000);
});

test('A worker whose functions are missing is not ready, and answers 503 if it needs them', async () => {
  const { fixture } = opened;
  const ready = () => fixture.store.client().get('//readyz');
  expect((await ready()).status).toBe(200);
  const { id } = await fixture.newOrder({ product_id: (await fixture.newProduct()).id });
  const functions = await storedFunctions();
  for (const { name } of functions) await fixture.store.database.query(`drop function ${name}`);
  const unavailable = { status: 503, body: { code: 'rest_unavailable' } };
  expect(await ready()).toMatchObject(unavailable);
  expect(await fixture.api.get(`/orders/${id}`)).toMatchObject(unavailable);
  await migrate(functions);
  expect((await ready()).status).toBe(200);
  expect((await fixture.api.get(`/orders/${id}`)).status).toBe(200);
});
