import { beforeAll, describe, expect, test } from 'vitest';
import type { User } from '../../../src/domain/user/schemas.ts';
import { percentages } from '../../harness/affiliates.ts';
import { usePost } from './post.ts';

const opened = usePost(['resend']);
let affiliate: User;
let product_id: number;

beforeAll(async () => {
  const { post } = opened;
  await post.silence('order-completed');
  affiliate = await post.newBuyer({ roles: ['affiliate'] });
  const product = await post.fixture.newProduct({
    price: 100_000,
    enable_quantity: true,
    max_quantity: 5,
    affiliate: { enabled: true, hold_days: 0, tiers: percentages(20) },
  });
  product_id = product.id;
});

const sell = (fields: object = {}) =>
  opened.post.fixture.newOrder({ product_id, affiliate_id: affiliate.id, ...fields });

const change = (id: number, fields: object) =>
  opened.post.fixture.api.patch(`/orders/${id}`, fields);

const complete = (id: number) => change(id, { status: 'completed' });

const refund = (id: number, amount: number) =>
  opened.post.fixture.api.post(`/orders/${id}/refunds`, { amount });

const earned = async (order_id: number) => {
  await opened.post.store.settled();
  const found = await opened.post.log(`order_id=${order_id}&kind=commission-earned`);
  return found.map(({ status, subject }) => [status, subject]);
};

const statuses = async (order_id: number) => (await earned(order_id)).map(([status]) => status);

describe('An affiliate gets one message about what a sale earned', () => {
  test.each<[string, object, (id: number) => Promise<unknown>, string]>([
    [
      'after a part was refunded',
      { status: 'in-progress' },
      (id) => refund(id, 50_000),
      'IDR 10,000',
    ],
    [
      'after its total was lowered',
      {},
      (id) => change(id, { grand_total: 60_000, reason: 'As agreed.' }),
      'IDR 12,000',
    ],
    ['after its quantity was raised', {}, (id) => change(id, { quantity: 3 }), 'IDR 60,000'],
  ])('%s', async (_, fields, correct, sum) => {
    const { id } = await sell(fields);
    await correct(id);
    await complete(id);
    expect(await earned(id)).toEqual([['sent', `You've earned ${sum}`]]);
  });

  test('even if it is completed twice', async () => {
    const { id } = await sell({ status: 'completed' });
    await opened.post.store.settled();
    await change(id, { status: 'in-progress' });
    await complete(id);
    expect(await earned(id)).toEqual([['sent', "You've earned IDR 20,000"]]);
  });

  test('and another one if it is completed again with another sum', async () => {
    const { post } = opened;
    const { id } = await sell({ status: 'completed', grand_total: 100_000 });
    const again = async (grand_total: number) => {
      await earned(id);
      await post.later(1);
      await change(id, { status: 'in-progress', grand_total, reason: 'As agreed.' });
      await complete(id);
      return (await earned(id)).map(([, subject]) => subject);
    };
    const sums = ['20,000', '12,000', '6,000'].map((sum) => `You've earned IDR ${sum}`);
    expect(await again(60_000)).toEqual(sums.slice(0, 2));
    expect(await again(60_000)).toEqual(sums.slice(0, 2));
    expect(await again(30_000)).toEqual(sums);
  });
});

test('A message about a sale that waits is not sent once the order is open again, and the next completion causes another', async () => {
  const { post } = opened;
  const { id } = await sell({ status: 'in-progress' });
  await post.store.settled();
  post.sender().refuse('temporary');
  await complete(id);
  expect(await statuses(id)).toEqual(['queued']);
  await change(id, { status: 'in-progress' });
  await post.later(60);
  await complete(id);
  expect(await statuses(id)).toEqual(['cancelled', 'sent']);
});

test('Somebody who resends the message about a sale has it sent once more', async () => {
  const { post } = opened;
  const { id } = await sell({ status: 'completed' });
  await post.store.settled();
  const [message] = await post.log(`order_id=${id}&kind=commission-earned`);
  await post.fixture.api.post(`/messages/${message?.id}/resend`);
  expect(await statuses(id)).toEqual(['sent', 'sent']);
});

test('A sale that earned nothing causes no message', async () => {
  const { id } = await sell();
  await change(id, { grand_total: 0, reason: 'A gift.' });
  await complete(id);
  expect(await statuses(id)).toEqual(['cancelled']);
});
