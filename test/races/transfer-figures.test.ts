import { afterAll, beforeAll, expect, test } from 'vitest';
import { long } from '../harness/long.ts';
import { expectIntegrity } from '../harness/integrity.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';
import { behindLock, times, transaction } from './queue.ts';

const opened = useStoreFixture();
const callers = 10;

beforeAll(() => opened.fixture.set('unique_code_enabled', true));
afterAll(() => expectIntegrity(opened.fixture));

/** An amount whose reservation has just ended. */
async function expiredFigure(amount: number): Promise<string> {
  const { store } = opened.fixture;
  await store.database.query(
    `insert into payable_claims (currency, amount, held_until) values ('USD', $1, $2)`,
    [amount, store.clock.now()],
  );
  return `select from payable_claims where amount = ${amount} for update`;
}

test('of ten orders that want a released amount, one gets it', async () => {
  const { fixture } = opened;
  const lock = await expiredFigure(77_777);
  const { id: product_id } = await fixture.newProduct();
  const placing = times(callers, () => fixture.newOrder({ product_id }));
  const orders = await Promise.all(placing.map((place) => place()));
  const wanting = orders.map(
    ({ id }) =>
      () =>
        fixture.api.patch(`/orders/${id}`, { grand_total: 77_777 }),
  );
  const replies = await behindLock(fixture.store, lock, wanting);
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  const refused = replies.filter(({ body }) => body.code === 'transfer_figure_taken');
  expect(refused).toHaveLength(callers - 1);
});

long('control: checking that it is free before taking it gives it to all', async () => {
  const { fixture } = opened;
  const lock = await expiredFigure(88_888);
  await fixture.store.database.query('create table taken (amount bigint)');
  const broken = transaction(fixture.store, async (client) => {
    const { rowCount } = await client.query('select from taken where amount = 88888');
    if (rowCount) return false;
    await client.query('select from payable_claims where amount = 88888 for share');
    await client.query('insert into taken values (88888)');
    return true;
  });
  const won = await behindLock(fixture.store, lock, times(callers, broken));
  expect(won).toEqual(Array(callers).fill(true));
});

/** Leaves `free` of the 999 amounts above a price, and reserves the others. */
async function leave(price: number, free: number): Promise<void> {
  await opened.fixture.store.database.query(
    `insert into payable_claims (currency, amount)
     select 'USD', $1::bigint + n from generate_series(1, 999 - $2::int) n`,
    [price, free],
  );
}

const clear = (price: number) =>
  opened.fixture.store.database.query(
    'delete from payable_claims where order_id is null and amount between $1 and $1 + 999',
    [price],
  );

long(
  'ten orders for three free amounts are all placed: three have a code, the others none',
  async () => {
    const { fixture } = opened;
    await leave(600_000, 3);
    const { id: product_id } = await fixture.newProduct({ price: 600_000 });
    const lock = `select from products where id = ${product_id} for update`;
    const buyers = await Promise.all(times(callers, () => fixture.newUser()).map((make) => make()));
    const placing = buyers.map(
      ({ id }) =>
        () =>
          fixture.api.post('/orders', { product_id, user_id: id }),
    );
    const replies = await behindLock(fixture.store, lock, placing);
    expect(replies.map(({ status }) => status)).toEqual(Array(callers).fill(201));
    const codes = replies.map(({ body }) => body.data.unique_code).filter((code) => code !== 0);
    expect(codes).toHaveLength(3);
    expect(new Set(codes).size).toBe(3);
    await clear(600_000);
  },
);

long(
  'control: looking for a free amount before taking it gives one amount to several',
  async () => {
    const { fixture } = opened;
    await fixture.store.database.query('create table drawn (amount bigint)');
    await fixture.store.database.query('create table gate (id int)');
    await fixture.store.database.query('insert into gate values (1)');
    const broken = transaction(fixture.store, async (client) => {
      const { rows } = await client.query(
        `select min(n) as free from generate_series(1, 3) n where n not in (select amount from drawn)`,
      );
      await client.query('select from gate for share');
      await client.query('insert into drawn values ($1)', [rows[0].free]);
      return true;
    });
    await behindLock(fixture.store, 'select from gate for update', times(callers, broken));
    const { rows } = await fixture.store.database.query('select distinct amount from drawn');
    expect(rows).toHaveLength(1);
  },
);
