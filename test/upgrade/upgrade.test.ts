import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrateDatabase } from '../../src/cli/migrations/migrate.ts';
import { runBareWorkerd } from '../../src/local/worker/index.ts';
import { expectIntegrity } from '../harness/integrity.ts';
import { Shop } from '../harness/shop.ts';
import { type Store, baseUrl } from '../harness/store.ts';
import { shopManagerId } from '../../src/schema/staff.ts';
import { oldWorker, openOldStore } from './old-store.ts';

let store: Store;

const api = '/api/svc/v1';

/** An answer of the first version. */
interface Reply {
  readonly status: number;
  readonly body: { readonly data: { readonly id: number } };
}

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
let unmigrated: number[];

/** The answers to reads of this version, one after another. */
async function statusesOf(...paths: string[]): Promise<number[]> {
  const { token } = await store.createKey();
  const statuses: number[] = [];
  for (const path of paths) {
    const headers = { authorization: `Bearer ${token}` };
    statuses.push((await store.fetch(new Request(new URL(path, baseUrl), { headers }))).status);
  }
  return statuses;
}

beforeAll(async () => {
  store = await openOldStore();
  unmigrated = await statusesOf('/readyz', `${api}/orders`, `${api}/overview`, `${api}/status`);
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
  test('answers this version with 503 until it is migrated', () => {
    expect(unmigrated).toEqual([503, 503, 503, 503]);
  });

  test('keeps its rows and totals when it is migrated', async () => {
    expect(await countRows()).toEqual(before);
    await expectIntegrity({ store });
  });

  test('gets the new text of functions that were created before they were fixed', async () => {
    const { rows } = await store.database.query(
      `select proname from pg_proc where prosrc like '%an older text%'`,
    );
    expect(rows).toEqual([]);
  });

  test('continues to sell', async () => {
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

describe('The worker of the first version, on the migrated store,', () => {
  let worker: Awaited<ReturnType<typeof runBareWorkerd>>;
  let call: (method: string, path: string, body?: object) => Promise<Reply>;

  beforeAll(async () => {
    worker = await runBareWorkerd({
      script: await oldWorker(),
      // The first version knows none of the later modules.
      bindings: { ...(await store.environment), MODULES: '' },
      neonUrl: store.neon.url,
      compatibilityDate: '2026-10-20',
      compatibilityFlags: ['global_fetch_strictly_public'],
    });
    const { token } = await store.createKey();
    call = async (method, path, body) => {
      const response = await fetch(`${worker.url}${api}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as Reply['body'] };
    };
  });

  afterAll(async () => {
    await worker.stop();
    await expectIntegrity({ store });
  });

  test('sells, refunds and lists', async () => {
    expect((await fetch(`${worker.url}/readyz`)).status).toBe(200);
    const product = await call('POST', '/products', { title: 'Course', price: 15_000 });
    const user = await call('POST', '/users', { email: 'old-worker@x.example' });
    const order = await call('POST', '/orders', {
      product_id: product.body.data.id,
      user_id: user.body.data.id,
    });
    expect(order.status, JSON.stringify(order.body)).toBe(201);
    const { id } = order.body.data;
    expect((await call('PATCH', `/orders/${id}`, { status: 'completed' })).status).toBe(200);
    expect((await call('POST', `/orders/${id}/refunds`, { amount: 5000 })).status).toBe(201);
    for (const list of [
      'orders',
      'products',
      'users',
      'licenses',
      'payouts',
      'webhooks',
      'coupons',
    ])
      expect((await call('GET', `/${list}`)).status, list).toBe(200);
    expect((await call('GET', '/overview')).status).toBe(200);
  });

  test('leaves no parts of a bank account that it replaced, and none of a person it erased', async () => {
    const shop = await Shop.open(store);
    const account = { bank_code: '014', bank_name: 'BCA', number: '5550001', holder: 'Sari' };
    const moved = await shop.newUser({ email: 'moved@x.example', bank_account: account });
    const gone = await shop.newUser({ email: 'gone@x.example', bank_account: account });
    const same = await shop.newUser({ email: 'same@x.example', bank_account: account });
    const update = { bank_info: 'Mandiri 777 a.n. Sari' };
    expect((await call('PATCH', `/users/${moved.id}`, update)).status).toBe(200);
    expect((await call('PATCH', `/users/${same.id}`, { phone: '0812345678' })).status).toBe(200);
    expect((await call('DELETE', `/users/${gone.id}?force=true`)).status).toBe(200);
    const after = await shop.user(moved.id);
    expect(after).toMatchObject({ ...update, bank_account: null });
    expect(after.bank_changed_at).toBe(after.updated_at);
    expect((await shop.user(same.id)).bank_account).toEqual(account);
    const { rows } = await store.database.query('select bank_account from users where id = $1', [
      gone.id,
    ]);
    expect(rows).toEqual([{ bank_account: null }]);
  });

  test('gives and removes the console role of a shop manager', async () => {
    const shop = await Shop.open(store);
    const before = await shop.newUser({ email: 'former@x.example' });
    await store.database.query('update users set roles = $2, staff_role_id = $3 where id = $1', [
      before.id,
      ['affiliate', 'shop-manager'],
      shopManagerId,
    ]);
    const other = await shop.newUser({ email: 'manager@x.example' });
    const of = (roles: string[]) => ({ roles });
    expect((await call('PATCH', `/users/${before.id}`, of(['affiliate']))).status).toBe(200);
    expect((await call('PATCH', `/users/${other.id}`, of(['shop-manager']))).status).toBe(200);
    expect((await shop.user(before.id)).staff_role_id).toBeNull();
    expect((await shop.user(other.id)).staff_role_id).toBe(shopManagerId);
  });

  test('refunds and pays commissions of a draft payout run, which leave the draft', async () => {
    const shop = await Shop.open(store);
    const affiliate = {
      enabled: true,
      hold_days: 0,
      tiers: [{ tier: 1, fee: 20, type: 'percentage' }],
    };
    const product = await shop.newProduct({ price: 100_000, affiliate });
    const seller = await shop.newAffiliate({ email: 'drafted@x.example', bank_info: 'BCA 42' });
    const sold = { product_id: product.id, affiliate_id: seller.id };
    const newSale = async (email: string) => {
      const { id: user_id } = await shop.newUser({ email });
      const { id } = await shop.newOrder({ ...sold, user_id });
      await shop.api.patch(`/orders/${id}`, { status: 'completed' });
      return id;
    };
    const refunded = await newSale('refunded@x.example');
    await newSale('kept@x.example');
    const run = await shop.api.post('/payout-runs', { affiliates: [seller.id] });
    expect(run.body.data.totals).toMatchObject({ commissions: 2, amount: 40_000 });
    expect((await call('POST', `/orders/${refunded}/refunds`, {})).status).toBe(201);
    const now = await shop.api.get(`/payout-runs/${run.body.data.id}`);
    expect(now.body.data.totals).toMatchObject({ commissions: 1, amount: 20_000 });
    expect(now.body.data.version).toBeGreaterThan(run.body.data.version);
    const payout = { affiliate_id: seller.id, method: 'BCA', reference: 'T-1' };
    const paid = await call('POST', '/payouts', payout);
    expect(paid.status, JSON.stringify(paid.body)).toBe(201);
    const confirmed = await shop.api.post(`/payout-runs/${run.body.data.id}/confirm`);
    expect(confirmed.body.code).toBe('nothing_payable');
  });
});
