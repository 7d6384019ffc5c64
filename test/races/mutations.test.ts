import { afterAll, expect, test } from 'vitest';
import { long } from '../harness/long.ts';
import { expectIntegrity } from '../harness/integrity.ts';
import { baseUrl } from '../harness/store.ts';
import { useCounter } from '../operations/payments/transfers.ts';
import { behindLock, times, transaction } from './queue.ts';

const opened = useCounter();

afterAll(() => expectIntegrity(opened.counter.fixture));

const lockOf = (order: number) => `select from orders where id = ${order} for update`;

/** An order, and the callback that reports its transfer. */
async function paid() {
  const { counter } = opened;
  const order = await counter.newOrder();
  const id = counter.transfer(order.grand_total);
  const callback = counter.moota.takeCallback(`${baseUrl}/api/svc/v1`);
  return { order, id, tell: () => counter.post(callback) };
}

test('ten callbacks of one mutation are all answered, and the order is paid once', async () => {
  const { counter } = opened;
  const { order, id, tell } = await paid();
  const answers = await behindLock(counter.store, lockOf(order.id), times(10, tell));
  expect(answers).toEqual(Array(10).fill(200));
  expect((await counter.fixture.order(order.id)).history).toHaveLength(2);
  expect(await counter.mutations(`order_id=${order.id}`)).toMatchObject([
    { mutation_id: id, status: 'matched' },
  ]);
});

long('ten callbacks of a mutation that pays nothing store it once', async () => {
  const { counter } = opened;
  const id = counter.transfer(777);
  const callback = counter.moota.takeCallback(`${baseUrl}/api/svc/v1`);
  const lock = 'lock table bank_mutations in share mode';
  const tell = () => counter.post(callback);
  expect(await behindLock(counter.store, lock, times(10, tell))).toEqual(Array(10).fill(200));
  const kept = (await counter.mutations()).filter(({ mutation_id }) => mutation_id === id);
  expect(kept).toMatchObject([{ status: 'open' }]);
});

long.each(['completed', 'cancelled'])(
  'while a person changes the order to %s, a transfer pays the order or is left to a person',
  async (status) => {
    const { counter } = opened;
    const { order, id, tell } = await paid();
    const byHand = async () =>
      (await counter.fixture.api.patch(`/orders/${order.id}`, { status })).status;
    const [told] = await behindLock(counter.store, lockOf(order.id), [tell, byHand]);
    expect(told).toBe(200);
    const { history } = await counter.fixture.order(order.id);
    const isPaid = history.some(({ note }) => note === 'Transfer found by moota.');
    expect(await counter.mutation(id)).toMatchObject(
      isPaid ? { status: 'matched', order_id: order.id } : { status: 'open', order_id: null },
    );
    // If the transfer paid the order, it was unpaid before.
    expect(history.filter(({ to }) => to === 'completed')).toHaveLength(
      isPaid || status === 'completed' ? 1 : 0,
    );
  },
);

test('two parallel transfers of one amount pay its order once', async () => {
  const { counter } = opened;
  const { order, tell } = await paid();
  counter.transfer(order.grand_total);
  const other = counter.moota.takeCallback(`${baseUrl}/api/svc/v1`);
  const answers = await behindLock(counter.store, lockOf(order.id), [
    tell,
    () => counter.post(other),
  ]);
  expect(answers).toEqual([200, 200]);
  const kept = (await counter.mutations()).filter(({ amount }) => amount === order.grand_total);
  expect(kept.map(({ status }) => status).sort()).toEqual(['matched', 'open']);
});

long('control: checking for the mutation before paying its order pays ten times', async () => {
  const { counter } = opened;
  const { order } = await paid();
  await counter.store.database.query('create table told (mutation_id text)');
  const broken = transaction(counter.store, async (client) => {
    const { rowCount } = await client.query(`select from told where mutation_id = 'x'`);
    if (rowCount) return false;
    await client.query('select from orders where id = $1 for key share', [order.id]);
    await client.query(`insert into told values ('x')`);
    return true;
  });
  const won = await behindLock(counter.store, lockOf(order.id), times(10, broken));
  expect(won).toEqual(Array(10).fill(true));
});
