import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { long } from '../harness/long.ts';
import { findDue } from '../../src/jobs/index.ts';
import { useCounter } from '../operations/payments/transfers.ts';
import { Simulated } from './simulated.ts';

const opened = useCounter();
const hour = 3600;
const day = 24 * hour;

const asked = () => opened.counter.moota.journal.length;

const isDue = async () =>
  (await findDue(await opened.counter.store.services())).some(({ job }) => job === 'transfers');

/** Closes all waiting orders, and begins a new hour. */
beforeEach(async () => {
  const { counter } = opened;
  const { body } = await counter.fixture.api.get('/orders?status=on-hold&per_page=100');
  for (const { id } of body.data) {
    await counter.fixture.api.patch(`/orders/${id}`, { status: 'cancelled' });
  }
  const { store } = counter;
  const begun = Math.ceil(store.clock.now().getTime() / (hour * 1000) + 1e-9) * hour * 1000;
  store.clock.set(new Date(begun).toISOString());
});

describe('A transfer without a callback', () => {
  test('is found, while its order waits', async () => {
    const { counter } = opened;
    const order = await counter.newOrder();
    expect(await isDue()).toBe(true);
    const id = counter.transfer(order.grand_total);
    counter.lose();
    await counter.later(1);
    expect(await counter.status(order.id)).toBe('completed');
    expect(await counter.again(id)).toBe(200);
    expect(await counter.mutations(`order_id=${order.id}`)).toHaveLength(1);
  });

  test('is found among many, page by page', async () => {
    const { counter } = opened;
    const order = await counter.plainOrder(990_000);
    counter.transfer(order.grand_total);
    for (let i = 0; i < 12; i++) counter.transfer(i + 1);
    counter.lose();
    const before = asked();
    await counter.later(1);
    expect(asked()).toBe(before + 2);
    expect(await counter.status(order.id)).toBe('completed');
  });

  test('is found beside a line of the list that cannot be read, which is kept', async () => {
    const { counter } = opened;
    const order = await counter.newOrder();
    const [bad] = [counter.transfer(1), counter.transfer(order.grand_total)];
    counter.lose();
    counter.moota.misspell(bad, { date: '0000-01-01 00:00:00' });
    await counter.later(1);
    expect(await counter.status(order.id)).toBe('completed');
    expect(await counter.mutation(bad)).toMatchObject({ status: 'open', amount: null });
  });

  test('is found after Moota did not answer for days', async () => {
    const { counter } = opened;
    await counter.fixture.set('auto_cancel_days', 0);
    const order = await counter.newOrder();
    counter.transfer(order.grand_total);
    counter.lose();
    for (let i = 0; i < 5; i++) {
      counter.moota.fail('overloaded');
      await expect(counter.later(day)).rejects.toThrow('temporary, 503');
    }
    await counter.later(hour);
    expect(await counter.status(order.id)).toBe('completed');
    await counter.fixture.set('auto_cancel_days', 3);
  });
});

describe('Moota is asked', () => {
  test('once in an hour at most', async () => {
    const { counter } = opened;
    await counter.newOrder();
    const before = asked();
    for (let i = 0; i < 6; i++) await counter.later(590);
    expect(asked()).toBe(before + 1);
    expect(await isDue()).toBe(false);
    counter.store.clock.advance(60);
    expect(await isDue()).toBe(true);
  });

  test('while an order waits for a transfer, with a code or without one', async () => {
    const { counter } = opened;
    expect(await isDue()).toBe(false);
    const plain = await counter.plainOrder(980_000);
    expect(await isDue()).toBe(true);
    await counter.fixture.api.patch(`/orders/${plain.id}`, { status: 'completed' });
    expect(await isDue()).toBe(false);
    const coded = await counter.newOrder();
    expect(await isDue()).toBe(true);
    await counter.fixture.api.patch(`/orders/${coded.id}`, { status: 'cancelled' });
    expect(await isDue()).toBe(false);
  });
});

describe('With a scheduler', () => {
  let scheduler: Simulated;

  beforeAll(() => {
    scheduler = new Simulated(opened.counter.store);
  });

  long('a day without waiting orders makes one trip an hour', async () => {
    const { store } = opened.counter;
    await scheduler.pass(hour);
    const [trips, before] = [store.neon.trips.total, asked()];
    await scheduler.pass(day);
    expect(store.neon.trips.total - trips).toBe(24);
    expect(asked()).toBe(before);
  });

  long(
    'Moota is asked once an hour while an order waits, without waking the database for it',
    async () => {
      const { counter } = opened;
      await counter.fixture.set('auto_cancel_days', 0);
      await counter.newOrder();
      await scheduler.pass(hour);
      scheduler.looks = 0;
      const before = asked();
      await scheduler.pass(day);
      expect(asked() - before).toBe(24);
      // Each check is followed by another one after the due work.
      expect(scheduler.looks).toBe(24);
      await counter.fixture.set('auto_cancel_days', 3);
    },
  );
});
