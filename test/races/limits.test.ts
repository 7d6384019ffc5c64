import type { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { crowdOf, long } from '../harness/long.ts';
import type { Reply } from '../harness/client.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';
import { behindLock, times, transaction } from './queue.ts';

const opened = useStoreFixture();

const having = (replies: readonly Reply[], status: number) =>
  replies.filter((reply) => reply.status === status);

const crowd = crowdOf(60);

describe(`Of ${crowd} callers queued behind a locked counter with 3 units left`, () => {
  const callers = crowd;
  const limit = 3;
  const lockOf = (product_id: number) =>
    `select from product_stock where product_id = ${product_id} for update`;

  test('exactly 3 get an order, and the others are refused as out of stock', async () => {
    const { fixture } = opened;
    const { id: product_id } = await fixture.newProduct({ stock: limit });
    const { id: user_id } = await fixture.newUser();
    const order = () => fixture.api.post('/orders', { product_id, user_id });
    const replies = await behindLock(fixture.store, lockOf(product_id), times(callers, order));
    expect(having(replies, 201)).toHaveLength(limit);
    const refused = having(replies, 409).filter(({ body }) => body.code === 'out_of_stock');
    expect(refused).toHaveLength(callers - limit);
    expect((await fixture.product(product_id)).stock).toBe(0);
    const { body } = await fixture.api.get(`/orders?product_id=${product_id}`);
    expect(body.meta.pagination.total).toBe(limit);
  });

  test('exactly 3 get an order when options are counted beside the product', async () => {
    const { fixture } = opened;
    const options = [{ id: 'small', label: 'Small', stock: limit }];
    const variants = [{ id: 'size', label: 'Size', options }];
    const { id: product_id } = await fixture.newProduct({ stock: 1000, variants });
    const { id: user_id } = await fixture.newUser();
    const order = () => fixture.api.post('/orders', { product_id, user_id, variants: ['small'] });
    const replies = await behindLock(fixture.store, lockOf(product_id), times(20, order));
    expect(having(replies, 201)).toHaveLength(limit);
    const product = await fixture.product(product_id);
    expect(product.stock).toBe(1000 - limit);
    expect(product.variants[0]?.options[0]?.stock).toBe(0);
  });

  /** Counts the callers who get a unit in a way that is known to be wrong. */
  async function soldBy(sell: (client: Client, product_id: number) => Promise<boolean>) {
    const { fixture } = opened;
    const { id } = await fixture.newProduct({ stock: limit });
    const caller = transaction(fixture.store, (client) => sell(client, id));
    const sold = await behindLock(fixture.store, lockOf(id), times(callers, caller));
    return sold.filter(Boolean).length;
  }

  long('control: a check before the write lets more than 3 through', async () => {
    const sold = await soldBy(async (client, product_id) => {
      const { rows } = await client.query<{ units: string }>(
        'select units from product_stock where product_id = $1',
        [product_id],
      );
      const units = Number(rows[0]?.units);
      if (units < 1) return false;
      const left = [units - 1, product_id];
      await client.query('update product_stock set units = $1 where product_id = $2', left);
      return true;
    });
    expect(sold).toBeGreaterThan(limit);
  });

  long('control: a count in the guarding statement lets more than 3 through', async () => {
    await opened.fixture.store.database.query('create table sold (product_id bigint)');
    const sold = await soldBy(async (client, product_id) => {
      const { rowCount } = await client.query(
        `with held as (select from product_stock where product_id = $1 for update)
         insert into sold select $1 from held
          where (select count(*) from sold where product_id = $1) < ${limit}`,
        [product_id],
      );
      return rowCount === 1;
    });
    expect(sold).toBeGreaterThan(limit);
  });
});

describe('Of 20 parallel orders of one user within limit_buy_time', () => {
  const callers = 20;
  const lock = 'lock table orders in share mode';

  async function arrange() {
    const { fixture } = opened;
    const product = await fixture.newProduct({ limit_buy_time: 10 });
    const user = await fixture.newUser();
    return { product_id: product.id, user_id: user.id };
  }

  test('exactly one is placed, and the others are refused as too soon', async () => {
    const { fixture } = opened;
    const purchase = await arrange();
    const order = () => fixture.api.post('/orders', purchase);
    const replies = await behindLock(fixture.store, lock, times(callers, order));
    expect(having(replies, 201)).toHaveLength(1);
    const refused = having(replies, 409).filter(({ body }) => body.code === 'purchase_too_soon');
    expect(refused).toHaveLength(callers - 1);
    const { body } = await fixture.api.get(`/orders?user_id=${purchase.user_id}`);
    expect(body.data).toHaveLength(1);
  });

  long('control: a check before the write places more than one', async () => {
    const { fixture } = opened;
    const { product_id, user_id } = await arrange();
    const ids = [product_id, user_id];
    const order = transaction(fixture.store, async (client) => {
      const { rowCount } = await client.query(
        'select from orders where product_id = $1 and user_id = $2',
        ids,
      );
      if (rowCount) return false;
      await client.query(
        `insert into orders (number, product_id, user_id, quantity, status, payment_gateway,
                               currency, created_at, updated_at)
           values (gen_random_uuid(), $1, $2, 1, 'on-hold', 'manual', 'USD', now(), now())`,
        ids,
      );
      return true;
    });
    const placed = await behindLock(fixture.store, lock, times(callers, order));
    expect(placed.filter(Boolean).length).toBeGreaterThan(1);
  });
});

describe('Of 20 callers queued behind a lock with 3 places left', () => {
  const lockOf = (name: string) => `select pg_advisory_xact_lock(hashtext('${name}'))`;

  test('exactly 3 create a webhook, and the others are refused because of the limit', async () => {
    const { store } = opened.fixture;
    const api = await store.key();
    const create = () =>
      api.post('/webhooks', { url: 'http://127.0.0.1:1/', events: ['user.deleted'] });
    for (let made = 0; made < 47; made++) expect((await create()).status).toBe(201);
    const replies = await behindLock(store, lockOf('webhooks'), times(20, create));
    expect(having(replies, 201)).toHaveLength(3);
    expect(having(replies, 409).filter(({ body }) => body.code === 'webhook_limit')).toHaveLength(
      17,
    );
    const { body } = await api.get('/webhooks');
    expect(body.meta.pagination.total).toBe(50);
    await api.delete(`/webhooks/${body.data[0].id}`);
    expect((await create()).status).toBe(201);
  });

  long('control: a count before the insert lets more than 3 through', async () => {
    const { store } = opened.fixture;
    await store.database.query('create table places (id int)');
    const broken = transaction(store, async (client) => {
      const { rows } = await client.query<{ total: string }>(
        'select count(*) as total from places',
      );
      if (Number(rows[0]?.total) >= 3) return false;
      await client.query('insert into places values (1)');
      return true;
    });
    const made = await behindLock(
      store,
      'lock table places in access exclusive mode',
      times(20, broken),
    );
    expect(made.filter(Boolean).length).toBeGreaterThan(3);
  });
});
