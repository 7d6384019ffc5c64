import { beforeAll, describe, expect, test } from 'vitest';
import { long } from '../harness/long.ts';
import { percentages, useAffiliateStore } from '../harness/affiliates.ts';
import { expectIntegrity } from '../harness/integrity.ts';
import { behindLock, times, transaction, untilWaiting } from './queue.ts';

const stage = useAffiliateStore();
let product: number;

beforeAll(async () => {
  product = (await stage.at.newCourse({ tiers: percentages(20), hold_days: 0 })).id;
});

let accounts = 0;

/** A unique account: a shared one is a risk, which holds commissions. */
const ownAccount = () => ({
  bank_code: '014',
  bank_name: 'BCA',
  number: `55${(accounts += 1)}`,
  holder: 'Citra',
});

/** An affiliate with a completed sale of 20,000 in a draft. */
async function drafted() {
  const { api, newAffiliate, newOrder } = fixtureOf();
  const person = await newAffiliate({ bank_account: ownAccount() });
  const order = await newOrder({
    product_id: product,
    affiliate_id: person.id,
    status: 'completed',
  });
  const run = (await api.post('/payout-runs', { affiliates: [person.id] })).body.data;
  return { person, order, run, line: run.lines[0].id as number };
}

function fixtureOf() {
  const { fixture } = stage.at;
  return {
    api: fixture.api,
    store: fixture.store,
    newAffiliate: (fields: object) => fixture.newAffiliate(fields),
    newOrder: (fields: object) => fixture.newOrder(fields as never),
  };
}

const confirm = (run: { id: number }) => () =>
  fixtureOf().api.post(`/payout-runs/${run.id}/confirm`);

describe('Confirmations of one run at the same time', () => {
  test('create its payouts once', async () => {
    const { store } = fixtureOf();
    const { person, run } = await drafted();
    const lock = `select from payout_runs where id = ${run.id} for update`;
    const replies = await behindLock(store, lock, times(10, confirm(run)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    const { rows } = await store.database.query(
      'select amount::int from payouts where affiliate_id = $1',
      [person.id],
    );
    expect(rows).toEqual([{ amount: 20_000 }]);
    await expectIntegrity(stage.at.fixture);
  });

  long('control: reading the draft before the write pays its line ten times', async () => {
    const { store } = fixtureOf();
    const { person, run, line } = await drafted();
    const broken = transaction(store, async (client) => {
      const { rows } = await client.query('select status from payout_runs where id = $1', [run.id]);
      await client.query('select from payout_lines where id = $1 for update', [line]);
      if (rows[0].status !== 'draft') return false;
      await client.query(
        `insert into payouts (affiliate_id, amount, currency, commissions, method, reference,
           status, created_at, updated_at)
         values ($1, 20000, 'USD', 1, '', 'broken', 'paid', now(), now())`,
        [person.id],
      );
      await client.query(
        `update payout_runs set status = 'confirmed', confirmed_at = now() where id = $1`,
        [run.id],
      );
      return true;
    });
    const lock = `select from payout_lines where id = ${line} for update`;
    expect(await behindLock(store, lock, times(10, broken))).toEqual(
      times(10, broken).map(() => true),
    );
    await store.database.query(`delete from payouts where reference = 'broken'`);
    await store.database.query(
      `update payout_runs set status = 'draft', confirmed_at = null where id = $1`,
      [run.id],
    );
    await expectIntegrity(stage.at.fixture);
  });
});

test('Parallel drafts take each commission once', async () => {
  const { api, store } = fixtureOf();
  const { person, run } = await drafted();
  await api.post(`/payout-runs/${run.id}/discard`);
  const lock = `select from commissions where affiliate_id = ${person.id} for update`;
  const draft = () => api.post('/payout-runs', { affiliates: [person.id] });
  const waiting = behindLock(store, lock, [draft, draft]);
  const statuses = (await waiting).map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409]);
  await expectIntegrity(stage.at.fixture);
});

test('A draft also takes the adjustments that are made while it is written', async () => {
  const { api, store } = fixtureOf();
  const { person, order, run } = await drafted();
  await api.post(`/payout-runs/${run.id}/discard`);
  const written = transaction(store, async (client) => {
    await client.query(`select pg_advisory_xact_lock(hashtext('payout_runs'))`);
    const draft = api.post('/payout-runs', { affiliates: [person.id] });
    await untilWaiting(store, 1);
    store.clock.advance(1);
    expect((await api.post(`/orders/${order.id}/refunds`, { amount: 50_000 })).status).toBe(201);
    await client.query('commit');
    const { status, body } = await draft;
    expect(status).toBe(201);
    const now = (await api.get(`/payout-runs/${body.data.id}`)).body.data;
    expect(now.totals).toMatchObject({ commissions: 2, amount: 10_000 });
    expect(now.version).toBeGreaterThan(body.data.version);
    return true;
  });
  await written();
  await expectIntegrity(stage.at.fixture);
});

test('A commission that becomes unpaid while a draft takes its adjustment joins the draft', async () => {
  const { api, store, newOrder } = fixtureOf();
  const { person, order, run } = await drafted();
  await confirm(run)();
  await newOrder({ product_id: product, affiliate_id: person.id, status: 'completed' });
  const next = (await api.post('/payout-runs', { affiliates: [person.id] })).body.data;
  await api.post(`/orders/${order.id}/refunds`, { amount: 50_000 });
  const drafting = transaction(store, async (client) => {
    await client.query(
      `update commissions set payout_line_id = $1, version = version + 1
        where order_id = $2 and kind = 'refund-adjustment'`,
      [next.lines[0].id, order.id],
    );
    const cancelled = api.post(`/payouts/${run.lines[0].id}/cancel`);
    await untilWaiting(store, 1);
    await client.query('commit');
    expect((await cancelled).status).toBe(200);
    return true;
  });
  await drafting();
  const { totals } = (await api.get(`/payout-runs/${next.id}`)).body.data;
  expect(totals).toMatchObject({ commissions: 3, amount: 30_000 });
  await expectIntegrity(stage.at.fixture);
});

describe('A refund during the confirmation of its draft', () => {
  long.each([
    ['in part', 50_000],
    ['in full', 100_000],
  ])('(%s) leaves paid and owed in balance, in either order', async (_, amount) => {
    const { api, store } = fixtureOf();
    for (const isRefundFirst of [true, false]) {
      const { person, order, run, line } = await drafted();
      const refund = () => api.post(`/orders/${order.id}/refunds`, { amount, reason: 'Asked.' });
      const both = isRefundFirst ? [refund, confirm(run)] : [confirm(run), refund];
      const lock = `select from payout_lines where id = ${line} for update`;
      const replies = await behindLock(store, lock, both);
      expect(replies.map(({ status }) => status)).toContain(201);
      const { paid, payable } = await stage.at.balances(person);
      expect(paid + payable).toBe(20_000 - amount / 5);
      await expectIntegrity(stage.at.fixture);
    }
  });

  test('control: an adjustment without a lock on the line stays in a confirmed run', async () => {
    const { store } = fixtureOf();
    const { order, run, line } = await drafted();
    const adjust = transaction(store, async (client) => {
      const { rows } = await client.query('select * from commissions where order_id = $1', [
        order.id,
      ]);
      await client.query('select from orders where id = $1 for update', [order.id]);
      await client.query(
        `insert into commissions (order_id, product_id, affiliate_id, buyer_id, tier, kind,
           commission, currency, base_amount, rate_type, rate, rate_source, status, flags,
           payout_line_id, created_at, updated_at)
         select order_id, product_id, affiliate_id, buyer_id, tier, 'manual', -1, currency, 0,
                rate_type, rate, rate_source, 'added', '{}', $2, now(), now()
           from commissions where id = $1`,
        [rows[0].id, line],
      );
      return true;
    });
    await confirm(run)();
    await adjust();
    const { rows } = await store.database.query(
      'delete from commissions where payout_line_id = $1 returning id',
      [line],
    );
    expect(rows).toHaveLength(1);
    await expectIntegrity(stage.at.fixture);
  });
});

describe('A confirmation that is killed', () => {
  long.each(['payout_runs', 'payout_lines', 'commissions'])(
    'while it waits for %s leaves the draft unchanged, and can be repeated',
    async (table) => {
      const { api, store } = fixtureOf();
      const { person, run, line } = await drafted();
      const where = { payout_runs: `id = ${run.id}`, payout_lines: `id = ${line}` }[table];
      const lock = `select from ${table} where ${where ?? `payout_line_id = ${line}`} for update`;
      const before = (await api.get(`/payout-runs/${run.id}`)).body.data;
      const holder = transaction(store, async (client) => {
        await client.query(lock);
        const confirmed = confirm(run)();
        await untilWaiting(store, 1);
        await store.database.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`,
        );
        const { status } = await confirmed;
        expect(status).toBe(503);
        expect((await api.get(`/payout-runs/${run.id}`)).body.data).toEqual(before);
        return true;
      });
      await holder();
      expect((await confirm(run)()).status).toBe(200);
      expect((await stage.at.balances(person)).paid).toBe(20_000);
      await expectIntegrity(stage.at.fixture);
    },
  );
});
