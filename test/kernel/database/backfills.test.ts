import { Client } from 'pg';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { migrateAround } from '../../../src/cli/migrations/migrate.ts';
import { runBackfills } from '../../../src/cli/migrations/backfills.ts';
import { long } from '../../harness/long.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';
import { Visits } from '../../harness/visits.ts';

const opened = useStoreFixture();
const titles = ['Kelas Roti', 'Kelas Kue', 'Kelas Teh'];
const count = 12;

const query = (text: string, values: unknown[] = []) =>
  opened.fixture.store.database.query<Record<string, unknown>>(text, values);

const read = async (text: string) => (await query(text)).rows;

const withoutTitles = "select to_jsonb(o) - 'product_title' as row from orders o order by id";

/** Everything that must stay unchanged: the orders without their titles. */
const rest = async () => ({
  orders: await read(withoutTitles),
  rollups: await read('select * from order_rollups order by dimension, key, status, slot'),
  days: await read('select * from product_days order by day, product_id, slot'),
  sales: await read('select * from affiliate_sales order by 1, 2, 3, 4, 5'),
  totals: await read('select * from list_totals order by list, slot'),
  events: await read('select * from outbox order by id'),
  messages: await read('select * from messages order by id'),
});

const filled = async () =>
  (await read('select id from orders where product_title is not null')).length;

beforeAll(async () => {
  const { fixture } = opened;
  await fixture.api.post('/webhooks', {
    name: 'All',
    url: 'https://all.example/hook',
    events: ['*'],
  });
  const products = [];
  for (const title of titles) products.push(await fixture.newProduct({ title }));
  for (let n = 0; n < count; n++) {
    const product_id = products[n % products.length]?.id ?? 0;
    await fixture.newOrder({ product_id, status: n % 2 === 0 ? 'completed' : 'on-hold' });
  }
});

beforeEach(async () => {
  await query('update orders set product_title = null');
  await query('delete from backfills');
});

const breakingAt = (text: string, nth: number) => {
  const { database } = opened.fixture.store;
  let seen = 0;
  return new Proxy(database, {
    get: (client, name) =>
      name === 'query'
        ? (statement: string, values?: unknown[]) => {
            if (statement.includes(text) && ++seen === nth) throw new Error('The line is cut.');
            return client.query(statement, values);
          }
        : Reflect.get(client, name),
  });
};

describe('Filling in the titles of orders', () => {
  test('gives each order the title of its product and changes nothing else', async () => {
    const before = await rest();
    await runBackfills(opened.fixture.store.database);
    const rows = await read(
      'select o.product_title, p.title from orders o join products p on p.id = o.product_id',
    );
    expect(rows).toHaveLength(count);
    for (const { product_title, title } of rows) expect(product_title).toBe(title);
    expect(await rest()).toEqual(before);
    await expectIntegrity(opened.fixture);
  });

  test('leaves a title that an order has', async () => {
    await query("update orders set product_title = 'As bought' where id = 2");
    await runBackfills(opened.fixture.store.database);
    expect(await read('select product_title from orders where id = 2')).toEqual([
      { product_title: 'As bought' },
    ]);
  });

  test.each([
    ['update orders', 3],
    ['into backfills', 3],
    ['commit', 2],
  ])('continues where it stopped after an interruption at %s', async (text, nth) => {
    const broken = runBackfills(breakingAt(text, nth), 4);
    await expect(broken).rejects.toThrow('The line is cut.');
    const done = await filled();
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(count);
    expect(await read('select position::int from backfills')).toEqual([{ position: done }]);
    await runBackfills(opened.fixture.store.database, 4);
    expect(await filled()).toBe(count);
  });

  test('also fills in orders that a worker of the previous version places afterwards', async () => {
    await runBackfills(opened.fixture.store.database);
    const product = await opened.fixture.newProduct({ title: 'Kelas Susu' });
    const { id } = await opened.fixture.newOrder({ product_id: product.id });
    await query('update orders set product_title = null where id = $1', [id]);
    await runBackfills(opened.fixture.store.database);
    expect((await query('select product_title from orders where id = $1', [id])).rows).toEqual([
      { product_title: 'Kelas Susu' },
    ]);
    await query('delete from orders where id = $1', [id]);
  });

  test('after the upload of the new worker, fills in the orders that the previous one placed until then', async () => {
    const product = await opened.fixture.newProduct({ title: 'Kelas Selai' });
    let id = 0;
    const upload = async (code: number) => {
      ({ id } = await opened.fixture.newOrder({ product_id: product.id }));
      await query('update orders set product_title = null where id = $1', [id]);
      return code;
    };
    const titles: unknown[] = [];
    for (const code of [1, 0]) {
      const ended = await migrateAround(
        opened.fixture.store.databaseUrl,
        () => upload(code),
        () => undefined,
      );
      expect(ended).toBe(code);
      const { rows } = await query('select product_title from orders where id = $1', [id]);
      titles.push(rows[0]?.['product_title']);
      await query('delete from orders where id = $1', [id]);
    }
    expect(titles).toEqual([null, 'Kelas Selai']);
  });

  long(
    'waits for an order that is being changed, and gives way if a deadlock would follow',
    async () => {
      const { databaseUrl, database } = opened.fixture.store;
      const seller = new Client({ connectionString: databaseUrl });
      await seller.connect();
      try {
        // The seller holds the last order and waits for the first, which the batch has locked by then.
        await seller.query('begin');
        await seller.query("update orders set note = 'Held' where id = $1", [count]);
        const filling = runBackfills(database);
        await expect
          .poll(async () =>
            seller
              .query('select count(*)::int as n from pg_locks where not granted')
              .then(({ rows }) => (rows as { n: number }[])[0]?.n),
          )
          .toBeGreaterThan(0);
        await seller.query("update orders set note = 'Held' where id = 1");
        await seller.query('commit');
        await filling;
      } finally {
        await seller.end();
      }
      expect(await filled()).toBe(count);
      expect(await read("select id::int from orders where note = 'Held' order by id")).toEqual([
        { id: 1 },
        { id: count },
      ]);
    },
  );
});

test('Orders that a former worker switched to payment on delivery lose their deadline, also those of before an earlier run', async () => {
  await query("insert into backfills values ('orders.expires_at', 1000000)");
  await query(
    `update orders set payment_gateway = 'cod', expires_at = now() where status = 'on-hold' and id <= 4`,
  );
  await runBackfills(opened.fixture.store.database);
  expect(
    await read(
      "select payment_gateway = 'cod' as cod, expires_at is null as endless from orders where id in (2, 6) order by id",
    ),
  ).toEqual([
    { cod: true, endless: true },
    { cod: false, endless: false },
  ]);
});

test('A store with orders holds transfers for orders without a code until the first one comes', async () => {
  await query('update settings set plain_transfers_held_until = null');
  await runBackfills(opened.fixture.store.database);
  expect(await read('select plain_transfers_held_until as until from settings')).toEqual([
    { until: null },
  ]);
  await query('update settings set plain_transfers_held_until = to_timestamp(0)');
});

test('The bank and the errors of messages of people whom version 0.0.0 erased are erased', async () => {
  const { fixture } = opened;
  const { id: product_id } = await fixture.newProduct();
  const newBuyer = async () => {
    const { id } = await fixture.newUser();
    const { id: order_id } = await fixture.newOrder({ product_id, user_id: id });
    const proof = { order_id, total: 1000, sender: 'Dewi', bank_sender: 'BCA' };
    expect((await fixture.api.post('/confirmations', proof)).status).toBe(201);
    await query(
      `insert into messages (kind, medium, user_id, order_id, status, last_error, due_at, created_at, updated_at)
       select 'order-placed', 'email', user_id, $1, 'failed', 'no mailbox', now(), '2020-01-01', now()
         from unnest(array[$2::bigint, null]) user_id`,
      [order_id, id],
    );
    return id;
  };
  const [gone, present] = [await newBuyer(), await newBuyer()];
  const texts = () =>
    read(
      `select c.detail ->> 'bank_sender' as bank, array_agg(m.last_error) as errors, c.version::int
         from confirmations c join messages m using (order_id)
        where c.user_id in (${gone}, ${present}) group by c.id order by c.id`,
    );
  const kept = { bank: 'BCA', errors: ['no mailbox', 'no mailbox'], version: 1 };
  expect((await fixture.api.delete(`/users/${gone}?force=true`)).status).toBe(200);
  const erased = { bank: '', errors: [null, null], version: 2 };
  expect(await texts()).toEqual([erased, kept]);
  await query(`update confirmations set detail = detail || '{"bank_sender": "BCA"}'`);
  await query(`update messages set last_error = 'no mailbox'`);
  await runBackfills(fixture.store.database);
  expect(await texts()).toEqual([erased, kept]);
});

describe('Filling in the figures of links', () => {
  const figures = () => read('select * from affiliate_figures order by 1, 2, 3, 4, 5, 6');
  const rankings = () => read('select * from affiliate_sales order by 1, 2, 3, 4, 5');

  long('counts each earlier order and visit once, while a worker keeps selling', async () => {
    const { fixture } = opened;
    const affiliate = await fixture.newAffiliate();
    const product = await fixture.newProduct({
      affiliate: { enabled: true, tiers: [{ tier: 1, fee: 10, type: 'percentage' }] },
    });
    const visits = new Visits(fixture, affiliate.id);
    const place = async (fields: object) => fixture.newOrder({ product_id: product.id, ...fields });
    const ref = await visits.follow(product, { sub: 'ig' });
    await place({ affiliate_id: affiliate.id, status: 'completed' });
    const order = await place({ affiliate_id: affiliate.id });
    await place({ ref, status: 'completed' });
    const [whole, ranked] = [await figures(), await rankings()];
    // As the previous version has them.
    await query(
      `update orders set attribution = attribution - 'target' - 'sub' where attribution ->> 'sub' is null`,
    );
    await query('update affiliate_clicks set visitor = null, counted_on = null');
    await query('update affiliate_figures set clicks = 0');
    await query('update affiliate_sales set clicks = 0');
    await expectIntegrity(fixture);
    expect(await figures()).not.toEqual(whole);
    const seller = new Client({ connectionString: fixture.store.databaseUrl });
    await seller.connect();
    try {
      await seller.query('begin');
      await seller.query("update orders set status = 'in-progress' where id = $1", [order.id]);
      const filling = runBackfills(fixture.store.database, 2);
      await expect
        .poll(async () =>
          seller
            .query('select count(*)::int as n from pg_locks where not granted')
            .then(({ rows }) => (rows as { n: number }[])[0]?.n),
        )
        .toBeGreaterThan(0);
      await seller.query("update orders set status = 'on-hold' where id = $1", [order.id]);
      await seller.query('commit');
      await filling;
    } finally {
      await seller.end();
    }
    expect(await figures()).toEqual(whole);
    expect(await rankings()).toEqual(ranked);
    await runBackfills(fixture.store.database);
    expect(await figures()).toEqual(whole);
    await expectIntegrity(fixture);
  });
});
