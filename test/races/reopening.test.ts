import { describe, expect, test } from 'vitest';
import { long } from '../harness/long.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';
import { behindLock, transaction } from './queue.ts';

const opened = useStoreFixture();

const reopen = (id: number) => () =>
  opened.fixture.api.patch(`/orders/${id}`, { status: 'on-hold' });

async function cancelledOrders(count: number, product: object, fields: object = {}) {
  const { fixture } = opened;
  const { id: product_id } = await fixture.newProduct(product);
  const { id: user_id } = await fixture.newUser();
  const ids: number[] = [];
  for (let i = 0; i < count; i++) {
    const order = await fixture.newOrder({ product_id, user_id, status: 'cancelled', ...fields });
    ids.push(order.id);
  }
  return { product_id, user_id, ids };
}

const lock = 'lock table orders in share mode';

describe('Of 8 cancelled orders of one user that are reopened at once', () => {
  const callers = 8;
  const tryout = { active: true, duration: 7, period: 'daily', first_only: true };
  const regular = { duration: 1, period: 'monthly', price: 50_000 };

  test.each([
    ['within limit_buy_time', 'purchase_too_soon', { limit_buy_time: 10 }, {}],
    [
      'that are first trials',
      'tryout_used',
      { type: 'physical', subscription: { active: true, regular, tryout } },
      { type: 'subscription-tryout' },
    ],
  ])('%s one is reopened, and the others are refused with %s', async (_, code, product, fields) => {
    const { fixture } = opened;
    const { ids, user_id } = await cancelledOrders(callers, product, fields);
    const replies = await behindLock(fixture.store, lock, ids.map(reopen));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = replies.filter(({ status, body }) => status === 409 && body.code === code);
    expect(refused).toHaveLength(callers - 1);
    const { body } = await fixture.api.get(`/orders?user_id=${user_id}&status=on-hold`);
    expect(body.data).toHaveLength(1);
  });

  long('control: a check before the write reopens more than one', async () => {
    const { fixture } = opened;
    const { ids, user_id } = await cancelledOrders(callers, {});
    const broken = (id: number) =>
      transaction(fixture.store, async (client) => {
        const live = `select from orders where user_id = $1 and status <> 'cancelled'`;
        const { rowCount } = await client.query(live, [user_id]);
        if (rowCount) return false;
        await client.query(`update orders set status = 'on-hold' where id = $1`, [id]);
        return true;
      });
    const reopened = await behindLock(fixture.store, lock, ids.map(broken));
    expect(reopened.filter(Boolean).length).toBeGreaterThan(1);
  });
});

describe('Of the reopening of an order and the deletion of its product', () => {
  const remove = (id: number) => () => opened.fixture.api.delete(`/products/${id}`);
  const lockOf = (id: number) => `select from products where id = ${id} for update`;

  long('at once, one succeeds, and the other is refused', async () => {
    const { fixture } = opened;
    for (const first of ['reopening', 'deletion', 'reopening', 'deletion']) {
      const { product_id, ids } = await cancelledOrders(1, {});
      const [id = 0] = ids;
      const callers = [reopen(id), remove(product_id)];
      const ordered = first === 'reopening' ? callers : callers.toReversed();
      const replies = await behindLock(fixture.store, lockOf(product_id), ordered);
      const [reopened, removed] = first === 'reopening' ? replies : replies.toReversed();
      const { status } = await fixture.order(id);
      if (status === 'on-hold') {
        expect(reopened).toMatchObject({ status: 200 });
        expect(removed).toMatchObject({ status: 409, body: { code: 'product_has_open_orders' } });
      } else {
        expect(status).toBe('cancelled');
        expect(reopened).toMatchObject({ status: 409, body: { code: 'rest_invalid_transition' } });
        expect(removed).toMatchObject({ status: 200 });
      }
    }
  });

  long(
    'a reopening that was decided before the deletion and written after it is refused',
    async () => {
      const { fixture } = opened;
      const { product_id, ids } = await cancelledOrders(1, {});
      const [id = 0] = ids;
      const held = fixture.store.neon.faults.next({ statement: 'svc_trip_', hold: true });
      const reopening = reopen(id)();
      await held.reached;
      expect((await remove(product_id)()).status).toBe(200);
      held.release();
      expect(await reopening).toMatchObject({
        status: 409,
        body: { code: 'rest_invalid_transition' },
      });
      expect((await fixture.order(id)).status).toBe('cancelled');
    },
  );

  long('control: a check of the product before the write lets both succeed', async () => {
    const { fixture } = opened;
    const { product_id, ids } = await cancelledOrders(1, {});
    const [id = 0] = ids;
    const broken = transaction(fixture.store, async (client) => {
      const present = `select from products where id = ${product_id} and deleted_at is null`;
      if ((await client.query(present)).rowCount !== 1) return false;
      expect((await remove(product_id)()).status).toBe(200);
      await client.query(`update orders set status = 'on-hold' where id = ${id}`);
      return true;
    });
    expect(await broken()).toBe(true);
    expect((await fixture.order(id)).status).toBe('on-hold');
  });
});
