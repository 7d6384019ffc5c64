import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { orderStatuses } from '../../../src/schema/lists.ts';
import { runs } from '../../harness/long.ts';
import type { ApiClient } from '../../harness/client.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { useStore } from '../../harness/store.ts';
import { untilWaiting } from '../../races/queue.ts';

const opened = useStore();
let api: ApiClient;
let productIds: number[];
let userIds: number[];

beforeAll(async () => {
  await opened.store.database.query("update settings set timezone = 'Asia/Jakarta'");
  api = await opened.store.key();
  const created = async (path: string, body: object) => (await api.post(path, body)).body.data.id;
  const affiliate = { enabled: true, tiers: [] };
  productIds = [
    await created('/products', { title: 'A', price: 700, affiliate }),
    await created('/products', { title: 'B', price: 0, affiliate }),
    await created('/products', { title: 'C', price: 1300, type: 'physical', affiliate }),
  ];
  const seller = await created('/users', { email: 'seller@x.example', roles: ['affiliate'] });
  userIds = [
    await created('/users', { email: 'one@x.example' }),
    await created('/users', { email: 'two@x.example', affiliate_id: seller }),
  ];
});

const place = fc.record({
  kind: fc.constant('place' as const),
  product: fc.nat(2),
  user: fc.nat(1),
  quantity: fc.integer({ min: 1, max: 4 }),
});
const move = fc.record({
  kind: fc.constant('move' as const),
  order: fc.nat(20),
  status: fc.constantFrom(...orderStatuses),
});
const change = fc.record({
  kind: fc.constant('change' as const),
  order: fc.nat(20),
  body: fc.oneof(
    fc.record({ quantity: fc.integer({ min: 1, max: 9 }) }),
    fc.record({ grand_total: fc.integer({ min: 0, max: 5000 }) }),
    fc.constant({ affiliate_id: null }),
  ),
});
const remove = fc.record({
  kind: fc.constant('remove' as const),
  order: fc.nat(20),
  force: fc.boolean(),
});
const wait = fc.record({
  kind: fc.constant('wait' as const),
  hours: fc.integer({ min: 1, max: 40 }),
});

const steps = fc.oneof({ weight: 3, arbitrary: place }, move, move, change, remove, wait);
type Step = typeof steps extends fc.Arbitrary<infer T> ? T : never;

/** Makes a step, allowed or not. */
async function take(step: Step, orders: number[]): Promise<void> {
  const id = 'order' in step ? orders[step.order % Math.max(1, orders.length)] : undefined;
  if (step.kind === 'wait') opened.store.clock.advance(step.hours * 3600);
  else if (step.kind === 'place') {
    const { body } = await api.post('/orders', {
      product_id: productIds[step.product],
      user_id: userIds[step.user],
      quantity: step.quantity,
    });
    orders.push(body.data.id);
  } else if (id === undefined) return;
  else if (step.kind === 'move') await api.patch(`/orders/${id}`, { status: step.status });
  else if (step.kind === 'change') await api.patch(`/orders/${id}`, step.body);
  else await api.delete(`/orders/${id}${step.force ? '?force=true' : ''}`);
}

test('after any history the rollups equal a full scan', async () => {
  const histories = fc.array(steps, { minLength: 10, maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const orders: number[] = [];
      for (const step of history) await take(step, orders);
      await expectIntegrity(opened);
    }),
    { numRuns: runs(12) },
  );
});

test('the figures of every filter that a rollup covers are those of the listed orders', async () => {
  const day = '2026-03-11';
  const filters = [
    '',
    'status=completed',
    `product_id=${productIds[0]}`,
    `product_id=${productIds[0]}&status=on-hold`,
    'affiliate_id=1',
    `date_start=${day}`,
    `date_end=${day}&status=cancelled`,
    `date_start=${day}&date_end=${day}`,
    // These are counted from the orders.
    `user_id=${userIds[0]}`,
    'date_start=2026-03-11T00:00:00Z',
    `product_id=${productIds[2]}&date_start=${day}`,
    'search=INV',
  ];
  for (const filter of filters) {
    const listed: Record<string, number>[] = [];
    let cursor = '';
    do {
      const { body } = await api.get(
        `/orders?per_page=100&${filter}${cursor && `&cursor=${cursor}`}`,
      );
      listed.push(...body.data);
      cursor = body.meta.next_cursor;
    } while (cursor);
    const total = (name: string) => listed.reduce((sum, order) => sum + (order[name] ?? 0), 0);
    const counted = await api.get(`/orders?output=count&${filter}`);
    expect(counted.body.data, filter).toMatchObject({ count: listed.length });
    const summed = await api.get(`/orders?output=sum&${filter}`);
    expect(summed.trips).toBe(1);
    expect(summed.body.data, filter).toEqual({
      count: listed.length,
      sums: [
        {
          currency: 'USD',
          quantity: total('quantity'),
          grand_total: total('grand_total'),
          refunded_total: total('refunded_total'),
          net_total: total('net_total'),
        },
      ],
    });
    const page = await api.get(`/orders?per_page=1&${filter}`);
    expect(page.body.meta.pagination.total, filter).toBe(listed.length);
  }
});

test('parallel orders of one product do not queue up behind one row', async () => {
  const order = { product_id: productIds[0], user_id: userIds[0] };
  const held = opened.store.neon.faults.next({ statement: 'insert into "orders"', hold: true });
  const first = api.post('/orders', order);
  await held.reached;
  // The first order's transaction is open, with its rollup rows locked.
  const second = await api.post('/orders', order);
  expect(second.status).toBe(201);
  held.release();
  expect((await first).status).toBe(201);
});

test('only orders whose ids share a slot wait for each other', async () => {
  const order = { product_id: productIds[0], user_id: userIds[0] };
  const held = opened.store.neon.faults.next({ statement: 'insert into "orders"', hold: true });
  const first = api.post('/orders', order);
  await held.reached;
  await opened.store.database.query(
    "select setval('orders_id_seq', last_value + 7) from orders_id_seq",
  );
  const second = api.post('/orders', order);
  await untilWaiting(opened.store, 1);
  held.release();
  expect((await first).status).toBe(201);
  expect((await second).status).toBe(201);
});
