import { describe, expect, test } from 'vitest';
import { long } from '../harness/long.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';
import { behindLock, times, transaction } from './queue.ts';

const opened = useStoreFixture();

const lockOf = (id: number) => `select from orders where id = ${id} for update`;

async function newOrder(fields: object = {}) {
  const { fixture } = opened;
  const { id: product_id } = await fixture.newProduct({ stock: 5 });
  return fixture.newOrder({ product_id, ...fields });
}

describe('Of two parallel changes that exclude each other', () => {
  test.each([
    { from: 'on-hold', to: ['completed', 'cancelled'] },
    { from: 'in-progress', to: ['refunded', 'cancelled'] },
    { from: 'in-progress', to: ['on-hold', 'refunded'] },
  ])('from $from to $to one succeeds, and the other is refused', async ({ from, to }) => {
    const { fixture } = opened;
    const { id } = await newOrder({ status: from });
    const { history: before } = await fixture.order(id);
    const changes = to.map((status) => () => fixture.api.patch(`/orders/${id}`, { status }));
    const replies = await behindLock(fixture.store, lockOf(id), changes);
    const { status: winner, history } = await fixture.order(id);
    expect(to).toContain(winner);
    expect(history.slice(before.length)).toMatchObject([{ from, to: winner }]);
    const loser = to.find((status) => status !== winner);
    expect(replies.toSorted((a, b) => a.status - b.status)).toMatchObject([
      { status: 200, body: { changed: true, data: { status: winner } } },
      {
        status: 409,
        body: { code: 'rest_invalid_transition', data: { from: winner, to: loser } },
      },
    ]);
  });

  long('control: a check before the write lets both succeed', async () => {
    const { fixture } = opened;
    const { id } = await newOrder();
    const changes = ['completed', 'cancelled'].map((status) =>
      transaction(fixture.store, async (client) => {
        const { rows } = await client.query('select status from orders where id = $1', [id]);
        if (rows[0]?.status !== 'on-hold') return false;
        await client.query('update orders set status = $2 where id = $1', [id, status]);
        return true;
      }),
    );
    expect(await behindLock(fixture.store, lockOf(id), changes)).toEqual([true, true]);
  });
});

long('one change that is requested ten times at once is made once', async () => {
  const { fixture } = opened;
  const { id, product_id } = await newOrder();
  const cancel = () => fixture.api.patch(`/orders/${id}`, { status: 'cancelled' });
  const replies = await behindLock(fixture.store, lockOf(id), times(10, cancel));
  expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect(replies.filter(({ body }) => body.changed)).toHaveLength(1);
  const { history, version } = await fixture.order(id);
  expect(history.map(({ to }) => to)).toEqual(['on-hold', 'cancelled']);
  expect(version).toBe(2);
  expect((await fixture.product(product_id)).stock).toBe(5);
});

test('of ten parallel updates of one version, exactly one succeeds', async () => {
  const { fixture } = opened;
  const { id } = await newOrder();
  const headers = { 'if-match': '1' };
  const update = (n: number) => () =>
    fixture.api.patch(`/orders/${id}`, { note: `${n}` }, { headers });
  const updates = Array.from({ length: 10 }, (_, n) => update(n));
  const replies = await behindLock(fixture.store, lockOf(id), updates);
  const [won, ...others] = replies.filter(({ status }) => status === 200);
  expect(others).toEqual([]);
  expect(replies.filter(({ body }) => body.code === 'rest_conflict')).toHaveLength(9);
  const { history: _, ...order } = await fixture.order(id);
  expect(order).toEqual(won?.body.data);
});
