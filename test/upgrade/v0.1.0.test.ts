import { afterAll, beforeAll, describe, expect } from 'vitest';
import { migrateDatabase } from '../../src/cli/migrations/migrate.ts';
import { long } from '../harness/long.ts';
import { expectIntegrity } from '../harness/integrity.ts';
import { StoreFixture } from '../harness/store-fixture.ts';
import type { Store } from '../harness/store.ts';
import { type OldWorker, openOldStore, runOldWorker } from './old-store.ts';
import { affiliate, newSale, newSuspect, payoutTo } from './sales.ts';

let store: Store;
let fixture: StoreFixture;
let before: unknown;

/** Everything that a person entered or earned, except for what the migration adds. */
async function totals(): Promise<unknown> {
  const { rows } = await store.database.query(
    `select (select count(*) from users) users, (select sum(grand_total) from orders) revenue,
            (select jsonb_agg(jsonb_build_array(id, status, commission, paid_at, payout_id, held) order by id)
               from commissions) commissions,
            (select jsonb_agg(jsonb_build_array(id, status, kind, affiliate_id) order by id) from risks) risks,
            (select jsonb_agg(jsonb_build_array(id, status, amount) order by id) from payout_lines) lines,
            (select jsonb_agg(jsonb_build_array(id, status, end_date) order by id) from subscriptions) subscriptions,
            (select count(*) from licenses) licenses, (select count(*) from outbox) events,
            (select count(*) from access_grants) grants, (select sum(amount) from refunds) refunds`,
  );
  return rows[0];
}

beforeAll(async () => {
  store = await openOldStore('v0.1.0');
  before = await totals();
  await migrateDatabase(store.databaseUrl);
  store.clock.set(new Date().toISOString());
  fixture = await StoreFixture.open(store);
});

afterAll(() => store.close());

long('A store of version 0.1.0 keeps its rows and totals when it is migrated', async () => {
  expect(await totals()).toEqual(before);
  await expectIntegrity({ store });
});

describe('The worker of version 0.1.0, on the migrated store,', () => {
  let worker: OldWorker;

  beforeAll(async () => {
    worker = await runOldWorker(store, 'v0.1.0', 'shop');
  });

  afterAll(() => worker.stop());

  /** Calls the old worker, and returns the record of its answer. */
  async function old(method: string, path: string, body?: object, status = 200) {
    const reply = await worker.call(method, path, body);
    expect(reply.status, JSON.stringify(reply.body)).toBe(status);
    await expectIntegrity({ store });
    return reply.body.data;
  }

  long('sells, refunds and lists', async () => {
    expect((await fetch(`${worker.url}/readyz`)).status).toBe(200);
    const product = await old(
      'POST',
      '/products',
      { title: 'Course', price: 15_000, affiliate },
      201,
    );
    const user = await old('POST', '/users', { email: 'old-worker@x.example' }, 201);
    const sold = { product_id: product.id, user_id: user.id };
    const order = await old('POST', '/orders', sold, 201);
    await old('PATCH', `/orders/${order.id}`, { status: 'completed' });
    await old('POST', `/orders/${order.id}/refunds`, { amount: 5000 }, 201);
    for (const list of ['orders', 'products', 'users', 'licenses', 'payouts', 'webhooks', 'risks'])
      await old('GET', `/${list}`);
    for (const read of ['coupons', 'commissions', 'subscriptions', 'overview', 'status'])
      await old('GET', `/${read}`);
  });

  long.each([
    ['clear', 201],
    ['confirm', 409],
  ])(
    'decides a risk with %s, refunds its order and pays with status %i',
    async (decision, paid) => {
      const { risk, order, seller } = await newSuspect(fixture, `decided-${decision}`);
      await old('POST', risk, { decision });
      await old('POST', `/orders/${order}/refunds`, { amount: 50_000 }, 201);
      await old('POST', '/payouts', payoutTo(seller), paid);
    },
  );

  long(
    'takes back a paid commission by a confirmed risk, and clears it after a refund',
    async () => {
      const { risk, order, seller } = await newSuspect(fixture, 'taken-back');
      await old('POST', risk, { decision: 'clear' });
      await old('POST', '/payouts', payoutTo(seller), 201);
      await old('POST', risk, { decision: 'confirm' });
      await old('POST', `/orders/${order}/refunds`, { amount: 50_000 }, 201);
      await old('POST', risk, { decision: 'clear' });
    },
  );

  long.each(['open', 'confirm'])(
    'counts an order whose risk is decided with %s for another affiliate, who earns less after a refund',
    async (decision) => {
      const { risk, order, rows } = await newSuspect(fixture, `former-${decision}`);
      if (decision !== 'open') await fixture.api.post(risk, { decision });
      const { id } = await fixture.newAffiliate({ email: `${decision}@later.example` });
      await old('PATCH', `/orders/${order}`, { affiliate_id: id });
      await fixture.api.post(`/orders/${order}/refunds`, { amount: 50_000 });
      const own = (await rows()).filter((row: { affiliate_id: number }) => row.affiliate_id === id);
      expect(own.map((row: { commission: number }) => row.commission)).toEqual([-10_000, 20_000]);
      await expectIntegrity({ store });
    },
  );

  long('reopens, completes and cancels an order with an open risk', async () => {
    const { order } = await newSuspect(fixture, 'reopened');
    for (const status of ['in-progress', 'on-hold', 'completed', 'in-progress', 'cancelled'])
      await old('PATCH', `/orders/${order}`, { status });
  });

  long('cancels a held commission by hand, and adds it again', async () => {
    const { rows } = await newSuspect(fixture, 'by-hand');
    const [{ id }] = await rows();
    for (const status of ['cancelled', 'added'])
      await old('PATCH', `/commissions/${id}`, { status });
  });

  long(
    'refunds an order of a draft payout run, confirms the run and cancels its payout',
    async () => {
      const seller = await fixture.newAffiliate({
        email: 'run@sellers.example',
        bank_info: 'BCA 42',
      });
      const refunded = await newSale(fixture, seller, { email: 'run-refunded@x.example' });
      await newSale(fixture, seller, { email: 'run-kept@x.example' });
      const run = await old('POST', '/payout-runs', { affiliates: [seller.id] }, 201);
      await old('POST', `/orders/${refunded.id}/refunds`, {}, 201);
      const now = await fixture.api.get(`/payout-runs/${run.id}`);
      expect(now.body.data.totals).toMatchObject({ commissions: 1, amount: 20_000 });
      const { lines } = await old('POST', `/payout-runs/${run.id}/confirm`);
      await old('POST', `/payouts/${lines[0].id}/cancel`);
    },
  );

  long('completes the instalments of a plan, which then has no end', async () => {
    const { id: product_id } = await fixture.newProduct({
      price: 60_000,
      payment_type: 'recurring',
      subscription: { active: true, payments: 3, after: 'keep', grace_days: 5 },
    });
    const { id: user_id } = await fixture.newUser({ email: 'instalments@x.example' });
    const bought = { product_id, user_id };
    const first = await old('POST', '/orders', { ...bought, status: 'completed' }, 201);
    const renewal = { ...bought, order_parent_id: first.id };
    for (const order of [
      await old('POST', '/orders', renewal, 201),
      (await fixture.api.post('/orders', renewal)).body.data,
    ])
      await old('PATCH', `/orders/${order.id}`, { status: 'completed' });
    const { body } = await fixture.api.get(`/subscriptions?user_id=${user_id}`);
    expect(body.data[0]).toMatchObject({ paid: 3, end_date: null });
  });

  long('sets a group by hand, which stays from the next migration on after a refund', async () => {
    const newGroup = async (name: string, priority: number) =>
      (await old('POST', '/user-groups', { name, priority }, 201)).id;
    const [member, reseller] = [await newGroup('Member', 1), await newGroup('Reseller', 2)];
    const vip = await newGroup('VIP', 3);
    const { id: user_id } = await fixture.newUser({ email: 'grouped@x.example' });
    const newOrder = async (update_group_to: number) => {
      const { id: product_id } = await fixture.newProduct({ group: { update_group_to } });
      return (await fixture.newOrder({ product_id, user_id })).id;
    };
    await old('PATCH', `/orders/${await newOrder(member)}`, { status: 'completed' });
    await old('POST', `/users/${user_id}/group`, { group_id: reseller });
    await migrateDatabase(store.databaseUrl);
    const order = await newOrder(vip);
    await fixture.api.patch(`/orders/${order}`, { status: 'completed' });
    expect((await fixture.user(user_id)).group_id).toBe(vip);
    await fixture.api.post(`/orders/${order}/refunds`, {});
    expect((await fixture.user(user_id)).group_id).toBe(reseller);
  });

  long('revokes access by hand during a pause, which stays revoked after the pause', async () => {
    const { id: product_id } = await fixture.newProduct({
      price: 60_000,
      payment_type: 'recurring',
      subscription: { active: true, regular: { duration: 1, period: 'monthly', price: 60_000 } },
    });
    const { id: user_id } = await fixture.newUser({ email: 'revoked@x.example' });
    await old('POST', '/orders', { product_id, user_id, status: 'completed' }, 201);
    const [{ id }] = await old('GET', `/subscriptions?user_id=${user_id}`);
    await old('POST', `/subscriptions/${id}/pause`, {});
    const [grant] = await old('GET', `/access?user_id=${user_id}`);
    await old('DELETE', `/access/${grant.id}`);
    await fixture.api.post(`/subscriptions/${id}/resume`, {});
    const check = `/access/check?user_id=${user_id}&product_id=${product_id}`;
    expect((await fixture.api.get(check)).body.reason).toBe('revoked');
    await expectIntegrity({ store });
  });

  long('erases the buyer of a suspected order', async () => {
    const { user_id } = await newSuspect(fixture, 'erased');
    await old('DELETE', `/users/${user_id}?force=true`);
    const { rows } = await store.database.query('select email from users where id = $1', [user_id]);
    expect(JSON.stringify(rows)).not.toContain('erased@x.example');
  });

  long('counts a click, whose affiliate an order of the new version finds', async () => {
    const seller = await fixture.newAffiliate({ email: 'clicked@sellers.example' });
    const { id: product_id } = await fixture.newProduct({ price: 100_000, affiliate });
    const headers = { 'user-agent': 'Mozilla/5.0' };
    const link = `${worker.url}/aff/${seller.id}/${product_id}/checkout`;
    const click = await fetch(link, { redirect: 'manual', headers });
    const ref = new URL(click.headers.get('location') ?? '', worker.url).searchParams.get('ref');
    const { id: user_id } = await fixture.newUser();
    const order = await fixture.api.post('/orders', { product_id, user_id, ref });
    expect(order.body.data.affiliate_id).toBe(seller.id);
    await old('PATCH', `/orders/${order.body.data.id}`, { status: 'completed' });
  });
});
