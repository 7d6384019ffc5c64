import { describe, expect, test } from 'vitest';
import { long } from '../harness/long.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';
import { behindLock, transaction, untilWaiting } from './queue.ts';

const opened = useStoreFixture();

const lockOf = (id: number) => `select from products where id = ${id} for update`;

/** Returns the number of a product's live orders, and if it is deleted. */
async function outcome(id: number) {
  const { rows } = await opened.fixture.store.database.query<{ orders: number; deleted: boolean }>(
    `select (select count(*)::int from orders where product_id = p.id) as orders,
            p.deleted_at is not null as deleted
       from products p where p.id = $1`,
    [id],
  );
  return rows[0];
}

describe('Of an order and the deletion of its product at once', () => {
  test('one succeeds, and the other is refused', async () => {
    const { fixture } = opened;
    const { id: user_id } = await fixture.newUser();
    for (const first of ['order', 'deletion', 'order', 'deletion']) {
      const { id: product_id } = await fixture.newProduct();
      const order = () => fixture.api.post('/orders', { product_id, user_id });
      const remove = () => fixture.api.delete(`/products/${product_id}`);
      const callers = first === 'order' ? [order, remove] : [remove, order];
      const replies = await behindLock(fixture.store, lockOf(product_id), callers);
      const [ordered, removed] = first === 'order' ? replies : replies.toReversed();
      const after = await outcome(product_id);
      if (after?.deleted) {
        expect(after.orders).toBe(0);
        expect(ordered).toMatchObject({
          status: 404,
          body: { code: 'rest_not_found', data: { params: { product_id: 'unknown id' } } },
        });
        expect(removed).toMatchObject({ status: 200 });
      } else {
        expect(after?.orders).toBe(1);
        expect(ordered).toMatchObject({ status: 201 });
        expect(removed).toMatchObject({ status: 409, body: { code: 'product_has_open_orders' } });
      }
    }
  });

  long('the deletion waits for an order that is being placed', async () => {
    const { fixture } = opened;
    const { id: user_id } = await fixture.newUser();
    const { id: product_id } = await fixture.newProduct();
    const statement = 'insert into "orders"';
    const held = fixture.store.neon.faults.next({ statement, hold: true });
    const order = fixture.api.post('/orders', { product_id, user_id });
    await held.reached;
    const deletion = fixture.api.delete(`/products/${product_id}`);
    await untilWaiting(fixture.store, 1);
    // Another order of the product waits for neither.
    const { id } = await fixture.newOrder({ product_id });
    await fixture.api.patch(`/orders/${id}`, { status: 'cancelled' });
    held.release();
    expect((await order).status).toBe(201);
    expect((await deletion).body.code).toBe('product_has_open_orders');
  });

  long('control: a check before the write lets both succeed', async () => {
    const { fixture } = opened;
    const { id: product_id } = await fixture.newProduct();
    const { id: user_id } = await fixture.newUser();
    const order = transaction(fixture.store, async (client) => {
      const { rowCount } = await client.query(
        'select from products where id = $1 and deleted_at is null',
        [product_id],
      );
      if (rowCount !== 1) return false;
      await client.query(
        `insert into orders (number, product_id, user_id, quantity, status, payment_gateway,
                             currency, created_at, updated_at)
         values (gen_random_uuid(), $1, $2, 1, 'on-hold', 'manual', 'USD', now(), now())`,
        [product_id, user_id],
      );
      return true;
    });
    const remove = transaction(fixture.store, async (client) => {
      const { rowCount } = await client.query('select from orders where product_id = $1', [
        product_id,
      ]);
      if (rowCount) return false;
      await client.query(
        `update products set deleted_at = now(), slug = slug || '~' where id = $1`,
        [product_id],
      );
      return true;
    });
    const both = await behindLock(fixture.store, lockOf(product_id), [order, remove]);
    expect(both).toEqual([true, true]);
    expect(await outcome(product_id)).toEqual({ orders: 1, deleted: true });
  });
});
