import { beforeAll, expect, test } from 'vitest';
import { listLicenses } from '../../src/queries/licenses.ts';
import { listOrders } from '../../src/queries/orders.ts';
import { pageWindow } from '../../src/kernel/lists/window.ts';
import { listUsers } from '../../src/queries/user-lists.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';

const stage = useStoreFixture();
const rows = 2500;
const size = 10;

/** Makes many copies of a record, whose `column` is unique. */
async function multiply(table: string, column: string, id: number): Promise<void> {
  const { database } = stage.fixture.store;
  await database.query(
    `insert into ${table} select (jsonb_populate_record(t, jsonb_build_object(
         'id', nextval('${table}_id_seq'), '${column}', t.${column} || '-' || n))).*
       from ${table} t cross join generate_series(1, ${rows}) n where t.id = ${id}`,
  );
}

beforeAll(async () => {
  const { fixture } = stage;
  const product_id = (await fixture.newProduct()).id;
  const user = await fixture.newUser();
  const license = await fixture.api.post('/licenses', { product_id, user_id: user.id });
  await multiply('orders', 'number', (await fixture.newOrder({ product_id, user_id: user.id })).id);
  await multiply('users', 'email', user.id);
  await multiply('licenses', 'code', license.body.data.id);
  await fixture.store.database.query('analyze');
});

interface Plan {
  'Actual Loops': number;
  'Relation Name'?: string;
  Plans?: Plan[];
}

interface Built {
  toSQL(): { sql: string; params: unknown[] };
}

/** Counts how often a statement reads each other table, by part. */
async function looks(list: Built): Promise<{ table: string; loops: number }[]> {
  const { sql, params } = list.toSQL();
  const { rows: answer } = await stage.fixture.store.database.query<{
    'QUERY PLAN': [{ Plan: Plan }];
  }>(`explain (analyze, format json) ${sql}`, params);
  const found: { table: string; loops: number }[] = [];
  const walk = (plan: Plan): void => {
    const table = plan['Relation Name'];
    if (table) found.push({ table, loops: plan['Actual Loops'] });
    plan.Plans?.forEach(walk);
  };
  for (const { Plan: plan } of answer[0]?.['QUERY PLAN'] ?? []) walk(plan);
  return found;
}

test.each(['orders', 'users', 'licenses'])(
  'the pages by number of %s are the whole list, however far behind they are',
  async (path) => {
    const { fixture } = stage;
    const ids = (reply: { body: { data: { id: number }[] } }) =>
      reply.body.data.map(({ id }) => id);
    const listed: number[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const reply = await fixture.api.get(`/${path}?per_page=100${cursor && `&cursor=${cursor}`}`);
      listed.push(...ids(reply));
      cursor = reply.body.meta.next_cursor;
    }
    expect(listed.length).toBeGreaterThan(rows);
    const last = Math.ceil(listed.length / 90);
    for (let page = 1; page <= last + 1; page++) {
      const reply = await fixture.api.get(`/${path}?per_page=90&page=${page}`);
      expect(ids(reply)).toEqual(listed.slice((page - 1) * 90, page * 90));
      expect(reply.body.meta.next_cursor === null).toBe(page >= last);
    }
  },
);

const far = pageWindow({ page: 30, per_page: size });
const dated = { date_start: '2026-01-01' };

test.each([
  ['orders', () => listOrders({}, far)],
  ['orders of a status', () => listOrders({ status: 'on-hold' }, far)],
  ['orders of a time', () => listOrders(dated, far)],
  ['orders, oldest first', () => listOrders({}, { ...far, ascending: true })],
  ['users', () => listUsers({}, far)],
  ['licences', () => listLicenses({}, far)],
] satisfies [string, () => Built][])(
  "a far page of %s doesn't look into the rows that it skips",
  async (_, list) => {
    const found = await looks(list());
    expect(found.length).toBeGreaterThan(1);
    for (const { table, loops } of found) {
      // One record more than the page, to know if there are others.
      expect(loops, table).toBeLessThanOrEqual(size + 1);
    }
  },
);
