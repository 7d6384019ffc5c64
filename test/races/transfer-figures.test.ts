import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectIntegrity } from '../harness/integrity.ts';
import { useShop } from '../harness/shop.ts';
import { behindLock, times, transaction } from './queue.ts';

const opened = useShop();
const callers = 10;

beforeAll(() => opened.shop.set('unique_code_enabled', true));
afterAll(() => expectIntegrity(opened.shop));

/** A figure that was reserved until a moment ago. */
async function expiredFigure(amount: number): Promise<string> {
  const { store } = opened.shop;
  await store.database.query(
    `insert into payable_claims (currency, amount, held_until) values ('USD', $1, $2)`,
    [amount, store.clock.now()],
  );
  return `select from payable_claims where amount = ${amount} for update`;
}

test('of ten orders that want a figure whose time is over one gets it', async () => {
  const { shop } = opened;
  const lock = await expiredFigure(77_777);
  const { id: product_id } = await shop.newProduct();
  const placing = times(callers, () => shop.newOrder({ product_id }));
  const orders = await Promise.all(placing.map((place) => place()));
  const wanting = orders.map(
    ({ id }) =>
      () =>
        shop.api.patch(`/orders/${id}`, { grand_total: 77_777 }),
  );
  const replies = await behindLock(shop.store, lock, wanting);
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  const refused = replies.filter(({ body }) => body.code === 'transfer_figure_taken');
  expect(refused).toHaveLength(callers - 1);
});

test('control: looking whether it is free and then taking it gives it to all', async () => {
  const { shop } = opened;
  const lock = await expiredFigure(88_888);
  await shop.store.database.query('create table taken (amount bigint)');
  const broken = transaction(shop.store, async (client) => {
    const { rowCount } = await client.query('select from taken where amount = 88888');
    if (rowCount) return false;
    await client.query('select from payable_claims where amount = 88888 for share');
    await client.query('insert into taken values (88888)');
    return true;
  });
  const won = await behindLock(shop.store, lock, times(callers, broken));
  expect(won).toEqual(Array(callers).fill(true));
});
