import { describe, expect, test } from 'vitest';
import { useCounter } from './transfers.ts';

const opened = useCounter();
let price = 3_000_000;

const change = async (id: number, body: object) => {
  const reply = await opened.counter.fixture.api.patch(`/orders/${id}`, body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
};

/** Changes of an order with a code, whose buyer may still transfer its former price. */
const changes: [what: string, (id: number, total: number) => Promise<unknown>][] = [
  ['was just marked paid by hand', (id) => change(id, { status: 'completed' })],
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
      opened.counter.store.clock.advance(2 * 86_400);
      await change(id, { status: 'cancelled' });
    },
  ],
  ['is to be paid on delivery now', (id) => change(id, { payment_gateway: 'cod' })],
  ['got another total', (id, total) => change(id, { grand_total: total + 100_000 })],
  [
    'was cancelled and erased',
    async (id) => {
      await change(id, { status: 'cancelled' });
      await opened.counter.fixture.api.delete(`/orders/${id}?force=true`);
    },
  ],
];

async function orderWithCode() {
  const { counter } = opened;
  price += 300_000;
  await counter.fixture.set('unique_code_enabled', true);
  const { id: product_id } = await counter.fixture.newProduct({
    price,
    type: 'physical',
    cod: { active: true },
  });
  const order = await counter.fixture.newOrder({ product_id, payment_gateway: 'manual' });
  expect(order.unique_code).not.toBe(0);
  return order;
}

describe('A transfer that lacks its code pays no order without one', () => {
  const uses: [what: string, enabled: boolean][] = [
    ['uses codes', true],
    ['no longer uses codes', false],
  ];
  describe.each(uses)('in a store that %s', (_, enabled) => {
    test.each(changes)('if the order with a code %s', async (__, happens) => {
      const { counter } = opened;
      const order = await orderWithCode();
      await happens(order.id, order.grand_total);
      await counter.fixture.set('unique_code_enabled', false);
      const other = await counter.orderAt(price);
      expect(other.unique_code).toBe(0);
      await counter.fixture.set('unique_code_enabled', enabled);
      counter.store.clock.advance(600);
      const late = counter.transfer(price);
      await counter.bring();
      expect(await counter.status(other.id)).toBe('on-hold');
      expect(await counter.mutation(late)).toMatchObject({ status: 'open' });
    });
  });
});

test('A transfer pays no order of its amount if another buyer may have left out a code', async () => {
  const { counter } = opened;
  const order = await orderWithCode();
  const other = await counter.orderAt(order.grand_total);
  expect(other.grand_total - other.unique_code).toBe(order.grand_total);
  counter.store.clock.advance(600);
  const plain = counter.transfer(order.grand_total);
  await counter.bring();
  expect(await counter.status(order.id)).toBe('on-hold');
  expect(await counter.mutation(plain)).toMatchObject({ status: 'open' });
});

test('A transfer pays no order of its amount if its code was left out of an amount that another order took over', async () => {
  const { counter } = opened;
  const order = await orderWithCode();
  await change(order.id, { status: 'cancelled' });
  await counter.fixture.set('unique_code_largest', 1);
  const taker = await counter.orderAt(order.grand_total - 1);
  await counter.fixture.set('unique_code_largest', 999);
  expect(taker.grand_total).toBe(order.grand_total);
  const other = await counter.orderAt(price - 500);
  await change(other.id, { grand_total: price });
  counter.store.clock.advance(600);
  const late = counter.transfer(price);
  await counter.bring();
  expect(await counter.status(other.id)).toBe('on-hold');
  expect(await counter.mutation(late)).toMatchObject({ status: 'open' });
});

test('A transfer pays its order although another buyer left out a code before', async () => {
  const { counter } = opened;
  const [left, order] = [await orderWithCode(), await orderWithCode()];
  counter.store.clock.advance(600);
  counter.transfer(left.grand_total - left.unique_code);
  counter.transfer(order.grand_total);
  await counter.bring();
  expect(await counter.status(left.id)).toBe('on-hold');
  expect(await counter.status(order.id)).toBe('in-progress');
});
