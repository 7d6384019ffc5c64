import { beforeAll, expect, test } from 'vitest';
import { Client } from 'pg';
import { checkIntegrity } from '../../src/cli/integrity/index.ts';
import type { Product } from '../../src/domain/product/schemas.ts';
import { long } from '../harness/long.ts';
import { useAffiliateStore } from '../harness/affiliates.ts';
import { expectIntegrity } from '../harness/integrity.ts';
import { Visits } from '../harness/visits.ts';
import { behindLock, times, transaction } from './queue.ts';

const stage = useAffiliateStore();
let product: Product;

beforeAll(async () => {
  product = await stage.at.newCourse();
});

async function newSeller() {
  const { fixture } = stage.at;
  const { id } = await fixture.newAffiliate();
  const figures = async (by: string) =>
    (await fixture.api.get(`/affiliates/${id}/figures?by=${by}`)).body.data;
  return { id, figures, visits: new Visits(fixture, id) };
}

const lockOfClicks = 'lock table affiliate_clicks in share mode';

test('A visitor who comes ten times at once counts once, and each visit leads to the affiliate', async () => {
  const { id, figures, visits } = await newSeller();
  const { fixture } = stage.at;
  const calls = times(10, () => visits.follow(product, { sub: 'ig' }));
  const refs = await behindLock(fixture.store, lockOfClicks, calls);
  expect((await figures('sub')).totals.clicks).toBe(1);
  expect(new Set(refs).size).toBe(10);
  for (const ref of refs.slice(0, 3))
    expect(await fixture.newOrder({ product_id: product.id, ref })).toMatchObject({
      ...{ affiliate_id: id, attribution: { sub: 'ig' } },
    });
  await expectIntegrity(stage.at.fixture);
});

long('Control: looking for a visit before writing it counts it ten times', async () => {
  const { id, figures } = await newSeller();
  const { store } = stage.at.fixture;
  const broken = transaction(store, async (client) => {
    const { rows } = await client.query(
      'select from affiliate_clicks where affiliate_id = $1 and counted_on is not null',
      [id],
    );
    await client.query(
      `insert into affiliate_clicks (ref, affiliate_id, product_id, target, at, counted_on)
       values (gen_random_uuid(), $1, $2, 'live', $3::timestamptz, $4)`,
      [id, product.id, store.clock.now().toISOString(), rows.length === 0 ? 9000 : null],
    );
    return true;
  });
  await behindLock(store, lockOfClicks, times(10, broken));
  expect((await figures('sub')).totals.clicks).toBe(10);
  await store.database.query('delete from affiliate_clicks where affiliate_id = $1', [id]);
});

test('Of twenty new campaigns at once, five below the limit, five are counted by name', async () => {
  const { figures, visits } = await newSeller();
  await visits.fill(product, 195);
  const calls = Array.from(
    { length: 20 },
    (_, n) => () => visits.follow(product, { sub: `new${n}` }),
  );
  await behindLock(stage.at.fixture.store, lockOfClicks, calls);
  const { rows } = await figures('sub');
  const names = rows.map(({ sub }: { sub: string }) => sub);
  expect(names.filter((sub: string) => sub.startsWith('new'))).toHaveLength(5);
  expect(names).toHaveLength(201);
});

test('Control: counting campaigns before writing one exceeds the limit', async () => {
  const { id, figures, visits } = await newSeller();
  const { store } = stage.at.fixture;
  await visits.fill(product, 199);
  const broken = (sub: string) =>
    transaction(store, async (client) => {
      const { rows } = await client.query(
        'select distinct sub from affiliate_figures where affiliate_id = $1',
        [id],
      );
      await client.query(
        `insert into affiliate_clicks (ref, affiliate_id, product_id, target, at, sub, counted_on)
         values (gen_random_uuid(), $1, $2, 'live', $3::timestamptz, $4, 9000)`,
        [id, product.id, store.clock.now().toISOString(), rows.length < 200 ? sub : '(other)'],
      );
      return true;
    });
  await behindLock(store, lockOfClicks, ['a', 'b', 'c'].map(broken));
  expect((await figures('sub')).rows).toHaveLength(202);
  await store.database.query('delete from affiliate_clicks where affiliate_id = $1', [id]);
});

long(
  'Visits, payments, refunds and changed commissions at once leave the figures right',
  async () => {
    const { at } = stage;
    const { api } = at.fixture;
    const { figures, visits } = await newSeller();
    const ref = await visits.follow(product, { sub: 'ig' });
    const orders = [];
    for (let n = 0; n < 6; n++)
      orders.push(
        await at.fixture.newOrder({
          product_id: product.id,
          ref,
          ...(n % 2 && { status: 'completed' }),
        }),
      );
    await Promise.all(
      orders.flatMap((order, n) => [
        n % 2
          ? api.post(`/orders/${order.id}/refunds`, { amount: 30_000, reason: 'Asked.' })
          : api.patch(`/orders/${order.id}`, { status: 'in-progress' }),
        at
          .ledger(order)
          .then(([row]) => row && at.adjust(row, { commission: 500 + n, reason: 'Agreed.' })),
        visits.follow(product, { sub: 'ig', ip: `10.0.0.${n}` }),
        at.fixture.newOrder({ product_id: product.id, ref }),
      ]),
    );
    expect((await figures('sub')).totals).toMatchObject({ clicks: 7, orders: 12, paid: 6 });
    await expectIntegrity(at.fixture);
  },
);

test('Control: a changed commission is lost without a lock on its order', async () => {
  const { at } = stage;
  const { database, databaseUrl } = at.fixture.store;
  const order = await at.sell(product);
  const hasty = new Client({ connectionString: databaseUrl });
  await hasty.connect();
  await hasty.query('begin');
  await hasty.query(`update commissions set commission = 1 where order_id = ${order.id}`);
  await database.query(`update orders set status = 'in-progress' where id = ${order.id}`);
  await hasty.query('commit');
  await hasty.end();
  const name = 'figures of affiliates against their orders and commissions';
  const found = await checkIntegrity(database);
  expect(found.find((check) => check.name === name)?.differences).toBeGreaterThan(0);
});
