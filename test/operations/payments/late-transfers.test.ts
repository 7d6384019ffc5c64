import { describe, expect, test } from 'vitest';
import { expectIntegrity } from '../../harness/integrity.ts';
import { useCounter } from './transfers.ts';

const opened = useCounter();
let price = 2_000_000;

const day = 86_400;
const change = async (id: number, body: object) => {
  const reply = await opened.counter.fixture.api.patch(`/orders/${id}`, body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
};
/** An order without a code, in a store that uses none. */
const place = async (total: number, fields: object = {}) => {
  await opened.counter.fixture.set('unique_code_enabled', false);
  return opened.counter.orderAt(total, fields);
};
const wait = (seconds: number) => opened.counter.store.clock.advance(seconds);

/** Changes of an order after which its buyer's transfer may still come. */
const changes: [what: string, (id: number, total: number) => Promise<unknown>][] = [
  [
    'was marked paid by hand, and then got a lower total',
    async (id, total) => {
      await change(id, { status: 'completed' });
      await change(id, { grand_total: total - 50_000 });
    },
  ],
  [
    'was marked paid by hand, and cancelled two days later',
    async (id) => {
      await change(id, { status: 'in-progress' });
      wait(2 * day);
      await change(id, { status: 'cancelled' });
    },
  ],
  [
    'was to be paid to another account first',
    (id) => change(id, { payment_gateway: 'manual:BRI' }),
  ],
  [
    'was cancelled, reopened and is to be paid to another account',
    async (id) => {
      await change(id, { status: 'cancelled' });
      await change(id, { status: 'on-hold' });
      await change(id, { payment_gateway: 'manual:BRI' });
    },
  ],
  [
    'was to be paid to another account first, cancelled and reopened',
    async (id) => {
      await change(id, { payment_gateway: 'manual:BRI' });
      await change(id, { status: 'cancelled' });
      await change(id, { status: 'on-hold' });
    },
  ],
  [
    'was to be paid to another account first, marked paid by hand and waits again',
    async (id) => {
      await change(id, { payment_gateway: 'manual:BRI' });
      await change(id, { status: 'in-progress' });
      await change(id, { status: 'on-hold' });
    },
  ],
  [
    'was to be paid to another account first, and has its former total again',
    async (id, total) => {
      await change(id, { payment_gateway: 'manual:BRI' });
      await change(id, { grand_total: total + 5 });
      await change(id, { grand_total: total });
    },
  ],
  [
    'was cancelled and erased',
    async (id) => {
      await change(id, { status: 'cancelled' });
      const reply = await opened.counter.fixture.api.delete(`/orders/${id}?force=true`);
      expect(reply.status).toBe(200);
    },
  ],
  [
    'was marked paid by hand, and deleted two days later',
    async (id) => {
      await change(id, { status: 'in-progress' });
      wait(2 * day);
      expect((await opened.counter.fixture.api.delete(`/orders/${id}`)).status).toBe(200);
    },
  ],
];

describe('A late transfer for an order without a code pays no other order of the same total', () => {
  test.each(changes)('if its order %s', async (_, happens) => {
    const { counter } = opened;
    price += 100_000;
    const order = await place(price, { payment_gateway: 'manual:BCA' });
    await happens(order.id, price);
    const other = await place(price, { payment_gateway: 'manual:BCA' });
    wait(3600);
    const late = counter.transfer(price);
    await counter.bring();
    expect(await counter.status(other.id)).toBe('on-hold');
    expect(await counter.mutation(late)).toMatchObject({ status: 'open' });
    await expectIntegrity(counter.fixture);
  });
});

test('After an upgrade, a transfer for an order that a former version changed pays no other order until the hold is over', async () => {
  const { counter } = opened;
  const { database } = counter.store;
  price += 100_000;
  const order = await place(price);
  await change(order.id, { grand_total: price + 5000 });
  // Former versions reserved nothing.
  await database.query('delete from payable_claims where order_id = $1', [order.id]);
  const other = await place(price);
  await database.query('update settings set plain_transfers_held_until = null');
  // The former worker may run for long after the migration.
  wait(20 * day);
  const late = counter.transfer(price);
  await counter.bring();
  expect(await counter.status(other.id)).toBe('on-hold');
  expect(await counter.mutation(late)).toMatchObject({ status: 'open' });
  wait(14 * day);
  counter.transfer(price);
  await counter.bring();
  expect(await counter.status(other.id)).toBe('completed');
  await expectIntegrity(counter.fixture);
});

test('A transfer to the former account of an order with a code pays no other order of its amount', async () => {
  const { counter } = opened;
  await counter.fixture.set('unique_code_enabled', true);
  price += 100_000;
  const order = await counter.orderAt(price, { payment_gateway: 'manual:BCA' });
  await change(order.id, { payment_gateway: 'manual:BRI' });
  const other = await place(order.grand_total, { payment_gateway: 'manual:BCA' });
  wait(3600);
  const late = counter.transfer(order.grand_total);
  await counter.bring();
  expect(await counter.status(other.id)).toBe('on-hold');
  expect(await counter.mutation(late)).toMatchObject({ status: 'open' });
  counter.transfer(order.grand_total, { account: '98765432' });
  await counter.bring();
  expect(await counter.status(order.id)).toBe('completed');
});

describe('A second transfer for an order that was paid, cancelled and reopened pays no other order', () => {
  test.each<[what: string, body: object]>([
    ['is cancelled again', { status: 'cancelled' }],
    ['is marked paid by hand', { status: 'completed' }],
    ['is to be paid to another account', { payment_gateway: 'manual:BRI' }],
  ])('if its order %s', async (_, body) => {
    const { counter } = opened;
    price += 100_000;
    const order = await place(price, { payment_gateway: 'manual:BCA' });
    wait(60);
    counter.transfer(price);
    await counter.bring();
    for (const status of ['in-progress', 'cancelled', 'on-hold'])
      await change(order.id, { status });
    wait(60);
    await change(order.id, body);
    const other = await place(price, { payment_gateway: 'manual:BCA' });
    wait(3600);
    const late = counter.transfer(price);
    await counter.bring();
    expect(await counter.status(other.id)).toBe('on-hold');
    expect(await counter.mutation(late)).toMatchObject({ status: 'open' });
  });
});

test('Orders whose bank accounts were changed are paid one after the other, and then the total is free', async () => {
  const { counter } = opened;
  price += 100_000;
  const order = () => place(price, { payment_gateway: 'manual:BCA' });
  for (let n = 0; n < 2; n++) {
    const { id } = await order();
    await change(id, { payment_gateway: 'manual:BRI' });
    wait(60);
    counter.transfer(price, { account: '98765432' });
    await counter.bring();
    expect(await counter.status(id)).toBe('completed');
  }
  const last = await order();
  wait(60);
  counter.transfer(price);
  await counter.bring();
  expect(await counter.status(last.id)).toBe('completed');
});

test('The amount of an order with a code is free at once after its late transfer was assigned to it', async () => {
  const { counter } = opened;
  await counter.fixture.set('unique_code_enabled', true);
  const order = await counter.newOrder();
  await change(order.id, { status: 'completed' });
  const late = counter.transfer(order.grand_total);
  await counter.bring();
  await counter.resolve(late, { action: 'assign', order_id: order.id });
  const other = await counter.newOrder();
  await change(other.id, { grand_total: order.grand_total });
});

test('An order whose bank account was changed is paid by a transfer into the new one', async () => {
  const { counter } = opened;
  price += 100_000;
  const order = await place(price, { payment_gateway: 'manual:BCA' });
  for (const account of ['BRI', 'BCA', 'BRI']) {
    await change(order.id, { payment_gateway: `manual:${account}` });
  }
  wait(60);
  counter.transfer(price, { account: '98765432' });
  await counter.bring();
  expect(await counter.status(order.id)).toBe('completed');
});

test('A total is free at once after the late transfer was assigned to its order', async () => {
  const { counter } = opened;
  price += 100_000;
  const order = await place(price, { payment_gateway: 'manual:BCA' });
  await change(order.id, { payment_gateway: 'manual:BRI' });
  const late = counter.transfer(price);
  await counter.bring();
  await counter.resolve(late, { action: 'assign', order_id: order.id });
  const other = await place(price, { payment_gateway: 'manual:BCA' });
  wait(60);
  counter.transfer(price);
  await counter.bring();
  expect(await counter.status(other.id)).toBe('completed');
});

test('A total is free at once after its order was paid by a reported transfer, whatever follows', async () => {
  const { counter } = opened;
  price += 100_000;
  const order = await place(price);
  counter.transfer(price);
  await counter.bring();
  await change(order.id, { grand_total: price - 50_000 });
  await change(order.id, { status: 'in-progress' });
  await change(order.id, { status: 'cancelled' });
  const other = await place(price);
  wait(60);
  counter.transfer(price);
  await counter.bring();
  expect(await counter.status(other.id)).toBe('completed');
});
