import { describe, expect, test } from 'vitest';
import { tellPayouts } from '../../../src/jobs/tell-payouts.ts';
import { percentages, useAffiliateStore } from '../../harness/affiliates.ts';
import { expectIntegrity } from '../../harness/integrity.ts';

const stage = useAffiliateStore();

const account = { bank_code: '014', bank_name: 'BCA', holder: 'Citra' };

let accounts = 0;

/** A unique account: a shared one is a risk, which holds commissions. */
const ownAccount = () => ({ ...account, number: `550 ${(accounts += 1)}` });

/** New affiliates with a completed sale of 20,000 each. */
async function earners(count: number, hasAccount = true) {
  const { at } = stage;
  const product = await at.newCourse({ tiers: percentages(20), hold_days: 0 });
  const people = [];
  for (let i = 0; i < count; i++) {
    const person = await at.fixture.newAffiliate(hasAccount ? { bank_account: ownAccount() } : {});
    const order = await at.sell(product, { affiliate_id: person.id });
    await at.change(order, { status: 'completed' });
    people.push({ ...person, order });
  }
  return { at, api: at.fixture.api, product, people, ids: people.map(({ id }) => id) };
}

describe('A draft of a payout run', () => {
  test('has a line for each affiliate, and holds their commissions until it is confirmed', async () => {
    const { at, api, people, ids } = await earners(2);
    const { status, body } = await api.post('/payout-runs', { affiliates: ids });
    expect(status, JSON.stringify(body)).toBe(201);
    const run = body.data;
    expect(run).toMatchObject({
      status: 'draft',
      version: 1,
      left_over: 0,
      totals: {
        lines: 2,
        payable: 2,
        amount: 40_000,
        commissions: 2,
        paid: 0,
        returned: 0,
        returned_amount: 0,
      },
    });
    expect(run.lines).toEqual(
      people.map(({ id, display_name, bank_account, bank_info }) => ({
        id: expect.any(Number),
        run_id: run.id,
        affiliate_id: id,
        affiliate: { id, display_name },
        status: 'draft',
        amount: 20_000,
        commissions: 1,
        carried_over: 0,
        payable: true,
        issues: ['account-changed'],
        account: bank_account,
        account_text: bank_info,
        reference: null,
        reason: null,
        result_at: null,
      })),
    );
    expect((await api.get(`/payout-runs/${run.id}`)).body.data).toEqual(run);
    const [row] = await at.ledger(people[0]?.order ?? { id: 0 });
    expect(row).toMatchObject({ state: 'payable', payout_line_id: run.lines[0].id });
    expect(await api.post('/payout-runs', { affiliates: ids })).toMatchObject({ status: 409 });
    expect((await at.payOut({ id: ids[0] ?? 0 })).body.code).toBe('nothing_payable');
    const byHand = await at.adjust({ id: row?.id ?? 0 }, { paid_status: true });
    expect(byHand.body.code).toBe('commission_not_payable');

    const confirmed = await api.post(`/payout-runs/${run.id}/confirm`);
    expect(confirmed.body.data).toMatchObject({ status: 'confirmed', version: 2 });
    expect((await api.get(`/payout-runs/${run.id}`)).body.data).toEqual(confirmed.body.data);
    expect(await at.ledger(people[0]?.order ?? { id: 0 })).toMatchObject([
      { state: 'paid', payout_id: run.lines[0].id, payout_line_id: null },
    ]);
    expect((await api.get(`/payouts/${run.lines[0].id}`)).body.data).toMatchObject({
      affiliate_id: ids[0],
      amount: 20_000,
      commissions: 1,
      method: 'BCA',
      reference: `payout-run-${run.id}`,
    });
    expect((await api.post(`/payout-runs/${run.id}/confirm`)).body.data).toEqual(
      confirmed.body.data,
    );
    await expectIntegrity(at.fixture);
  });

  test('shows the accounts of its lines only to callers who may read payouts', async () => {
    const { at, ids } = await earners(1);
    const { token } = await at.fixture.store.createKey({ scopes: ['commissions:write'] });
    const headers = { authorization: `Bearer ${token}` };
    const { status, body } = await at.fixture.api.post(
      '/payout-runs',
      { affiliates: ids },
      { headers },
    );
    expect(status).toBe(201);
    expect(body.data.lines).toMatchObject([{ payable: true, account: null, account_text: null }]);
    const shown = (await at.fixture.api.get(`/payout-runs/${body.data.id}`)).body.data;
    expect(shown.lines).toMatchObject([{ account: { bank_name: 'BCA' } }]);
  });

  test('changes its version when an affiliate gets an account, another account, or is erased', async () => {
    const { api, ids } = await earners(2, false);
    const [first, second] = ids;
    const run = (await api.post('/payout-runs', { affiliates: ids })).body.data;
    const confirmed = (version: number) =>
      api.post(`/payout-runs/${run.id}/confirm`, {}, { headers: { 'if-match': String(version) } });
    const shown = async () => (await api.get(`/payout-runs/${run.id}`)).body.data;
    await api.patch(`/users/${first}`, { bank_account: ownAccount() });
    expect((await confirmed(run.version)).status).toBe(409);
    const payable = await shown();
    expect(payable).toMatchObject({ totals: { payable: 1, amount: 20_000 }, version: 2 });
    await api.patch(`/users/${first}`, { bank_account: ownAccount() });
    expect((await confirmed(2)).status).toBe(409);
    await api.patch(`/users/${second}`, { display_name: 'Renamed' });
    expect((await shown()).version).toBe(3);
    await api.delete(`/users/${first}?force=true`);
    expect((await confirmed(3)).status).toBe(409);
    expect((await shown()).totals).toMatchObject({ payable: 0, amount: 0 });
  });

  test('loses refunded commissions, gains adjustments, and changes its version', async () => {
    const { at, api, people, ids } = await earners(2);
    const run = (await api.post('/payout-runs', { affiliates: ids })).body.data;
    const [first, second] = people;
    await at.refund(first?.order ?? { id: 0 });
    await at.refund(second?.order ?? { id: 0 }, 50_000);
    const moved = (await api.get(`/payout-runs/${run.id}`)).body.data;
    expect(moved.version).toBe(3);
    expect(moved.lines).toMatchObject([
      { amount: 0, commissions: 0, payable: false, issues: ['nothing-due', 'account-changed'] },
      { amount: 10_000, commissions: 2, payable: true },
    ]);
    const stale = { headers: { 'if-match': '1' } };
    expect(await api.post(`/payout-runs/${run.id}/confirm`, {}, stale)).toMatchObject({
      status: 409,
    });
    const fresh = { headers: { 'if-match': '3' } };
    const { body } = await api.post(`/payout-runs/${run.id}/confirm`, {}, fresh);
    expect(body.data.lines).toMatchObject([{ status: 'left-out' }, { status: 'confirmed' }]);
    await expectIntegrity(at.fixture);
  });

  test('stays as it is when a commission that an earlier run paid is refunded, and the next run deducts it', async () => {
    const { at, api, product, people, ids } = await earners(1);
    const draft = async () => (await api.post('/payout-runs', { affiliates: ids })).body.data;
    const confirmed = async ({ id }: { id: number }) =>
      (await api.post(`/payout-runs/${id}/confirm`)).body.data.lines;
    const sell = () => at.sell(product, { affiliate_id: ids[0], status: 'completed' });
    await confirmed(await draft());
    await sell();
    const second = await draft();
    await at.refund(people[0]?.order ?? { id: 0 }, 50_000);
    expect(await confirmed(second)).toMatchObject([{ amount: 20_000, carried_over: 0 }]);
    await sell();
    expect(await confirmed(await draft())).toMatchObject([
      { amount: 10_000, commissions: 2, carried_over: -10_000 },
    ]);
    await expectIntegrity(at.fixture);
  });

  describe('with a deduction gains the deducted commission', () => {
    test('when its payout is cancelled', async () => {
      const { at, api, people, ids } = await earners(1);
      const [{ id, order } = { id: 0, order: { id: 0 } }] = people;
      const cheap = await at.newCourse({ tiers: percentages(5), hold_days: 0 });
      const payout = (await at.payOut({ id })).body.data;
      await at.refund(order);
      await at.sell(cheap, { affiliate_id: id, status: 'completed' });
      const run = (await api.post('/payout-runs', { affiliates: ids })).body.data;
      expect(run.lines).toMatchObject([{ amount: -15_000, commissions: 2 }]);
      expect((await api.post(`/payouts/${payout.id}/cancel`)).status).toBe(200);
      await expectIntegrity(at.fixture);
      expect(await at.balances({ id })).toMatchObject({ payable: 5000 });
      expect((await at.payOut({ id })).body.code).toBe('nothing_payable');
      const { body } = await api.post(`/payout-runs/${run.id}/confirm`);
      expect(body.data.lines).toMatchObject([{ amount: 5000, commissions: 3 }]);
    });

    test('when its line of an earlier run is returned', async () => {
      const { at, api, people, ids } = await earners(1);
      const [{ order } = { order: { id: 0 } }] = people;
      const draft = async () => (await api.post('/payout-runs', { affiliates: ids })).body.data;
      const first = await draft();
      await api.post(`/payout-runs/${first.id}/confirm`);
      await at.refund(order);
      const second = await draft();
      expect(second.lines).toMatchObject([{ amount: -20_000 }]);
      const line = `/payout-runs/${first.id}/lines/${first.lines[0].id}`;
      expect((await api.post(line, { result: 'returned' })).status).toBe(200);
      await expectIntegrity(at.fixture);
      expect((await api.post('/payout-runs', { affiliates: ids })).status).toBe(409);
      expect((await api.get(`/payout-runs/${second.id}`)).body.data).toMatchObject({
        version: second.version + 1,
        lines: [{ amount: 0, commissions: 2, payable: false }],
      });
    });
  });

  test.each([
    ['gains the commission', 0, 5000],
    ['stays as it is during a hold', 7, -15_000],
  ])('with a deduction %s when the order is completed again', async (_, hold_days, amount) => {
    const { at, api, product, ids, people } = await earners(1);
    const [{ id, order } = { id: 0, order: { id: 0 } }] = people;
    const cheap = await at.newCourse({ tiers: percentages(5), hold_days: 0 });
    await at.payOut({ id });
    for (const status of ['in-progress', 'cancelled']) await at.change(order, { status });
    await at.sell(cheap, { affiliate_id: id, status: 'completed' });
    const run = (await api.post('/payout-runs', { affiliates: ids })).body.data;
    expect(run.lines).toMatchObject([{ amount: -15_000, commissions: 2 }]);
    const tiers = percentages(20);
    const affiliate = { enabled: true, hold_days, tiers };
    expect((await api.patch(`/products/${product.id}`, { affiliate })).status).toBe(200);
    for (const status of ['on-hold', 'completed']) await at.change(order, { status });
    expect((await at.ledger(order)).map(({ commission }) => commission)).toEqual([
      20_000, -20_000, 20_000,
    ]);
    expect((await api.get(`/payout-runs/${run.id}`)).body.data.lines).toMatchObject([{ amount }]);
    await expectIntegrity(at.fixture);
  });

  test('leaves out affiliates with a negative line in another draft', async () => {
    const { at, api, product, people, ids } = await earners(2);
    const [first, second] = people;
    const draft = async () => (await api.post('/payout-runs', { affiliates: ids })).body.data;
    await at.payOut(first ?? { id: 0 });
    await at.refund(first?.order ?? { id: 0 }, 50_000);
    const negative = await draft();
    expect(negative.lines).toMatchObject([
      { affiliate_id: first?.id, amount: -10_000, payable: false },
      { affiliate_id: second?.id, amount: 20_000, payable: true },
    ]);
    for (const affiliate_id of ids) await at.sell(product, { affiliate_id, status: 'completed' });
    const next = await draft();
    expect(next.lines).toMatchObject([{ affiliate_id: second?.id, amount: 20_000 }]);
    await api.post(`/payout-runs/${negative.id}/confirm`);
    expect((await draft()).lines).toMatchObject([
      { affiliate_id: first?.id, amount: 10_000, carried_over: -10_000 },
    ]);
    await expectIntegrity(at.fixture);
  });

  test('is discarded, and its commissions are free', async () => {
    const { at, api, people, ids } = await earners(1);
    const run = (await api.post('/payout-runs', { affiliates: ids })).body.data;
    const { body } = await api.post(`/payout-runs/${run.id}/discard`);
    expect(body.data).toMatchObject({ status: 'discarded', totals: { lines: 0 }, version: 2 });
    expect(await api.post(`/payout-runs/${run.id}/confirm`)).toMatchObject({
      body: { code: 'payout_run_closed' },
    });
    expect((await at.payOut(people[0] ?? { id: 0 })).status).toBe(201);
    await expectIntegrity(at.fixture);
  });

  test('leaves out lines with obstacles, and frees their commissions', async () => {
    const { at, api, product, ids } = await earners(1);
    const poor = await earners(3, false);
    const [blocked, erased, unknown] = poor.ids;
    await api.patch(`/users/${blocked}`, { status: 'blocked', bank_info: 'BCA 1' });
    await api.delete(`/users/${erased}`);
    const more = await at.sell(product, { affiliate_id: ids[0] });
    await at.change(more, { status: 'completed' });
    const all = [...ids, ...poor.ids];
    const run = (await api.post('/payout-runs', { affiliates: all, minimum: 30_000 })).body.data;
    const issues = run.lines.map(({ issues: found }: { issues: string[] }) => found);
    expect(issues).toEqual([
      ['account-changed'],
      ['blocked', 'below-minimum', 'account-changed', 'account-as-text'],
      ['erased', 'below-minimum'],
      ['no-account', 'below-minimum'],
    ]);
    const { body } = await api.post(`/payout-runs/${run.id}/confirm`);
    expect(body.data.totals).toMatchObject({ lines: 4, payable: 1, amount: 40_000 });
    const next = (await api.post('/payout-runs', { affiliates: [unknown] })).body.data;
    expect(next.lines).toMatchObject([{ affiliate_id: unknown, amount: 20_000 }]);
    await expectIntegrity(at.fixture);
  });

  test('includes commissions earned until a day, and no excluded affiliates', async () => {
    const { at, api, product, ids } = await earners(2);
    at.fixture.store.clock.advance(2 * 86_400);
    const late = await at.sell(product, { affiliate_id: ids[0] });
    await at.change(late, { status: 'completed' });
    const until = new Date(at.fixture.store.clock.now().getTime() - 86_400_000).toISOString();
    const asked = { affiliates: ids, exclude: [ids[1]], until };
    const { body } = await api.post('/payout-runs', asked);
    expect(body.data).toMatchObject({ until, lines: [{ affiliate_id: ids[0], commissions: 1 }] });
    const list = await api.get('/payout-runs?status=draft&per_page=1');
    expect(list.body.data).toMatchObject([{ id: body.data.id, totals: { amount: 20_000 } }]);
    const lines = await api.get(`/payout-runs/${body.data.id}/lines`);
    expect(lines.body.data).toEqual(body.data.lines);
  });

  test('up to a day deducts the refund of a later sale that was paid before', async () => {
    const { at, api, product, ids } = await earners(1);
    const until = at.fixture.store.clock.now().toISOString();
    at.fixture.store.clock.advance(86_400);
    const late = await at.sell(product, { affiliate_id: ids[0], status: 'completed' });
    const [commission] = await at.ledger(late);
    await at.adjust(commission ?? { id: 0 }, { paid_status: true });
    await at.refund(late, 50_000);
    const { body } = await api.post('/payout-runs', { affiliates: ids, until });
    expect(body.data.lines).toMatchObject([
      { amount: 10_000, commissions: 2, carried_over: -10_000 },
    ]);
    await expectIntegrity(at.fixture);
  });
});

describe('The lines of a confirmed run', () => {
  test('get results: paid notifies the affiliate, returned makes the commissions payable again', async () => {
    const { at, api, people, ids } = await earners(3);
    const hook = { url: 'https://hooks.example.com/', status: 'paused', events: ['payout.*'] };
    await api.post('/webhooks', hook);
    const run = (await api.post('/payout-runs', { affiliates: ids })).body.data;
    const [one, two, three] = run.lines;
    const early = await api.post(`/payout-runs/${run.id}/lines/${one.id}`, { result: 'paid' });
    expect(early.body.code).toBe('payout_run_open');
    await api.post(`/payout-runs/${run.id}/confirm`);
    const paid = await api.post(`/payout-runs/${run.id}/lines/${one.id}`, {
      result: 'paid',
      reference: 'T-1',
    });
    expect(paid.body.data).toMatchObject({
      status: 'paid',
      reference: 'T-1',
      account: null,
      account_text: null,
    });
    const many = await api.post(`/payout-runs/${run.id}/lines`, {
      results: [
        { id: two.id, result: 'returned', reason: 'Closed.' },
        { id: three.id, result: 'paid' },
      ],
    });
    expect(many.body.data).toMatchObject([
      { status: 'returned', reason: 'Closed.' },
      { status: 'paid' },
    ]);
    expect((await api.get(`/payouts/${two.id}`)).body.data.status).toBe('cancelled');
    expect(await at.ledger(people[1]?.order ?? { id: 0 })).toMatchObject([
      { state: 'payable', payout_id: null },
    ]);
    const again = await api.post(`/payout-runs/${run.id}/lines/${two.id}`, { result: 'paid' });
    expect(again.body.code).toBe('payout_line_returned');
    await api.post(`/payouts/${three.id}/cancel`);
    expect((await api.get(`/payout-runs/${run.id}`)).body.data.totals).toMatchObject({
      amount: 60_000,
      paid: 1,
      returned: 2,
      returned_amount: 40_000,
    });
    const { rows } = await at.fixture.store.database.query(
      'select event, object_id::int from outbox order by id',
    );
    expect(rows.map(({ event, object_id }) => [event, object_id])).toEqual([
      ['payout.paid', one.id],
      ['payout.returned', two.id],
      ['payout.paid', three.id],
      ['payout.returned', three.id],
    ]);
    await expectIntegrity(at.fixture);
  });
});

test('An affiliate is notified of a payout three days after its run was confirmed, if its line has no result', async () => {
  const { at, api, ids } = await earners(2);
  const { store } = at.fixture;
  await api.post('/webhooks', { url: 'https://hooks.example.com/', status: 'paused' });
  const run = (await api.post('/payout-runs', { affiliates: ids })).body.data;
  const [one, two] = run.lines;
  const told = async () => {
    const { rows } = await store.database.query<{ id: number }>(
      `select distinct event_id, object_id::int as id from outbox
        where event = 'payout.paid' and object_id >= $1`,
      [one.id],
    );
    return rows.map(({ id }) => id);
  };
  await api.post(`/payout-runs/${run.id}/confirm`);
  const record = await store.database.query(
    `select data from outbox where event = 'commission.paid' order by object_id desc limit 1`,
  );
  const shown = await api.get(`/commissions/${record.rows[0].data.id}`);
  expect(record.rows[0].data).toEqual(shown.body.data);
  await api.post(`/payout-runs/${run.id}/lines/${two.id}`, { result: 'returned' });
  await tellPayouts(await store.services());
  expect(await told()).toEqual([]);
  store.clock.advance(3 * 86_400);
  await tellPayouts(await store.services());
  expect(await told()).toEqual([one.id]);
  await api.post(`/payout-runs/${run.id}/lines/${one.id}`, { result: 'paid' });
  expect(await told()).toEqual([one.id]);
});

describe('The file of a run', () => {
  test('has the accounts, marks a draft, and forgets the account of a line with a result', async () => {
    const { at, api, ids } = await earners(2);
    const run = (await api.post('/payout-runs', { affiliates: ids })).body.data;
    const file = async (form: string) =>
      at.fixture.api.get(`/payout-runs/${run.id}.csv?form=${form}`);
    const draft = await file('bca');
    expect(draft.headers.get('content-disposition')).toContain(
      `payout-run-${run.id}-draft-bca.csv`,
    );
    expect(draft.body).toContain('DRAFT');
    await api.post(`/payout-runs/${run.id}/confirm`);
    await api.post(`/payout-runs/${run.id}/lines/${run.lines[1].id}`, { result: 'paid' });
    expect((await file('xendit')).body.split('\r\n').slice(0, 2)).toEqual([
      'Reference ID,Amount,Channel Code,Bank Account Name,Bank Account Number,Description,Email,Email CC,Email BCC',
      expect.stringMatching(/^payout-\d+,200\.00,ID_BCA,Citra,550\d+,/),
    ]);
    expect((await file('bi-fast')).body).toContain('CENAIDJA');
    const general = (await file('general')).body.split('\r\n');
    expect(general).toHaveLength(4);
    expect(general[2]).not.toContain('550');
  });

  test('for a bank leaves out an account number that has letters', async () => {
    const { api, ids } = await earners(2);
    const [first] = ids;
    const bank_account = { ...ownAccount(), number: 'citra@example.com 1' };
    await api.patch(`/users/${first}`, { bank_account });
    const run = (await api.post('/payout-runs', { affiliates: ids })).body.data;
    const linesOf = async (form: string) =>
      (await api.get(`/payout-runs/${run.id}.csv?form=${form}`)).body.trim().split('\r\n').slice(1);
    expect(await linesOf('xendit')).toEqual([
      expect.stringContaining(`payout-${run.lines[1].id},`),
    ]);
    expect(await linesOf('general')).toHaveLength(2);
  });
});
