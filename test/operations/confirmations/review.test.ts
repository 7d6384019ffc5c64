import { describe, expect, test } from 'vitest';
import type { ConfirmationWithOrder } from '../../../src/domain/confirmation/schemas.ts';
import { useCounter } from '../payments/transfers.ts';

const its = useCounter();

const say = async (order_id: number, said: object): Promise<{ id: number }> => {
  const reply = await its.counter.fixture.api.post('/confirmations', { order_id, ...said });
  expect(reply.status).toBe(201);
  return reply.body.data;
};

async function read(id: number): Promise<ConfirmationWithOrder> {
  const reply = await its.counter.fixture.api.get(`/confirmations/${id}`);
  expect(reply).toMatchObject({ status: 200, trips: 1 });
  return reply.body.data;
}

const list = async (query: string): Promise<ConfirmationWithOrder[]> => {
  const reply = await its.counter.fixture.api.get(`/confirmations?per_page=100&${query}`);
  expect(reply).toMatchObject({ status: 200, trips: 1 });
  return reply.body.data;
};

describe('A confirmation shows its reviewer', () => {
  test('the order as it is now, its product and its buyer', async () => {
    const order = await its.counter.newOrder();
    const { id } = await say(order.id, { total: 1 });
    const confirmation = await read(id);
    expect(confirmation).toMatchObject({
      amount_expected: order.grand_total,
      amount_matches: false,
      order: {
        id: order.id,
        number: order.number,
        status: 'payment-confirm',
        currency: 'IDR',
        grand_total: order.grand_total,
        product: order.product,
        user: order.user,
      },
    });
    expect(await list(`order_id=${order.id}`)).toEqual([confirmation]);
  });

  test('the others that gave the same proof, or the same sender and amount, for another order', async () => {
    const { counter } = its;
    const [first, second, third] = [
      await counter.newOrder(),
      await counter.newOrder(),
      await counter.newOrder(),
    ];
    const proof = 'https://elsewhere.example/receipt.jpg';
    const one = await say(first.id, { proof, sender: 'Dewi', total: 77_000 });
    const again = await say(first.id, { proof, sender: 'Dewi', total: 77_000 });
    const both = await say(second.id, { proof, sender: 'DEWI', total: 77_000 });
    const neither = await say(third.id, { sender: 'Dewi', total: 77_001 });
    const named = await say(third.id, { sender: '', total: 77_000 });
    expect((await read(both.id)).similar).toEqual([
      {
        id: again.id,
        order_id: first.id,
        order_number: first.number,
        status: 'pending',
        same: ['proof', 'transfer'],
      },
      {
        id: one.id,
        order_id: first.id,
        order_number: first.number,
        status: 'superseded',
        same: ['proof', 'transfer'],
      },
    ]);
    expect((await read(again.id)).similar.map(({ id }) => id)).toEqual([both.id]);
    for (const { id } of [neither, named]) expect((await read(id)).similar).toEqual([]);
  });

  test('the bank entries that paid it, and open ones of its amount', async () => {
    const { counter } = its;
    const order = await counter.newOrder();
    const other = await counter.newOrder();
    const { id } = await say(order.id, { total: 123_123 });
    const stated = counter.transfer(123_123);
    counter.transfer(321_321);
    counter.transfer(-123_123);
    await counter.bring();
    const found = await read(id);
    expect(found.mutations).toMatchObject([
      { status: 'open', amount: 123_123, id: (await counter.mutation(stated))?.id },
    ]);
    expect(found.mutations?.[0]?.occurred_at).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);

    await counter.resolve(stated, { action: 'assign', order_id: order.id });
    expect((await read(id)).mutations).toMatchObject([{ status: 'matched', amount: 123_123 }]);
    const later = await say(other.id, { total: 123_123 });
    expect((await read(later.id)).mutations).toEqual([]);
  });

  test('only the parts of the order and of the bank that its key may read', async () => {
    const { counter } = its;
    const order = await counter.newOrder();
    const { id } = await say(order.id, {});
    const keys = [
      ['confirmations:read'],
      ['confirmations:read', 'orders:read'],
      ['confirmations:read', 'payments:read'],
    ] as const;
    for (const scopes of keys) {
      const key = await counter.store.key(...scopes);
      const { body } = await key.get(`/confirmations/${id}`);
      const scoped: readonly string[] = scopes;
      expect(body.data.order !== null).toBe(scoped.includes('orders:read'));
      expect(body.data.mutations !== null).toBe(scoped.includes('payments:read'));
    }
  });
});

test('confirmations are listed by time, the longest waiting first on request', async () => {
  const { counter } = its;
  const ids: number[] = [];
  for (let n = 0; n < 3; n++) {
    counter.store.clock.advance(86_400);
    ids.push((await say((await counter.newOrder()).id, {})).id);
  }
  const [first, second, third] = ids;
  const at = (await read(second ?? 0)).created_at;
  const found = async (query: string) =>
    (await list(query)).map(({ id }) => id).filter((id) => ids.includes(id));
  expect(await found('status=pending&sort=id')).toEqual([first, second, third]);
  expect(await found(`status=pending&date_start=${at}`)).toEqual([third, second]);
  expect(await found(`date_start=${at}&date_end=${at}`)).toEqual([second]);
  expect(await found(`date_end=${at.slice(0, 10)}&sort=id`)).toEqual([first, second]);
});

test.each([
  [100_000, 0],
  [110_000, 10_000],
  [undefined, 10_000],
])(
  'An approved proof of %s for a price of 100,000 on delivery leaves a fee of %i in the total',
  async (total, fee) => {
    const { fixture } = its.counter;
    const { id: product_id } = await fixture.newProduct({
      price: 100_000,
      type: 'physical',
      cod: { active: true, fee: 10_000 },
    });
    const order = await fixture.newOrder({ product_id, payment_gateway: 'cod' });
    await fixture.api.patch(`/orders/${order.id}`, { status: 'on-hold' });
    const { id } = await say(order.id, { sender: 'Dewi', total });
    const reply = await fixture.api.post(`/confirmations/${id}`, { status: 'approved' });
    expect(reply.status).toBe(200);
    expect(await fixture.order(order.id)).toMatchObject({
      status: 'in-progress',
      payment_gateway: 'manual',
      fee_total: fee,
      grand_total: 100_000 + fee,
    });
  },
);
