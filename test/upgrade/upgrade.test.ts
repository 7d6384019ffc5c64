import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrateDatabase } from '../../src/cli/migrations/migrate.ts';
import { runBareWorkerd } from '../../src/local/worker/index.ts';
import { expectIntegrity } from '../harness/integrity.ts';
import { Shop } from '../harness/shop.ts';
import type { Store } from '../harness/store.ts';
import { oldWorker, openOldStore } from './old-store.ts';

let store: Store;

/** Counts the rows of the tables that hold what people entered and what followed from it. */
async function countRows(): Promise<Record<string, string>> {
  const { rows } = await store.database.query<Record<string, string>>(
    `select (select count(*) from users) users, (select count(*) from orders) orders,
            (select sum(grand_total) from orders) revenue, (select count(*) from commissions) commissions,
            (select sum(commission) from commissions) earned, (select count(*) from licenses) licenses,
            (select count(*) from payouts) payouts, (select count(*) from outbox) events,
            (select count(*) from access_grants) grants, (select count(*) from refunds) refunds`,
  );
  return rows[0] ?? {};
}

let before: Record<string, string>;

beforeAll(async () => {
  store = await openOldStore();
  before = await countRows();
  // A fault that the first version mended in its file and not in stores that were there.
  await store.database.query(
    `create or replace function svc_note_key_use(p_uses jsonb, p_refusals jsonb, p_key bigint, p_now timestamptz)
       returns void language plpgsql as $$ begin raise exception 'an older text'; end $$;
     create or replace function svc_count_product() returns trigger
       language plpgsql as $$ begin raise exception 'an older text'; end $$`,
  );
  await migrateDatabase(store.databaseUrl);
  store.clock.set(new Date().toISOString());
});

afterAll(() => store.close());

describe('A store of the first version', () => {
  test('keeps its rows and totals when it is migrated', async () => {
    expect(await countRows()).toEqual(before);
    await expectIntegrity({ store });
  });

  test('gets the text of functions that were made before they were mended', async () => {
    const { rows } = await store.database.query(
      `select proname from pg_proc where prosrc like '%an older text%'`,
    );
    expect(rows).toEqual([]);
  });

  test('goes on selling', async () => {
    const shop = await Shop.open(store);
    const orders = await shop.api.get('/orders?per_page=100');
    expect(orders.body.meta.pagination.total).toBeGreaterThan(60);
    const { id: product_id } = await shop.newProduct();
    const order = await shop.newOrder({ product_id });
    await shop.api.patch(`/orders/${order.id}`, { status: 'completed' });
    expect((await shop.api.get(`/orders/${order.id}`)).body.data.status).toBe('completed');
    await expectIntegrity({ store });
  });

  test('is migrated again without any change', async () => {
    const says: string[] = [];
    await migrateDatabase(store.databaseUrl, (line) => says.push(line));
    expect(says).toEqual([]);
  });
});

test('The worker of the first version sells, refunds and lists on the migrated store', async () => {
  const worker = await runBareWorkerd({
    script: await oldWorker(),
    // The first version knows none of the later modules.
    bindings: { ...(await store.environment), MODULES: '' },
    neonUrl: store.neon.url,
    compatibilityDate: '2026-10-20',
    compatibilityFlags: ['global_fetch_strictly_public'],
  });
  try {
    const { token } = await store.createKey();
    const call = async (method: string, path: string, body?: object) => {
      const response = await fetch(`${worker.url}/api/svc/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as { data: { id: number } } };
    };
    const api = {
      get: (path: string) => call('GET', path),
      post: (path: string, body: object) => call('POST', path, body),
      patch: (path: string, body: object) => call('PATCH', path, body),
    };
    expect((await fetch(`${worker.url}/readyz`)).status).toBe(200);
    const product = await api.post('/products', { title: 'Course', price: 15_000 });
    const user = await api.post('/users', { email: 'old-worker@x.example' });
    const order = await api.post('/orders', {
      product_id: product.body.data.id,
      user_id: user.body.data.id,
    });
    expect(order.status, JSON.stringify(order.body)).toBe(201);
    const { id } = order.body.data;
    expect((await api.patch(`/orders/${id}`, { status: 'completed' })).status).toBe(200);
    expect((await api.post(`/orders/${id}/refunds`, { amount: 5000 })).status).toBe(201);
    for (const list of [
      'orders',
      'products',
      'users',
      'licenses',
      'payouts',
      'webhooks',
      'coupons',
    ])
      expect((await api.get(`/${list}`)).status, list).toBe(200);
    expect((await api.get('/overview')).status).toBe(200);
  } finally {
    await worker.stop();
  }
  await expectIntegrity({ store });
});
