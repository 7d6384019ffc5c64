import { beforeEach, expect, test } from 'vitest';
import { findDue, runJobs } from '../../../src/jobs/index.ts';
import { UnitOfWork } from '../../../src/kernel/database/unit-of-work.ts';
import { findStoreId } from '../../../src/queries/store-mark.ts';
import { fromConsole } from '../../harness/client.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';

const opened = useStoreFixture();

beforeEach(async () => {
  const { database } = opened.fixture.store;
  await database.query('delete from store_mark');
  await database.query("insert into store_mark (store_id) values ('own')");
});

/** Sets the store that the worker expects. */
async function told(STORE_ID?: string): Promise<void> {
  const { store } = opened.fixture;
  const environment = await store.environment;
  delete environment['STORE_ID'];
  if (STORE_ID !== undefined) environment['STORE_ID'] = STORE_ID;
  store.restart();
}

/** The status and the trips of each kind of request. */
async function answers() {
  const { fixture } = opened;
  const found = await fixture.store.database.query<{ id: string }>(
    "select id from users where 'administrator' = any (roles)",
  );
  const id = Number(found.rows[0]?.id);
  const member = await fixture.store.session(id, { admin: true });
  const staff = fixture.store.client(fromConsole(await fixture.store.consoleSession(id)));
  const replies = [
    await fixture.api.get('/products/1'),
    await fixture.api.get('/products'),
    await fixture.api.get('/status'),
    await fixture.api.post('/users', { email: `${crypto.randomUUID()}@people.example` }),
    await member.get('/me/orders'),
    await fixture.store.client().get('//readyz'),
    await staff.get('//console/api/v1/products'),
  ];
  return replies.map(({ status, trips }) => [status, trips]);
}

test("A worker with a store's id uses only that store's database, without a further trip", async () => {
  const { fixture } = opened;
  await fixture.newAdministrator();
  await fixture.newProduct();
  await told();
  const before = await answers();
  expect(
    before.every(([status]) => Number(status) < 300),
    JSON.stringify(before),
  ).toBe(true);
  await told('own');
  expect(await answers()).toEqual(before);

  const users = () => fixture.store.database.query('select from users');
  const { rowCount } = await users();
  await told('another');
  fixture.store.logs.length = 0;
  expect((await answers()).map(([status]) => status)).toEqual(before.map(() => 503));
  expect((await users()).rowCount).toBe(rowCount);
  for (const line of fixture.store.logs)
    expect(line).toMatchObject({ level: 'error', error: 'DatabaseOfAnotherStore' });
});

test("The jobs of a worker leave another store's database alone", async () => {
  const { store } = opened.fixture;
  await told('another');
  const services = await store.services();
  await expect(findDue(services)).rejects.toThrow('that of another store');
  const unit = new UnitOfWork(services.connection, undefined);
  await expect(unit.write([], findStoreId())).rejects.toThrow('that of another store');
  const lines: object[] = [];
  await runJobs(services, (line) => lines.push(line));
  expect(lines).toEqual([expect.objectContaining({ job: 'look for due jobs', level: 'error' })]);
  await told('own');
  await expect(findDue(await store.services())).resolves.toBeInstanceOf(Array);
});
