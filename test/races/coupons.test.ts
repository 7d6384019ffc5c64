import { afterAll, beforeAll, expect, test } from 'vitest';
import { crowdOf, long } from '../harness/long.ts';
import type { ApiClient } from '../harness/client.ts';
import { useStore } from '../harness/store.ts';
import { behindLock, transaction } from './queue.ts';
import { expectIntegrity } from '../harness/integrity.ts';

const opened = useStore();
const crowd = crowdOf(60);

afterAll(() => expectIntegrity(opened));
let api: ApiClient;
let product: number;
let buyers: number[];

const id = async (path: string, body: object) =>
  (await api.post(path, body)).body.data.id as number;

beforeAll(async () => {
  api = await opened.store.key();
  product = await id('/products', { title: 'A', price: 100 });
  buyers = await Promise.all(
    Array.from({ length: crowd }, (_, i) => id('/users', { email: `buyer-${i}@x.example` })),
  );
  // The first order of a connection plans its statements, which all would do at once behind the lock.
  await Promise.all(buyers.map((user_id) => api.post('/orders', { product_id: product, user_id })));
});

const lockUsage = (coupon: number) =>
  `select from coupon_usage where coupon_id = ${coupon} for update`;

const order = (user_id: number, coupon_code: string) => () =>
  api.post('/orders', { product_id: product, user_id, coupon_code });

const accepted = (replies: { status: number }[]) =>
  replies.filter(({ status }) => status === 201).length;

test(`of ${crowd} parallel orders, exactly three get a coupon with the limit 3`, async () => {
  const coupon = await id('/coupons', { code: 'THREE', limit_use: 3 });
  const replies = await behindLock(
    opened.store,
    lockUsage(coupon),
    buyers.map((buyer) => order(buyer, 'THREE')),
  );
  expect(accepted(replies)).toBe(3);
  expect(replies.filter(({ body }) => body.code === 'coupon_limit_reached')).toHaveLength(
    crowd - 3,
  );
  expect((await api.get('/coupons/THREE')).body.data).toMatchObject({
    usage: 3,
    state: 'exhausted',
  });
});

test('a buyer gets no more than the limit per user in 20 parallel orders', async () => {
  const coupon = await id('/coupons', { code: 'TWICE', limit_use_per_user: 2 });
  const callers = Array.from({ length: 20 }, () => order(buyers[0] ?? 0, 'TWICE'));
  const replies = await behindLock(opened.store, lockUsage(coupon), callers);
  expect(accepted(replies)).toBe(2);
});

long(
  'a buyer gets no more than the limit per user through 20 copies of a template in parallel',
  async () => {
    const template = await id('/coupons', { code: 'COPIED', limit_use_per_user: 2 });
    const codes = Array.from({ length: 20 }, (_, n) => `COPY-${n}`);
    await Promise.all(codes.map((code) => id('/coupons', { code, coupon_parent_id: template })));
    const callers = codes.map((code) => order(buyers[0] ?? 0, code));
    const lock = 'select from coupon_usage for update';
    const replies = await behindLock(opened.store, lock, callers);
    expect(accepted(replies)).toBe(2);
    expect(replies.filter(({ body }) => body.code === 'coupon_user_limit')).toHaveLength(18);
    const other = await order(buyers[1] ?? 0, 'COPY-0')();
    expect(other.status).toBe(201);
    // A limit counts the orders that use it now.
    const used = replies.find(({ status }) => status === 201)?.body.data.id;
    await api.patch(`/orders/${used}`, { status: 'cancelled' });
    expect(accepted([await order(buyers[0] ?? 0, 'COPY-1')()])).toBe(1);
    expect((await order(buyers[0] ?? 0, 'COPIED')()).body.code).toBe('coupon_user_limit');
  },
);

const lockFirst = 'lock table orders in share mode';

test('of 6 parallel orders with a coupon for first orders, one is placed', async () => {
  await id('/coupons', { code: 'FIRST', rule: { first_order_only: true } });
  const newcomer = await id('/users', { email: 'newcomer@x.example' });
  const callers = Array.from({ length: 6 }, () => order(newcomer, 'FIRST'));
  const replies = await behindLock(opened.store, lockFirst, callers);
  expect(accepted(replies)).toBe(1);
  expect(replies.filter(({ body }) => body.code === 'coupon_first_order_only')).toHaveLength(5);
  expect((await api.get('/coupons/FIRST')).body.data.usage).toBe(1);
});

long('control: looking for an earlier order first places all of them', async () => {
  const newcomer = await id('/users', { email: 'another-newcomer@x.example' });
  const broken = transaction(opened.store, async (client) => {
    const { rowCount } = await client.query('select from orders where user_id = $1', [newcomer]);
    if (rowCount) return false;
    await client.query(
      `insert into orders (number, product_id, user_id, quantity, status, payment_gateway,
                           currency, created_at, updated_at)
       values (gen_random_uuid(), $1, $2, 1, 'on-hold', 'manual', 'USD', now(), now())`,
      [product, newcomer],
    );
    return true;
  });
  const callers = Array.from({ length: 6 }, () => broken);
  expect(await behindLock(opened.store, lockFirst, callers)).toEqual(Array(6).fill(true));
  // These orders have no history.
  await opened.store.database.query('delete from orders where user_id = $1', [newcomer]);
});

long('control: reading the counter first lets too many in', async () => {
  const coupon = await id('/coupons', { code: 'BROKEN', limit_use: 3 });
  const broken = transaction(opened.store, async (client) => {
    const { rows } = await client.query('select used from coupon_usage where coupon_id = $1', [
      coupon,
    ]);
    if (Number(rows[0].used) >= 3) return false;
    await client.query('update coupon_usage set used = used + 1 where coupon_id = $1', [coupon]);
    return true;
  });
  const callers = Array.from({ length: 20 }, () => broken);
  const results = await behindLock(opened.store, lockUsage(coupon), callers);
  expect(results.filter(Boolean)).toHaveLength(20);
  // These uses belong to no order.
  await opened.store.database.query('delete from coupon_usage where coupon_id = $1', [coupon]);
});
