import { beforeAll, describe, expect, test } from 'vitest';
import { long } from '../harness/long.ts';
import { percentages, useAffiliateStore } from '../harness/affiliates.ts';
import { expectIntegrity } from '../harness/integrity.ts';
import { behindLock, times, transaction } from './queue.ts';

const stage = useAffiliateStore();
let product_id = 0;
let account = 5_000_000;

beforeAll(async () => {
  product_id = (await stage.at.newCourse({ tiers: percentages(20), hold_days: 0 })).id;
});

/** An affiliate with an order by somebody with their bank account, and its open risk. */
async function suspected() {
  const { fixture } = stage.at;
  account += 7;
  const bank_info = `BCA ${account}`;
  const affiliate = await fixture.newAffiliate({ bank_info });
  const buyer = await fixture.newUser({ bank_info });
  const order = await fixture.newOrder({
    product_id,
    user_id: buyer.id,
    affiliate_id: affiliate.id,
    status: 'completed',
  });
  const { body } = await fixture.api.get(`/risks?affiliate_id=${affiliate.id}`);
  return { affiliate, buyer, order, risk: body.data[0] as { id: number }, bank_info };
}

const decide =
  ({ id }: { id: number }, decision: string) =>
  () =>
    stage.at.fixture.api.post(`/risks/${id}`, { decision });

describe('A risk that is confirmed while its commission is paid out', () => {
  test('cancels the commission, or deducts the paid amount', async () => {
    const { at } = stage;
    for (let round = 0; round < 4; round++) {
      const { affiliate, order, risk } = await suspected();
      await decide(risk, 'clear')();
      const pay = () => at.payOut(affiliate);
      const confirm = decide(risk, 'confirm');
      const callers = round % 2 === 0 ? [pay, confirm] : [confirm, pay];
      const lock = `select from commissions where order_id = ${order.id} for update`;
      await behindLock(at.fixture.store, lock, callers);
      const { paid, payable } = await at.balances(affiliate);
      expect(paid + payable).toBe(0);
      await expectIntegrity(at.fixture);
    }
  });

  test('control: a payout of commissions that were read earlier pays those held by a risk', async () => {
    const { at } = stage;
    const { affiliate } = await suspected();
    const rows = `select from commissions where affiliate_id = ${affiliate.id} for update`;
    const hold = transaction(at.fixture.store, async (client) => {
      await client.query('update commissions set held = true where affiliate_id = $1', [
        affiliate.id,
      ]);
      return true;
    });
    const pay = transaction(at.fixture.store, async (client) => {
      await client.query('alter table commissions disable trigger commissions_hold');
      await client.query('update commissions set paid_at = now() where affiliate_id = $1', [
        affiliate.id,
      ]);
      await client.query('alter table commissions enable trigger commissions_hold');
      return true;
    });
    await behindLock(at.fixture.store, rows, [hold, pay]);
    const { rows: left } = await at.fixture.store.database.query(
      'select held, paid_at is not null as paid from commissions where affiliate_id = $1',
      [affiliate.id],
    );
    expect(left).toEqual([{ held: true, paid: true }]);
    await at.fixture.store.database.query(
      'update commissions set paid_at = null where affiliate_id = $1',
      [affiliate.id],
    );
  });
});

long.each(['risk', 'commission'])(
  'A commission revived by hand while the risk of its upline is confirmed earns nothing: %s first',
  async (first) => {
    const { at } = stage;
    const { fixture } = at;
    account += 7;
    const bank_info = `BCA ${account}`;
    const upline = await fixture.newAffiliate({ bank_info });
    const seller = await fixture.newAffiliate({ affiliate_id: upline.id });
    const { id } = await at.newCourse({ tiers: percentages(20, 10), hold_days: 0 });
    const buyer = await fixture.newUser({ bank_info });
    const order = await fixture.newOrder({
      product_id: id,
      user_id: buyer.id,
      affiliate_id: seller.id,
      status: 'completed',
    });
    const { body } = await fixture.api.get(`/risks?affiliate_id=${upline.id}`);
    const [risk] = body.data;
    await decide(risk, 'clear')();
    const { body: ledger } = await fixture.api.get(`/commissions?order_id=${order.id}`);
    const row = ledger.data.find(({ tier }: { tier: number }) => tier === 2);
    await at.adjust(row, { status: 'cancelled' });
    const confirm = decide(risk, 'confirm');
    const revive = () => at.adjust(row, { status: 'added' });
    const callers = first === 'risk' ? [confirm, revive] : [revive, confirm];
    const lock = `select from orders where id = ${order.id} for update`;
    const replies = await behindLock(fixture.store, lock, callers, { inTurn: true });
    expect(replies.map(({ status }) => status)).toContain(200);
    expect(await at.balances(upline)).toMatchObject({ held: 0, payable: 0, paid: 0 });
    await expectIntegrity(fixture);
  },
);

test('Two risks of one order that are cleared at once release its commissions', async () => {
  const { at } = stage;
  const { affiliate, buyer, risk, bank_info } = await suspected();
  await decide(risk, 'clear')();
  await at.fixture.newAffiliate({ bank_info });
  const sold = { product_id, user_id: buyer.id, affiliate_id: affiliate.id, status: 'completed' };
  const order = await at.fixture.newOrder(sold);
  const { body } = await at.fixture.api.get(`/risks?affiliate_id=${affiliate.id}&status=open`);
  expect(body.data).toHaveLength(2);
  const lock = `select from orders where id = ${order.id} for update`;
  const calls = body.data.map((each: { id: number }) => decide(each, 'clear'));
  await behindLock(at.fixture.store, lock, calls);
  expect(await at.balances(affiliate)).toMatchObject({ held: 0, payable: 40_000 });
  await expectIntegrity(at.fixture);
});

long(
  'A risk that is confirmed during the refund of its order leaves the ledger in balance',
  async () => {
    const { at } = stage;
    for (const first of ['order', 'risk']) {
      const { affiliate, order, risk } = await suspected();
      const refund = () =>
        at.fixture.api.post(`/orders/${order.id}/refunds`, { amount: 50_000, reason: 'Asked.' });
      const confirm = decide(risk, 'confirm');
      const lock = `select from orders where id = ${order.id} for update`;
      await behindLock(
        at.fixture.store,
        lock,
        first === 'order' ? [refund, confirm] : [confirm, refund],
      );
      expect(await at.balances(affiliate)).toMatchObject({ held: 0, payable: 0, paid: 0 });
      await expectIntegrity(at.fixture);
    }
  },
);

long(
  'Ten parallel orders with the same pair of affiliates make one risk, which holds them all',
  async () => {
    const { at } = stage;
    account += 7;
    const bank_info = `BCA ${account}`;
    const affiliate = await at.fixture.newAffiliate({ bank_info });
    await at.fixture.newAffiliate({ bank_info });
    const sold = { product_id, affiliate_id: affiliate.id, status: 'completed' };
    await Promise.all(times(10, () => at.fixture.newOrder(sold)).map((call) => call()));
    const { body } = await at.fixture.api.get(`/risks?affiliate_id=${affiliate.id}`);
    expect(body.data).toMatchObject([{ kind: 'shared-bank', evidence: { commission: 200_000 } }]);
    expect(await at.balances(affiliate)).toMatchObject({ held: 200_000 });
    await expectIntegrity(at.fixture);
  },
);

test.each([0, 25])(
  'Eight orders of a buyer at once are as suspicious as one after the other, after %i other orders',
  async (before) => {
    const { at } = stage;
    const { fixture } = at;
    const [buyer, seller] = [await fixture.newUser(), await fixture.newAffiliate()];
    for (let i = 0; i < before; i++) await fixture.newOrder({ product_id, user_id: buyer.id });
    const place = () =>
      fixture.newOrder({
        product_id,
        user_id: buyer.id,
        affiliate_id: seller.id,
        status: 'completed',
      });
    const lock = `select from products where id = ${product_id} for update`;
    await behindLock(fixture.store, lock, times(8, place));
    const { rows } = await fixture.store.database.query<{ held: boolean }>(
      'select held from commissions where affiliate_id = $1',
      [seller.id],
    );
    // The usual limit is five orders a day.
    expect(rows.filter(({ held }) => held)).toHaveLength(3);
  },
);
