import { afterAll, describe, expect, test } from 'vitest';
import { breakRow } from '../../harness/break.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { baseUrl } from '../../harness/store.ts';
import { useCounter } from './transfers.ts';

const opened = useCounter();

afterAll(() => expectIntegrity(opened.counter.fixture));

const day = 86_400;

describe('A transfer', () => {
  test('marks the order that waits for it as paid, once, however often it is reported', async () => {
    const { counter } = opened;
    const order = await counter.newOrder();
    const id = counter.transfer(order.grand_total, { description: 'TRSF CR' });
    expect(await counter.bring(3)).toBe(200);
    expect(await counter.again(id, id)).toBe(200);
    const { status, payment_status, payment_gateway, history } = await counter.fixture.order(
      order.id,
    );
    expect({ status, payment_status, payment_gateway }).toEqual({
      status: 'completed',
      payment_status: 'paid',
      payment_gateway: 'manual',
    });
    expect(history).toHaveLength(2);
    expect(history[1]).toMatchObject({
      actor_type: 'system',
      note: 'Transfer found by moota.',
    });
    expect(await counter.mutations(`order_id=${order.id}`)).toMatchObject([
      {
        source: 'moota',
        mutation_id: id,
        account_number: '1234567890',
        amount: order.grand_total,
        currency: 'IDR',
        occurred_at: counter.store.clock.now().toISOString(),
        direction: 'credit',
        description: 'TRSF CR',
        status: 'matched',
      },
    ]);
  });

  test('is found among others that come with it', async () => {
    const { counter } = opened;
    const orders = [await counter.newOrder(), await counter.newOrder()];
    const ids = orders.map(({ grand_total }) => counter.transfer(grand_total));
    const debit = counter.transfer(orders[0]?.grand_total ?? 0, { type: 'DB' });
    expect(await counter.bring()).toBe(200);
    for (const { id } of orders) expect(await counter.status(id)).toBe('completed');
    expect(await counter.mutation(ids[0] ?? '')).toMatchObject({ order_id: orders[0]?.id });
    expect(await counter.mutation(debit)).toMatchObject({
      direction: 'debit',
      status: 'ignored',
      order_id: null,
    });
  });

  test('that leaves the account pays nothing', async () => {
    const { counter } = opened;
    const order = await counter.newOrder();
    counter.transfer(order.grand_total, { type: 'DB' });
    await counter.bring();
    expect(await counter.status(order.id)).toBe('on-hold');
  });

  test('that is forged is refused, and not stored', async () => {
    const { counter } = opened;
    const order = await counter.newOrder();
    const id = counter.transfer(1);
    counter.lose();
    for (const forgery of counter.forgeries(id, order.grand_total)) {
      expect(await counter.post(forgery)).toBe(401);
    }
    expect(await counter.mutation(id)).toBeUndefined();
    expect(await counter.status(order.id)).toBe('on-hold');
  });

  test('into another account than the order names is left to a person', async () => {
    const { counter } = opened;
    const order = await counter.newOrder({ payment_gateway: 'manual:BCA' });
    const wrong = counter.transfer(order.grand_total, { account: '98765432' });
    const strange = counter.transfer(order.grand_total, { account: '5555' });
    await counter.bring();
    expect(await counter.status(order.id)).toBe('on-hold');
    for (const id of [wrong, strange]) {
      expect(await counter.mutation(id)).toMatchObject({ status: 'open', order_id: null });
    }
    counter.transfer(order.grand_total);
    await counter.bring();
    expect(await counter.status(order.id)).toBe('completed');
  });

  test('settles an order whose buyer reported the payment', async () => {
    const { counter } = opened;
    const { api } = counter.fixture;
    const order = await counter.newOrder();
    await api.post('/confirmations', { order_id: order.id, total: order.grand_total });
    counter.transfer(order.grand_total);
    await counter.bring();
    expect(await counter.status(order.id)).toBe('completed');
    const { body } = await api.get(`/confirmations?order_id=${order.id}`);
    expect(body.data).toMatchObject([{ status: 'superseded' }]);
  });

  test('of a bank that names only the day pays an order of that day', async () => {
    const { counter } = opened;
    const order = await counter.newOrder();
    counter.store.clock.advance(600);
    counter.transfer(order.grand_total, { dayOnly: true });
    await counter.bring();
    expect(await counter.status(order.id)).toBe('completed');
  });

  test.each([
    ['unique_code_enabled', false, true],
    ['unique_code_operation', 'reduced', 'added'],
  ])(
    'that may lack the code of another order is left to a person, also once %s is %s',
    async (setting, changed, usual) => {
      const { counter } = opened;
      const coded = await counter.newOrder();
      expect(coded.unique_code).toBeGreaterThan(0);
      const price = coded.grand_total - coded.unique_code;
      const plain = await counter.plainOrder(price);
      await counter.fixture.set(setting, changed);
      counter.store.clock.advance(120);
      const id = counter.transfer(price);
      await counter.bring();
      await counter.fixture.set(setting, usual);
      expect(await counter.mutation(id)).toMatchObject({ status: 'open', order_id: null });
      expect(await counter.status(plain.id)).toBe('on-hold');
    },
  );

  test('of the former total of an order without a code is left to a person, and pays the order if its total changes back', async () => {
    const { counter } = opened;
    const { api } = counter.fixture;
    const [price, other] = [7_000_000, 7_500_000];
    const first = await counter.plainOrder(price);
    await counter.fixture.set('unique_code_enabled', false);
    const say = (grand_total: number) => api.patch(`/orders/${first.id}`, { grand_total });
    const come = async () => {
      counter.store.clock.advance(120);
      const id = counter.transfer(price);
      await counter.bring();
      return counter.mutation(id);
    };
    expect((await say(other)).body.data).toMatchObject({ grand_total: other, unique_code: 0 });
    const second = await counter.plainOrder(price);
    await counter.fixture.set('unique_code_enabled', false);
    expect(await come()).toMatchObject({ status: 'open', order_id: null });
    expect(await counter.status(second.id)).toBe('on-hold');
    await api.patch(`/orders/${second.id}`, { grand_total: other + 1 });
    counter.store.clock.advance(15 * day);
    expect((await say(price)).status).toBe(200);
    expect((await say(other)).status).toBe(200);
    expect((await say(price)).status).toBe(200);
    expect(await come()).toMatchObject({ status: 'matched', order_id: first.id });
    await counter.fixture.set('unique_code_enabled', true);
  });

  test('from the test button of the webhook is stored, and pays nothing', async () => {
    const { counter } = opened;
    expect(await counter.testButton()).toBe(200);
    expect(await counter.mutation('testing')).toMatchObject({ amount: 10_000, status: 'open' });
  });
});

/** Reserves every amount above a price for other orders. */
const takeAll = (price: number) =>
  opened.counter.store.database.query(
    `insert into payable_claims (currency, amount)
     select 'IDR', $1::bigint + n from generate_series(1, 999) n on conflict do nothing`,
    [price],
  );
const clear = (price: number) =>
  opened.counter.store.database.query(
    'delete from payable_claims where order_id is null and amount between $1 and $1 + 999',
    [price],
  );

test('An order takes no amount over that two earlier orders had, until their transfers are no longer expected', async () => {
  const { counter } = opened;
  const first = await counter.orderAt(3_050_000);
  await takeAll(3_050_000);
  await counter.fixture.api.patch(`/orders/${first.id}`, { status: 'cancelled' });
  const second = await counter.orderAt(3_050_000);
  expect(second.grand_total).toBe(first.grand_total);
  await counter.fixture.api.patch(`/orders/${second.id}`, { status: 'cancelled' });
  const third = await counter.orderAt(3_050_000);
  expect(third).toMatchObject({ unique_code: 0, grand_total: 3_050_000 });
  counter.store.clock.advance(15 * day);
  const later = await counter.orderAt(3_050_000);
  expect(later.grand_total).toBe(first.grand_total);
  await clear(3_050_000);
});

describe('A transfer stays open, with an event,', () => {
  test('if no order has this total', async () => {
    const { counter } = opened;
    const { api } = counter.fixture;
    const { body } = await api.post('/webhooks', {
      name: 'Money',
      url: 'https://shop.example.com/hook',
      events: ['mutation.unmatched'],
    });
    const order = await counter.newOrder();
    const id = counter.transfer(order.grand_total + 1);
    await counter.bring(2);
    const kept = await counter.mutation(id);
    expect(kept).toMatchObject({ status: 'open', order_id: null });
    const { rows } = await counter.store.database.query(
      'select event, data from outbox where webhook_id = $1',
      [body.data.id],
    );
    expect(rows).toEqual([{ event: 'mutation.unmatched', data: kept }]);
    await api.delete(`/webhooks/${body.data.id}`);
  });

  test('if it is late and its order was cancelled, even if another order has the same total', async () => {
    const { counter } = opened;
    const order = await counter.newOrder();
    await counter.fixture.api.patch(`/orders/${order.id}`, { status: 'cancelled' });
    const stranger = await counter.plainOrder(order.grand_total);
    expect(stranger.grand_total).toBe(order.grand_total);
    counter.store.clock.advance(3600);
    const late = counter.transfer(order.grand_total);
    await counter.bring();
    expect(await counter.status(stranger.id)).toBe('on-hold');
    expect(await counter.status(order.id)).toBe('cancelled');
    expect(await counter.mutation(late)).toMatchObject({ status: 'open' });

    counter.store.clock.advance(14 * day);
    counter.transfer(order.grand_total);
    await counter.bring();
    expect(await counter.status(stranger.id)).toBe('completed');
  });

  describe('if no code is free', () => {
    test('and the amount belonged to a deleted order before, even after a second order with this amount was paid', async () => {
      const { counter } = opened;
      const first = await counter.orderAt(3_000_000);
      await takeAll(3_000_000);
      await counter.fixture.api.patch(`/orders/${first.id}`, { status: 'cancelled' });
      await counter.fixture.api.delete(`/orders/${first.id}?force=true`);
      const second = await counter.orderAt(3_000_000);
      expect(second.grand_total).toBe(first.grand_total);
      const late = counter.transfer(first.grand_total);
      await counter.bring();
      expect(await counter.mutation(late)).toMatchObject({ status: 'open' });
      expect(await counter.status(second.id)).toBe('on-hold');

      await counter.resolve(late, { action: 'assign', order_id: second.id });
      expect(await counter.status(second.id)).toBe('completed');
      counter.store.clock.advance(2 * day);
      const third = await counter.orderAt(3_000_000);
      expect(third.grand_total).toBe(first.grand_total);
      const later = counter.transfer(first.grand_total);
      await counter.bring();
      expect(await counter.mutation(later)).toMatchObject({ status: 'open' });
      expect(await counter.status(third.id)).toBe('on-hold');

      counter.store.clock.advance(14 * day);
      counter.transfer(first.grand_total);
      await counter.bring();
      expect(await counter.status(third.id)).toBe('completed');
      await clear(3_000_000);
    });

    test('and the only order of this amount has no code, while others wait with theirs', async () => {
      const { counter } = opened;
      await takeAll(3_100_000);
      const order = await counter.orderAt(3_100_000);
      expect(order).toMatchObject({ unique_code: 0, grand_total: 3_100_000 });
      const id = counter.transfer(3_100_000);
      await counter.bring();
      expect(await counter.mutation(id)).toMatchObject({ status: 'open' });
      expect(await counter.status(order.id)).toBe('on-hold');
      await clear(3_100_000);
    });
  });

  test('if an order without a code was cancelled before', async () => {
    const { counter } = opened;
    const order = await counter.plainOrder(700_000);
    await counter.fixture.api.patch(`/orders/${order.id}`, { status: 'cancelled' });
    const stranger = await counter.plainOrder(700_000);
    counter.store.clock.advance(14 * day - 60);
    const late = counter.transfer(700_000);
    await counter.bring();
    expect(await counter.mutation(late)).toMatchObject({ status: 'open' });
    expect(await counter.status(stranger.id)).toBe('on-hold');
  });

  test('if an order that was marked paid by hand may have sent it', async () => {
    const { counter } = opened;
    const [first, second] = [await counter.plainOrder(710_000), await counter.plainOrder(710_000)];
    counter.store.clock.advance(600);
    const id = counter.transfer(710_000);
    await counter.fixture.api.patch(`/orders/${first.id}`, { status: 'completed' });
    counter.store.clock.advance(600);
    await counter.bring();
    expect(await counter.mutation(id)).toMatchObject({ status: 'open' });
    expect(await counter.status(second.id)).toBe('on-hold');

    const { history } = await counter.fixture.order(first.id);
    expect((await counter.resolve(id, { action: 'assign', order_id: first.id })).status).toBe(200);
    expect((await counter.fixture.order(first.id)).history).toEqual(history);
    counter.transfer(710_000);
    await counter.bring();
    expect(await counter.status(second.id)).toBe('completed');
  });

  test('if two orders wait for the same amount', async () => {
    const { counter } = opened;
    const orders = [await counter.plainOrder(720_000), await counter.plainOrder(720_000)];
    const id = counter.transfer(720_000);
    await counter.bring();
    expect(await counter.mutation(id)).toMatchObject({ status: 'open' });
    for (const order of orders) expect(await counter.status(order.id)).toBe('on-hold');
  });

  test('if the order is more than a minute younger', async () => {
    const { counter } = opened;
    const before = counter.store.clock.now();
    counter.store.clock.advance(120);
    const order = await counter.newOrder();
    const id = counter.transfer(order.grand_total, { at: before });
    await counter.bring();
    expect(await counter.mutation(id)).toMatchObject({ status: 'open' });
    expect(await counter.status(order.id)).toBe('on-hold');
    const minute = new Date(Math.floor(counter.store.clock.now().getTime() / 60_000) * 60_000);
    counter.transfer(order.grand_total, { at: minute });
    await counter.bring();
    expect(await counter.status(order.id)).toBe('completed');
  });

  test("if it is no whole number of the store's units", async () => {
    const { counter } = opened;
    const order = await counter.newOrder();
    const id = counter.transfer(order.grand_total + 0.5);
    await counter.bring();
    expect(await counter.mutation(id)).toMatchObject({
      status: 'open',
      amount: order.grand_total,
    });
    expect(await counter.status(order.id)).toBe('on-hold');
  });

  test('if the database refuses to mark the order as paid', async () => {
    const { counter } = opened;
    const order = await counter.newOrder();
    await counter.store.database.query(`
      create function refuse_order() returns trigger language plpgsql as $$
      begin perform svc_guard(false, 'out_of_stock'); return new; end $$;
      create trigger refused before update on orders
        for each row when (old.id = ${order.id}) execute function refuse_order()`);
    const id = counter.transfer(order.grand_total);
    expect(await counter.bring()).toBe(200);
    await counter.store.database.query('drop trigger refused on orders');
    expect(await counter.mutation(id)).toMatchObject({ status: 'open', order_id: null });
    expect(await counter.status(order.id)).toBe('on-hold');
  });
});

describe('A line that cannot be read', () => {
  const odd = (lines: unknown) =>
    opened.counter.post(opened.counter.moota.oddCallback(`${baseUrl}/api/svc/v1`, lines));
  const openOnes = async () =>
    (await opened.counter.fixture.api.get('/overview')).body.data.to_do.bank_mutations;

  test('is left to a person, and the order of the line beside it is paid', async () => {
    const { counter } = opened;
    const order = await counter.newOrder();
    const [bad, good] = [counter.transfer(order.grand_total), counter.transfer(order.grand_total)];
    counter.lose();
    const waiting = await openOnes();
    const line = { ...counter.moota.line(bad), date: '0000-01-01 00:00:00' };
    for (let i = 0; i < 2; i++) expect(await odd([line, counter.moota.line(good)])).toBe(200);
    expect(await counter.status(order.id)).toBe('completed');
    expect(await counter.mutation(bad)).toMatchObject({
      status: 'open',
      amount: null,
      unread: JSON.stringify(line),
      occurred_at: counter.store.clock.now().toISOString(),
    });
    expect(await openOnes()).toBe(waiting + 1);
  });

  test('is stored even if no part of it is readable', async () => {
    const { counter } = opened;
    const waiting = await openOnes();
    expect(await odd({ error: 'expired' })).toBe(200);
    expect(await openOnes()).toBe(waiting + 1);
    const [kept] = await counter.mutations('status=open');
    expect(kept).toMatchObject({ account_number: '', unread: '{"error":"expired"}' });
  });

  test('pays its order once it is reported readably, as the same mutation', async () => {
    const { counter } = opened;
    const order = await counter.newOrder();
    const id = counter.transfer(order.grand_total);
    counter.lose();
    await odd([{ ...counter.moota.line(id), amount: '1,000,000.00' }]);
    const unread = await counter.mutation(id);
    expect(await counter.again(id)).toBe(200);
    expect(await counter.mutation(id)).toMatchObject({
      id: unread?.id,
      status: 'matched',
      order_id: order.id,
      amount: order.grand_total,
      unread: null,
    });
    expect(await counter.status(order.id)).toBe('completed');
  });

  test('pays nothing if it is reported readably after a person decided on it', async () => {
    const { counter } = opened;
    const [mine, other] = [await counter.plainOrder(730_000), await counter.plainOrder(730_000)];
    const id = counter.transfer(730_000);
    counter.lose();
    await odd([{ ...counter.moota.line(id), amount: '730.000,00' }]);
    expect((await counter.resolve(id, { action: 'assign', order_id: mine.id })).status).toBe(200);
    await counter.again(id);
    expect(await counter.mutation(id)).toMatchObject({ status: 'matched', order_id: mine.id });
    expect(await counter.status(mine.id)).toBe('completed');
    expect(await counter.status(other.id)).toBe('on-hold');
  });
});

test('An order whose payment fails in the database leaves its transfer open, and the next one is paid', async () => {
  const { counter } = opened;
  const [broken, order] = [await counter.newOrder(), await counter.newOrder()];
  const mend = await breakRow(counter.store, 'orders', broken.id);
  const id = counter.transfer(broken.grand_total);
  counter.transfer(order.grand_total);
  expect(await counter.bring()).toBe(200);
  await mend();
  expect(await counter.mutation(id)).toMatchObject({ status: 'open', amount: broken.grand_total });
  expect(await counter.status(order.id)).toBe('completed');
});

describe('In a store that keeps rupiah with decimals', () => {
  test('a transfer pays the order with the converted amount', async () => {
    const { counter } = opened;
    await counter.fixture.set('currency_exponent', 2);
    const order = await counter.orderAt(50_000_000);
    const id = counter.transfer(order.grand_total / 100);
    await counter.bring();
    await counter.fixture.set('currency_exponent', 0);
    expect(await counter.mutation(id)).toMatchObject({ amount: order.grand_total });
    expect(await counter.status(order.id)).toBe('completed');
  });
});

test('A transfer in rupiah pays nothing in a store of another currency', async () => {
  const { counter } = opened;
  await counter.fixture.set('currency', 'USD');
  const order = await counter.newOrder();
  const id = counter.transfer(order.grand_total);
  await counter.bring();
  await counter.fixture.set('currency', 'IDR');
  expect(await counter.mutation(id)).toMatchObject({
    status: 'open',
    currency: 'IDR',
    amount: order.grand_total * 100,
  });
  expect(await counter.status(order.id)).toBe('on-hold');
});

test('Erasing a user erases the texts of their transfers, and of no others', async () => {
  const { counter } = opened;
  const orders = [await counter.newOrder(), await counter.newOrder()];
  const ids = orders.map(({ grand_total }) =>
    counter.transfer(grand_total, { description: 'FROM ANNA' }),
  );
  await counter.bring();
  await counter.fixture.api.delete(`/users/${orders[0]?.user_id}`);
  const words = await Promise.all(ids.map(counter.mutation));
  expect(words.map((one) => one?.description)).toEqual(['', 'FROM ANNA']);
});
