import { afterAll, expect, test } from 'vitest';
import type { Confirmation } from '../../src/domain/confirmation/schemas.ts';
import { long } from '../harness/long.ts';
import { expectIntegrity } from '../harness/integrity.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';
import { behindLock, times, transaction } from './queue.ts';

const opened = useStoreFixture();

afterAll(() => expectIntegrity(opened.fixture));

const lockOf = (order: number) => `select from orders where id = ${order} for update`;

async function newOrder() {
  const { fixture } = opened;
  return fixture.newOrder({ product_id: (await fixture.newProduct()).id });
}

const confirm = (order_id: number) => () =>
  opened.fixture.api.post('/confirmations', { order_id, total: 1000 });

async function statuses(order_id: number): Promise<string[]> {
  const { body } = await opened.fixture.api.get(`/confirmations?order_id=${order_id}&per_page=100`);
  return body.data.map(({ status }: { status: string }) => status);
}

test.each(['on-hold', 'payment-confirm'])(
  '12 parallel confirmations of an order that is %s are all taken, and one is pending',
  async (status) => {
    const { fixture } = opened;
    const { id } = await newOrder();
    if (status === 'payment-confirm') await confirm(id)();
    const replies = await behindLock(fixture.store, lockOf(id), times(12, confirm(id)));
    expect(replies.map((reply) => reply.status)).toEqual(Array(12).fill(201));
    expect((await statuses(id)).filter((one) => one === 'pending')).toHaveLength(1);
  },
);

test('If two orders are confirmed with the same proof in parallel, the second confirmation is marked as a duplicate of the first', async () => {
  const { api, store } = opened.fixture;
  const orders = [await newOrder(), await newOrder()];
  const proof = 'https://pictures.example/receipt.png';
  const replies = await behindLock(
    store,
    'lock table confirmations in share row exclusive mode',
    orders.map(
      (order) => () => api.post('/confirmations', { order_id: order.id, total: 1, proof }),
    ),
  );
  const rows: Confirmation[] = replies.map(({ body }) => body.data);
  const first = rows.find(({ duplicate_of }) => duplicate_of === null);
  expect(rows.map(({ duplicate_of }) => duplicate_of)).toContain(first?.id);
});

long('a confirmation that arrives with the payment of its order never stays pending', async () => {
  const { fixture } = opened;
  const { id } = await newOrder();
  await confirm(id)();
  const pay = () => fixture.api.patch(`/orders/${id}`, { status: 'completed' });
  const replies = await behindLock(fixture.store, lockOf(id), [confirm(id), pay, confirm(id)]);
  expect(replies.every((reply) => reply.status < 500)).toBe(true);
  expect((await fixture.order(id)).status).toBe('completed');
  expect(await statuses(id)).not.toContain('pending');
});

long('control: superseding pending confirmations before the write leaves several', async () => {
  const { fixture } = opened;
  const { id } = await newOrder();
  await fixture.store.database.query('create table said (order_id bigint, status text)');
  const broken = transaction(fixture.store, async (client) => {
    const pending = `update said set status = 'superseded' where order_id = $1 and status = 'pending'`;
    await client.query(pending, [id]);
    await client.query('select from orders where id = $1 for key share', [id]);
    await client.query(`insert into said values ($1, 'pending')`, [id]);
    return true;
  });
  await behindLock(fixture.store, lockOf(id), times(12, broken));
  const { rowCount } = await fixture.store.database.query(
    `select from said where status = 'pending'`,
  );
  expect(rowCount).toBe(12);
});
