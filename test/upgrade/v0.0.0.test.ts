import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrateDatabase } from '../../src/cli/migrations/migrate.ts';
import { expectIntegrity } from '../harness/integrity.ts';
import { StoreFixture } from '../harness/store-fixture.ts';
import { type Store, baseUrl } from '../harness/store.ts';
import { shopManagerId } from '../../src/schema/staff.ts';
import { type OldWorker, openOldStore, runOldWorker } from './old-store.ts';
import { newSale, newSuspect, payoutTo } from './sales.ts';

let store: Store;

const api = '/api/svc/v1';

/** Counts the rows of the tables with entered data and their consequences. */
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

/** The statuses of reads by this version, one after another. */
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
  store = await openOldStore('v0.0.0');
  unmigrated = await statusesOf('/readyz', `${api}/orders`, `${api}/overview`, `${api}/status`);
  before = await countRows();
  // A fault that the first version fixed in its file, but not in existing stores.
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
    const fixture = await StoreFixture.open(store);
    const orders = await fixture.api.get('/orders?per_page=100');
    expect(orders.body.meta.pagination.total).toBeGreaterThan(60);
    const { id: product_id } = await fixture.newProduct();
    const order = await fixture.newOrder({ product_id });
    await fixture.api.patch(`/orders/${order.id}`, { status: 'completed' });
    expect((await fixture.api.get(`/orders/${order.id}`)).body.data.status).toBe('completed');
    await expectIntegrity({ store });
  });

  test('is migrated again without any change', async () => {
    const says: string[] = [];
    await migrateDatabase(store.databaseUrl, (line) => says.push(line));
    expect(says).toEqual([]);
  });
});

describe('The worker of the first version, on the migrated store,', () => {
  let worker: OldWorker;
  let call: OldWorker['call'];

  beforeAll(async () => {
    // The first version lacks the later modules.
    worker = await runOldWorker(store, 'v0.0.0');
    call = worker.call;
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

  test('removes the parts of a bank account when it replaces the account or erases the person', async () => {
    const fixture = await StoreFixture.open(store);
    const account = { bank_code: '014', bank_name: 'BCA', number: '5550001', holder: 'Sari' };
    const moved = await fixture.newUser({ email: 'moved@x.example', bank_account: account });
    const gone = await fixture.newUser({ email: 'gone@x.example', bank_account: account });
    const same = await fixture.newUser({ email: 'same@x.example', bank_account: account });
    const update = { bank_info: 'Mandiri 777 a.n. Sari' };
    expect((await call('PATCH', `/users/${moved.id}`, update)).status).toBe(200);
    expect((await call('PATCH', `/users/${same.id}`, { phone: '0812345678' })).status).toBe(200);
    expect((await call('DELETE', `/users/${gone.id}?force=true`)).status).toBe(200);
    const after = await fixture.user(moved.id);
    expect(after).toMatchObject({ ...update, bank_account: null });
    expect(after.bank_changed_at).toBe(after.updated_at);
    expect((await fixture.user(same.id)).bank_account).toEqual(account);
    const { rows } = await store.database.query('select bank_account from users where id = $1', [
      gone.id,
    ]);
    expect(rows).toEqual([{ bank_account: null }]);
  });

  test('leaves no number that signs in of a person whose phone it changed, or whom it erased', async () => {
    const fixture = await StoreFixture.open(store);
    const moved = await fixture.newUser({ email: 'number@x.example', phone: '0812555001' });
    const same = await fixture.newUser({ email: 'same-number@x.example', phone: '0812555002' });
    const gone = await fixture.newUser({ email: 'gone-number@x.example', phone: '0812555003' });
    for (const { id } of [moved, same, gone])
      await store.database.query(
        `with phone as (insert into account_phones values ($1, $2, now()))
         insert into new_buyers values ($1, now())`,
        [id, `+62812555${id}`],
      );
    expect((await call('PATCH', `/users/${moved.id}`, { phone: '0812555009' })).status).toBe(200);
    expect((await call('PATCH', `/users/${same.id}`, { first_name: 'Sari' })).status).toBe(200);
    expect((await call('DELETE', `/users/${gone.id}?force=true`)).status).toBe(200);
    const kept = async (table: string) =>
      (await store.database.query(`select user_id from ${table} order by user_id`)).rows.map(
        ({ user_id }) => Number(user_id),
      );
    expect(await kept('account_phones')).toEqual([same.id]);
    expect(await kept('new_buyers')).toEqual([moved.id, same.id]);
  });

  test('erases what later versions keep of a person', async () => {
    const fixture = await StoreFixture.open(store);
    const product = await fixture.newProduct();
    const { id } = await fixture.newUser({ email: 'traces@x.example' });
    const { id: other } = await fixture.newUser({ email: 'no-traces@x.example' });
    const order = await fixture.newOrder({ product_id: product.id, user_id: id });
    const rows = [
      `account_links (prefix, hash, user_id, created_at, expires_at)
        values ('traces', 'WORD', ${id}, now(), now())`,
      `account_sessions (prefix, hash, user_id, created_at, expires_at)
        values ('traces', 'WORD', ${id}, now(), now())`,
      `purchase_forms (key, order_id, name, email, phone, network, created_at)
        values ('traces', ${order.id}, 'WORD', 'WORD', 'WORD', 'WORD', now())`,
      `payout_lines (run_id, affiliate_id, status, amount, account, reason)
        values (currval('payout_runs_id_seq'), ${id}, 'confirmed', 1, '{"text": "WORD"}', 'WORD')`,
      `risks (kind, affiliate_id, other_id, tier, status, note, created_at, updated_at)
        values ('velocity', ${id}, ${other}, 1, 'cleared', 'WORD', now(), now())`,
      `subscriptions (user_id, product_id, first_order_id, order_id, type, status, note, cancel_reason,
         created_at, updated_at)
        values (${id}, ${product.id}, ${order.id}, ${order.id}, 'regular', 'expired', 'WORD', 'WORD', now(), now())`,
    ];
    await store.database
      .query(`insert into payout_runs (status, currency, minimum, left_over, confirmed_at, created_at, updated_at)
      values ('confirmed', 'USD', 0, 0, now(), now(), now());
      ${rows.map((row) => `insert into ${row};`).join('')}`);
    expect((await call('DELETE', `/users/${id}?force=true`)).status).toBe(200);
    const { rows: found } = await store.database.query<{ text: string }>(
      `select schema_to_xml('public', false, true, '') as text`,
    );
    expect(found[0]?.text).not.toContain('WORD');
    await store.database.query(`delete from payout_lines where affiliate_id = ${id};
      delete from subscriptions where user_id = ${id}`);
  });

  test('gives and removes the console role of a shop manager', async () => {
    const fixture = await StoreFixture.open(store);
    const before = await fixture.newUser({ email: 'former@x.example' });
    await store.database.query('update users set roles = $2, staff_role_id = $3 where id = $1', [
      before.id,
      ['affiliate', 'shop-manager'],
      shopManagerId,
    ]);
    const other = await fixture.newUser({ email: 'manager@x.example' });
    const of = (roles: string[]) => ({ roles });
    expect((await call('PATCH', `/users/${before.id}`, of(['affiliate']))).status).toBe(200);
    expect((await call('PATCH', `/users/${other.id}`, of(['shop-manager']))).status).toBe(200);
    expect((await fixture.user(before.id)).staff_role_id).toBeNull();
    expect((await fixture.user(other.id)).staff_role_id).toBe(shopManagerId);
  });

  test('refunds and pays commissions of a draft payout run, which leave the draft', async () => {
    const fixture = await StoreFixture.open(store);
    const seller = await fixture.newAffiliate({ email: 'drafted@x.example', bank_info: 'BCA 42' });
    const { id: refunded } = await newSale(fixture, seller, { email: 'refunded@x.example' });
    await newSale(fixture, seller, { email: 'kept@x.example' });
    const run = await fixture.api.post('/payout-runs', { affiliates: [seller.id] });
    expect(run.body.data.totals).toMatchObject({ commissions: 2, amount: 40_000 });
    expect((await call('POST', `/orders/${refunded}/refunds`, {})).status).toBe(201);
    const now = await fixture.api.get(`/payout-runs/${run.body.data.id}`);
    expect(now.body.data.totals).toMatchObject({ commissions: 1, amount: 20_000 });
    expect(now.body.data.version).toBeGreaterThan(run.body.data.version);
    const paid = await call('POST', '/payouts', payoutTo(seller));
    expect(paid.status, JSON.stringify(paid.body)).toBe(201);
    const confirmed = await fixture.api.post(`/payout-runs/${run.body.data.id}/confirm`);
    expect(confirmed.body.code).toBe('nothing_payable');
  });

  test('adds an adjustment to the draft payout run that has the commission', async () => {
    const fixture = await StoreFixture.open(store);
    const seller = await fixture.newAffiliate({ email: 'joined@x.example', bank_info: 'BCA 8744' });
    const { id } = await newSale(fixture, seller, { email: 'partly@x.example' });
    const drafted = await fixture.api.post('/payout-runs', { affiliates: [seller.id] });
    const run = `/payout-runs/${drafted.body.data.id}`;
    expect((await call('POST', `/orders/${id}/refunds`, { amount: 50_000 })).status).toBe(201);
    const { totals, version } = (await fixture.api.get(run)).body.data;
    expect(totals).toMatchObject({ commissions: 2, amount: 10_000 });
    expect(version).toBeGreaterThan(drafted.body.data.version);
    await expectIntegrity({ store });
    const confirmed = await fixture.api.post(`${run}/confirm`);
    expect(confirmed.body.data.totals).toMatchObject({ amount: 10_000 });
  });

  test('returns a commission to the draft payout run that deducts its refund', async () => {
    const fixture = await StoreFixture.open(store);
    const seller = await fixture.newAffiliate({ email: 'back@x.example', bank_info: 'BCA 8745' });
    const { id } = await newSale(fixture, seller, { email: 'back-1@x.example' });
    const paid = await call('POST', '/payouts', payoutTo(seller));
    await fixture.api.post(`/orders/${id}/refunds`, { amount: 50_000 });
    await newSale(fixture, seller, { email: 'back-2@x.example' });
    const drafted = await fixture.api.post('/payout-runs', { affiliates: [seller.id] });
    const run = `/payout-runs/${drafted.body.data.id}`;
    expect(drafted.body.data.totals).toMatchObject({ commissions: 2, amount: 10_000 });
    expect((await call('POST', `/payouts/${paid.body.data.id}/cancel`)).status).toBe(200);
    const { totals } = (await fixture.api.get(run)).body.data;
    expect(totals).toMatchObject({ commissions: 3, amount: 30_000 });
    await expectIntegrity({ store });
  });

  test('is refused to pay commissions that an open risk holds', async () => {
    const { fixture, seller, risk, rows } = await newSuspect(
      await StoreFixture.open(store),
      'held',
    );
    const refused = { status: 409, body: { code: 'commission_not_payable' } };
    const all = payoutTo(seller);
    expect(await call('POST', '/payouts', all)).toMatchObject(refused);
    const [{ id }] = await rows();
    expect(await call('PATCH', `/commissions/${id}`, { paid_status: true })).toMatchObject(refused);
    await expectIntegrity({ store });
    await fixture.api.post(risk, { decision: 'clear' });
    expect((await call('POST', '/payouts', all)).status).toBe(201);
  });

  test('refunds an order with flags of later versions once docs/operating.md took them away', async () => {
    const { order, rows } = await newSuspect(await StoreFixture.open(store), 'flagged');
    const where = `where order_id = ${order}`;
    const { database } = store;
    await database.query(`update commissions set flags = '{shared-bank,same-bank}' ${where}`);
    const refund = () => call('POST', `/orders/${order}/refunds`, { amount: 10_000 });
    expect((await refund()).status).toBe(500);
    const guide = await readFile('docs/operating.md', 'utf8');
    const [, statement = ''] = /`(update commissions[^`]+)`/.exec(guide) ?? [];
    await database.query(`${statement} ${where}`);
    expect((await refund()).status).toBe(201);
    expect((await rows()).at(-1).flags).toEqual(['same-bank']);
  });

  test('adds adjustments that the risks of their order hold', async () => {
    const { order, rows } = await newSuspect(await StoreFixture.open(store), 'adjusted');
    expect((await call('POST', `/orders/${order}/refunds`, { amount: 50_000 })).status).toBe(201);
    expect((await rows()).map(({ state }: { state: string }) => state)).toEqual(['held', 'held']);
    await expectIntegrity({ store });
  });

  test('deducts nothing more for a refund once a confirmed risk has taken back the paid commission', async () => {
    const { fixture, seller, order, risk } = await newSuspect(
      await StoreFixture.open(store),
      'confirmed',
    );
    await fixture.api.post(risk, { decision: 'clear' });
    expect((await call('POST', '/payouts', payoutTo(seller))).status).toBe(201);
    await fixture.api.post(risk, { decision: 'confirm' });
    expect((await call('POST', `/orders/${order}/refunds`, { amount: 50_000 })).status).toBe(201);
    await expectIntegrity({ store });
    const again = await call('POST', '/payouts', payoutTo(seller));
    expect(again).toMatchObject({ status: 409, body: { code: 'nothing_payable' } });
  });

  test('cannot give back a commission that a confirmed risk took', async () => {
    const { fixture, risk, rows } = await newSuspect(await StoreFixture.open(store), 'taken');
    await fixture.api.post(risk, { decision: 'confirm' });
    const [{ id }] = await rows();
    expect(await call('PATCH', `/commissions/${id}`, { status: 'added' })).toMatchObject({
      status: 409,
      body: { code: 'rest_invalid_transition' },
    });
    await expectIntegrity({ store });
  });

  test('takes an order out of the risks of its former affiliate when it gives the order to another one', async () => {
    for (const decision of ['open', 'confirm']) {
      const { fixture, order, risk, rows } = await newSuspect(
        await StoreFixture.open(store),
        `former-${decision}`,
      );
      if (decision !== 'open') await fixture.api.post(risk, { decision });
      const { id } = await fixture.newAffiliate({ email: `${decision}@later.example` });
      expect((await call('PATCH', `/orders/${order}`, { affiliate_id: id })).status).toBe(200);
      await expectIntegrity({ store });
      await fixture.api.post(`/orders/${order}/refunds`, { amount: 50_000 });
      const own = (await rows()).filter((row: { affiliate_id: number }) => row.affiliate_id === id);
      expect(own.map((row: { commission: number }) => row.commission)).toEqual([-10_000, 20_000]);
      await expectIntegrity({ store });
    }
  });

  test('keeps an order in the figures of links when it gives the order to another affiliate', async () => {
    const fixture = await StoreFixture.open(store);
    const seller = await fixture.newAffiliate({ email: 'counted@x.example', bank_info: 'BCA 44' });
    const later = await fixture.newAffiliate({ email: 'counts@x.example', bank_info: 'BCA 45' });
    const { id: order } = await newSale(fixture, seller, { email: 'figures@x.example' });
    expect((await call('PATCH', `/orders/${order}`, { affiliate_id: later.id })).status).toBe(200);
    const totals = async ({ id }: { id: number }) =>
      (await fixture.api.get(`/affiliates/${id}/figures`)).body.data.totals;
    expect(await totals(seller)).toMatchObject({ orders: 0, paid: 0, commission: 0 });
    const counted = { orders: 1, paid: 1, revenue: 100_000, commission: 20_000 };
    expect(await totals(later)).toMatchObject(counted);
    await expectIntegrity({ store });
  });

  test.each([
    ['has a payment plan', { payments: 3, after: 'keep', grace_days: 5 }, undefined],
    ['is paused', {}, ['/pause', {}]],
    ['is cancelled', {}, ['/cancel', { at: 'end' }]],
    ['has a price of its own', {}, ['', { next_price: 10_000 }]],
  ] as const)('can not renew a subscription that %s', async (name, terms, change) => {
    const fixture = await StoreFixture.open(store);
    const regular = { duration: 1, period: 'monthly', price: 50_000 };
    const { id: product_id } = await fixture.newProduct({
      price: 60_000,
      payment_type: 'recurring',
      subscription: { active: true, regular, ...terms },
    });
    const email = `${name.replaceAll(' ', '-')}@x.example`;
    const { id: user_id } = await fixture.newUser({ email });
    const first = await fixture.newOrder({ product_id, user_id, status: 'completed' });
    const renewal = { product_id, user_id, order_parent_id: first.id };
    if (change) {
      const { body } = await fixture.api.get(`/subscriptions?user_id=${user_id}`);
      const [path, input] = change;
      await fixture.api.post(`/subscriptions/${body.data[0].id}${path}`, input);
    } else {
      expect((await fixture.api.post('/orders', renewal)).status).toBe(201);
    }
    expect(await call('POST', '/orders', renewal)).toMatchObject({
      status: 409,
      body: { code: 'subscription_not_renewable' },
    });
    await expectIntegrity({ store });
  });

  test('completes instalments, which count in the plan with the next change of its subscription', async () => {
    const fixture = await StoreFixture.open(store);
    const { id: product_id } = await fixture.newProduct({
      price: 60_000,
      payment_type: 'recurring',
      subscription: { active: true, payments: 2, after: 'keep', grace_days: 5 },
    });
    const { id: user_id } = await fixture.newUser({ email: 'instalments@x.example' });
    const first = await fixture.newOrder({ product_id, user_id, status: 'completed' });
    const last = await fixture.newOrder({ product_id, user_id, order_parent_id: first.id });
    const completed = await call('PATCH', `/orders/${last.id}`, { status: 'completed' });
    expect(completed.status).toBe(200);
    const { body } = await fixture.api.get(`/subscriptions?user_id=${user_id}`);
    const path = `/subscriptions/${body.data[0].id}`;
    const after = await fixture.api.patch(path, { note: 'Counted again.' });
    expect(after.body.data).toMatchObject({ paid: 2, payments: 2, end_date: null });
    await expectIntegrity({ store });
  });

  test('renews a subscription without an agreement of its own', async () => {
    const fixture = await StoreFixture.open(store);
    const { id: product_id } = await fixture.newProduct({
      price: 60_000,
      payment_type: 'recurring',
      subscription: { active: true },
    });
    const { id: user_id } = await fixture.newUser({ email: 'plain-club@x.example' });
    const first = await fixture.newOrder({ product_id, user_id, status: 'completed' });
    const renewal = { product_id, user_id, order_parent_id: first.id, status: 'completed' };
    expect((await call('POST', '/orders', renewal)).status).toBe(201);
    await expectIntegrity({ store });
  });

  test('cancels a payout of a payout run, whose line is then returned', async () => {
    const fixture = await StoreFixture.open(store);
    const seller = await fixture.newAffiliate({ email: 'returned@x.example', bank_info: 'BCA 43' });
    await newSale(fixture, seller, { email: 'run@x.example' });
    const { body } = await fixture.api.post('/payout-runs', { affiliates: [seller.id] });
    const run = `/payout-runs/${body.data.id}`;
    const confirmed = await fixture.api.post(`${run}/confirm`);
    const { id } = confirmed.body.data.lines[0];
    expect((await call('POST', `/payouts/${id}/cancel`)).status).toBe(200);
    const after = await fixture.api.get(run);
    expect(after.body.data.lines[0]).toMatchObject({ id, status: 'returned' });
    expect(after.body.data.version).toBeGreaterThan(confirmed.body.data.version);
    await expectIntegrity({ store });
  });
});
