import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Order } from '../../../src/domain/order/schemas.ts';
import type { Risk } from '../../../src/domain/risk/schemas.ts';
import type { User } from '../../../src/domain/user/schemas.ts';
import { day, percentages, useAffiliateStore } from '../../harness/affiliates.ts';
import { expectIntegrity, expectNoticed } from '../../harness/integrity.ts';

const stage = useAffiliateStore();
let product_id = 0;
let account = 1_000_000;

beforeAll(async () => {
  product_id = (await stage.at.newCourse({ tiers: percentages(20, 10), hold_days: 0 })).id;
});

/** An affiliate with an upline, and their sister with the same bank account. */
interface Family {
  readonly upline: User;
  readonly affiliate: User;
  readonly sister: User;
}

let family: Family;

beforeEach(async () => {
  const { fixture } = stage.at;
  account += 7;
  const bank_info = `BCA ${account}`;
  const upline = await fixture.newAffiliate();
  const affiliate = await fixture.newAffiliate({ affiliate_id: upline.id, bank_info });
  family = { upline, affiliate, sister: await fixture.newUser({ bank_info: `bca ${account}` }) };
});

const sell = (fields: object = {}): Promise<Order> =>
  stage.at.fixture.newOrder({
    product_id,
    user_id: family.sister.id,
    affiliate_id: family.affiliate.id,
    status: 'completed',
    ...fields,
  });

async function risksOf({ id }: { id: number }, query = ''): Promise<Risk[]> {
  const { body } = await stage.at.fixture.api.get(`/risks?affiliate_id=${id}${query}`);
  return body.data;
}

const decide = (risk: { id: number } | undefined, body: object) =>
  stage.at.fixture.api.post(`/risks/${risk?.id}`, body);

async function onlyRisk(): Promise<Risk> {
  const [risk, ...others] = await risksOf(family.affiliate);
  expect(others).toEqual([]);
  if (!risk) throw new Error('No risk was found.');
  return risk;
}

describe('An order of somebody who shares a bank account with its affiliate', () => {
  test('makes commissions that a risk at tier 1 holds on all tiers, whatever their hold was', async () => {
    const { at } = stage;
    const order = await sell();
    expect(order.affiliate_id).toBe(family.affiliate.id);
    const risk = await onlyRisk();
    expect(risk).toMatchObject({
      kind: 'same-bank',
      status: 'open',
      order_id: order.id,
      tier: 1,
      other_id: family.sister.id,
      evidence: {
        affiliate: { bank_info: `BCA ${account}` },
        other: { id: family.sister.id },
        orders: [order.id],
        commission: 30_000,
      },
    });
    expect(await at.amounts(order)).toEqual([
      [1, 20_000, 'held'],
      [2, 10_000, 'held'],
    ]);
    expect(await at.balances(family.upline)).toMatchObject({ held: 10_000, payable: 0 });
    expect((await at.payOut(family.affiliate)).body.code).toBe('nothing_payable');
    const [row] = await at.ledger(order);
    const byHand = await at.adjust(row ?? { id: 0 }, { paid_status: true });
    expect(byHand.body.code).toBe('commission_not_payable');
    await expectIntegrity(at.fixture);
  });

  test('pays as usual once the risk is cleared, but the next order is a new risk', async () => {
    const { at } = stage;
    await sell();
    const cleared = await decide(await onlyRisk(), { decision: 'clear', note: 'Sisters.' });
    expect(cleared.body.data).toMatchObject({
      status: 'cleared',
      trusted: false,
      note: 'Sisters.',
    });
    expect(await at.balances(family.affiliate)).toMatchObject({ held: 0, payable: 20_000 });
    expect((await at.payOut(family.affiliate)).status).toBe(201);
    await sell();
    expect((await risksOf(family.affiliate, '&status=open')).length).toBe(1);
    await expectIntegrity(at.fixture);
  });

  test('is no new risk if the store trusts the two people', async () => {
    await sell();
    await decide(await onlyRisk(), { decision: 'clear', trust: true });
    await sell();
    expect(await onlyRisk()).toMatchObject({ status: 'cleared', trusted: true });
    expect(await stage.at.balances(family.affiliate)).toMatchObject({ payable: 40_000 });
  });

  test('counts for nobody once the risk is confirmed, and counts again once the risk is cleared', async () => {
    const { at } = stage;
    const order = await sell();
    const leaders = async () =>
      (await at.fixture.api.get('/affiliates/leaderboard?per_page=100')).body.data.filter(
        ({ id }: { id: number }) => id === family.affiliate.id,
      ).length;
    expect(await leaders()).toBe(1);
    await decide(await onlyRisk(), { decision: 'confirm' });
    expect(await at.fixture.order(order.id)).toMatchObject({
      affiliate_id: null,
      attribution: { affiliate_id: family.affiliate.id, rejected_reason: 'fraud' },
    });
    expect(await at.amounts(order)).toEqual([
      [1, 20_000, 'cancelled'],
      [2, 10_000, 'cancelled'],
    ]);
    expect(await leaders()).toBe(0);
    const [row] = await at.ledger(order);
    const byHand = await at.adjust(row ?? { id: 0 }, { status: 'added' });
    expect(byHand.body.code).toBe('rest_invalid_transition');
    await at.change(order, { grand_total: 90_000 });
    await expectIntegrity(at.fixture);
    await decide(await onlyRisk(), { decision: 'clear' });
    expect((await at.fixture.order(order.id)).attribution).toMatchObject({
      affiliate_id: family.affiliate.id,
      source: 'explicit',
    });
    expect(await at.balances(family.affiliate)).toMatchObject({ payable: 18_000 });
    expect(await leaders()).toBe(1);
    await expectIntegrity(at.fixture);
  });

  test('is held from its completion, also if the risk was confirmed before it is cleared', async () => {
    const { at } = stage;
    const held = await at.newCourse({ tiers: percentages(20), hold_days: 7 });
    const order = await sell({ product_id: held.id });
    const [{ hold_until } = { hold_until: '' }] = await at.ledger(order);
    at.fixture.store.clock.advance(day);
    await decide(await onlyRisk(), { decision: 'confirm' });
    at.fixture.store.clock.advance(30 * day);
    await decide(await onlyRisk(), { decision: 'clear' });
    expect(await at.ledger(order)).toMatchObject([{ state: 'payable', hold_until }]);
  });

  test('that got its affiliate after its completion is held from then', async () => {
    const { at } = stage;
    const held = await at.newCourse({ tiers: percentages(20), hold_days: 7 });
    const order = await sell({ product_id: held.id, affiliate_id: family.upline.id });
    at.fixture.store.clock.advance(30 * day);
    await at.change(order, { affiliate_id: family.affiliate.id });
    const { hold_until } = (await at.ledger(order)).at(-1) ?? { hold_until: '' };
    await decide(await onlyRisk(), { decision: 'confirm' });
    await decide(await onlyRisk(), { decision: 'clear' });
    expect((await at.ledger(order)).at(-1)).toMatchObject({ state: 'held', hold_until });
  });

  test('loses an imported manual amount once the risk is confirmed, and gets it back once it is cleared', async () => {
    const order = await sell();
    const { database } = stage.at.fixture.store;
    const states = async () => {
      const { rows } = await database.query(
        `select status, cancellation, held from commissions where order_id = $1 and kind = 'manual'`,
        [order.id],
      );
      return rows;
    };
    await database.query(
      `insert into commissions (order_id, product_id, affiliate_id, buyer_id, tier, kind, commission,
         currency, base_amount, rate_type, rate, rate_source, status, flags, held, created_at, updated_at)
       select order_id, product_id, affiliate_id, buyer_id, tier, 'manual', 50,
              currency, 0, 'fixed', 50, 'manual', 'added', '{}', true, created_at, updated_at
         from commissions where order_id = $1 and tier = 1`,
      [order.id],
    );
    const risk = await onlyRisk();
    await decide(risk, { decision: 'confirm' });
    expect(await states()).toEqual([{ status: 'cancelled', cancellation: 'risk', held: false }]);
    await decide(risk, { decision: 'clear' });
    expect(await states()).toEqual([{ status: 'added', cancellation: null, held: false }]);
    await expectIntegrity(stage.at.fixture);
  });

  test('deducts paid commissions once the risk is confirmed', async () => {
    const { at } = stage;
    const order = await sell();
    await decide(await onlyRisk(), { decision: 'clear' });
    await at.payOut(family.affiliate);
    await decide(await onlyRisk(), { decision: 'confirm' });
    expect(await at.balances(family.affiliate)).toMatchObject({ paid: 20_000, payable: -20_000 });
    await at.refund(order, 50_000);
    await expectIntegrity(at.fixture);
    await decide(await onlyRisk(), { decision: 'clear' });
    expect(await at.balances(family.affiliate)).toMatchObject({ paid: 20_000, payable: -10_000 });
    await expectIntegrity(at.fixture);
  });

  test.each(['cancelled', 'refunded'])(
    'makes the open risk void when the order is %s, and open again when the order is reopened',
    async (status) => {
      const { at } = stage;
      const order = await sell({ status: 'on-hold' });
      if (status === 'refunded') {
        await at.change(order, { status: 'completed' });
        await at.refund(order);
      } else await at.change(order, { status });
      const risk = await onlyRisk();
      expect(risk.status).toBe('void');
      expect((await decide(risk, { decision: 'clear' })).body.code).toBe('risk_void');
      await expectIntegrity(at.fixture);
      if (status === 'refunded') return;
      await at.change(order, { status: 'on-hold' });
      await at.change(order, { status: 'completed' });
      expect((await onlyRisk()).status).toBe('open');
      expect(await at.balances(family.affiliate)).toMatchObject({ held: 20_000 });
      await expectIntegrity(at.fixture);
    },
  );

  test('holds the deduction of a refund together with the commission', async () => {
    const { at } = stage;
    const order = await sell();
    await at.refund(order, 50_000);
    expect(await at.balances(family.affiliate)).toMatchObject({ held: 10_000, payable: 0 });
    await expectIntegrity(at.fixture);
  });

  test('is checked again for its new affiliate, and the previous risk is void', async () => {
    const { at } = stage;
    const order = await sell();
    const other = await at.fixture.newAffiliate();
    await at.change(order, { affiliate_id: other.id });
    expect((await onlyRisk()).status).toBe('void');
    expect(await at.balances(other)).toMatchObject({ payable: 20_000 });
    await at.change(order, { affiliate_id: family.affiliate.id });
    const risks = await risksOf(family.affiliate);
    expect(risks.map(({ status, evidence }) => [status, evidence?.commission])).toEqual([
      ['open', 30_000],
      ['void', 0],
    ]);
    expect(await at.balances(family.affiliate)).toMatchObject({ held: 20_000 });
    await expectIntegrity(at.fixture);
  });

  test('shows the affiliate that the commission is held, and nothing else', async () => {
    const { at } = stage;
    await sell();
    const session = await at.fixture.store.session(family.affiliate.id);
    const { body } = await session.get('/me/commissions');
    expect(body.data[0]).toMatchObject({ state: 'held', flags: [], note: null });
    expect(JSON.stringify(body)).not.toContain('same-bank');
  });

  test('shows no evidence once either person was erased', async () => {
    await sell();
    await stage.at.fixture.api.delete(`/users/${family.sister.id}`);
    expect(await onlyRisk()).toMatchObject({ kind: 'same-bank', evidence: null });
  });
});

test("A buyer's bank account matches the affiliate's by its number, even if the name of the bank or the holder has a digit", async () => {
  const { fixture } = stage.at;
  const own = { bank_code: '014', bank_name: 'BCA', number: `550${account}`, holder: 'Citra' };
  const seller = await fixture.newAffiliate({ bank_account: own });
  for (const [fields, found] of [
    [{ bank_name: 'BCA KCP 2' }, 1],
    [{ holder: 'Citra 2' }, 2],
    [{ number: `551${account}` }, 2],
  ] as const) {
    const buyer = await fixture.newUser({ bank_account: { ...own, ...fields } });
    await sell({ user_id: buyer.id, affiliate_id: seller.id });
    const risks = await risksOf(seller);
    expect(risks.map(({ kind }) => kind)).toEqual(Array.from({ length: found }, () => 'same-bank'));
  }
});

describe('A risk at a higher tier', () => {
  test('holds that tier alone', async () => {
    const { at } = stage;
    const order = await sell({ user_id: (await at.fixture.newUser(contactsOf(family.upline))).id });
    expect(await at.amounts(order)).toEqual([
      [1, 20_000, 'payable'],
      [2, 10_000, 'held'],
    ]);
    const [risk] = await risksOf(family.upline);
    expect(risk).toMatchObject({ kind: 'self-email', tier: 2 });
    await decide(risk, { decision: 'confirm' });
    expect(await at.fixture.order(order.id)).toMatchObject({ affiliate_id: family.affiliate.id });
    expect((await at.amounts(order))[1]).toEqual([2, 10_000, 'cancelled']);
    await expectIntegrity(at.fixture);
  });

  const contactsOf = ({ email }: User) => ({ email: email.replace('@', '+shop@') });
});

describe('Two affiliates with one bank account', () => {
  const brother = () => stage.at.fixture.newAffiliate({ bank_info: `BCA ${account}` });
  const buyer = async () => ({ user_id: (await stage.at.fixture.newUser()).id });

  test('are one risk, which holds each of their orders and is decided once', async () => {
    const { at } = stage;
    const other = await brother();
    const orders = [
      await sell(await buyer()),
      await sell(await buyer()),
      await sell({ ...(await buyer()), affiliate_id: other.id }),
    ];
    const risk = await onlyRisk();
    expect(risk).toMatchObject({ kind: 'shared-bank', evidence: { commission: 80_000 } });
    expect(risk.evidence?.orders).toEqual(orders.map(({ id }) => id).toReversed());
    expect(await at.balances(other)).toMatchObject({ held: 20_000 });
    expect((await decide(risk, { decision: 'clear' })).status).toBe(200);
    expect(await at.balances(family.affiliate)).toMatchObject({ held: 0, payable: 40_000 });
    await sell(await buyer());
    expect((await onlyRisk()).status).toBe('cleared');
    await decide(await onlyRisk(), { decision: 'confirm' });
    expect(await at.balances(other)).toMatchObject({ held: 0, payable: 0 });
    await expectIntegrity(at.fixture);
  });

  test('have paid commissions of several tiers deducted once the risk is confirmed', async () => {
    const { at } = stage;
    await brother();
    const below = await at.fixture.newAffiliate({ affiliate_id: family.affiliate.id });
    await sell({ ...(await buyer()), affiliate_id: below.id });
    await sell(await buyer());
    const risk = await onlyRisk();
    expect((await decide(risk, { decision: 'clear' })).status).toBe(200);
    await at.payOut(family.affiliate);
    expect((await decide(risk, { decision: 'confirm' })).status).toBe(200);
    expect(await at.balances(family.affiliate)).toMatchObject({ paid: 30_000, payable: -30_000 });
    await expectIntegrity(at.fixture);
  });

  test('are found by the number, however the bank and the holder are spelled', async () => {
    const { fixture } = stage.at;
    const own = { bank_code: '014', bank_name: 'BCA KCP 2', number: `${account}`, holder: 'Bo 3' };
    await fixture.newAffiliate({ bank_account: own });
    await sell(await buyer());
    expect(await onlyRisk()).toMatchObject({ kind: 'shared-bank' });
  });

  test('are found by a phone with an extension', async () => {
    const { fixture } = stage.at;
    await fixture.set('country', 'ID');
    await fixture.newAffiliate({ phone: '0812 7777 1234 ext 12' });
    const other = await fixture.newAffiliate({ phone: '+62 812-7777-1234' });
    await sell({ ...(await buyer()), affiliate_id: other.id });
    expect(await risksOf(other)).toMatchObject([{ kind: 'other-account' }]);
    await fixture.set('country', '');
  });

  test('are found among others whose phones end with the same digits', async () => {
    const { fixture } = stage.at;
    await fixture.set('country', 'ID');
    for (let prefix = 11; prefix < 30; prefix++)
      await fixture.newAffiliate({ phone: `08${prefix} 5566 778` });
    const other = await fixture.newAffiliate({ phone: '+62 829 5566 778' });
    await sell({ ...(await buyer()), affiliate_id: other.id });
    expect(await risksOf(other)).toMatchObject([{ kind: 'other-account' }]);
    await fixture.set('country', '');
  });

  test('are found, ten at a time, beside pairs that were cleared', async () => {
    const others = [];
    for (let i = 0; i < 12; i++) others.push((await brother()).id);
    for (const left of [10, 2, 0]) {
      const order = await sell(await buyer());
      const open = await risksOf(family.affiliate, '&status=open&per_page=100');
      expect(open).toHaveLength(left);
      expect((await stage.at.amounts(order))[0]).toEqual([1, 20_000, left ? 'held' : 'payable']);
      for (const risk of open) await decide(risk, { decision: 'clear' });
    }
    const cleared = await risksOf(family.affiliate, '&status=cleared&per_page=100');
    expect(new Set(cleared.map(({ other_id }) => other_id))).toEqual(new Set(others));
  });

  test('are found by their mailbox or phone as well', async () => {
    const { at } = stage;
    const { email } = family.affiliate;
    await at.fixture.newAffiliate({ email: email.replace('@', '+2@') });
    await sell(await buyer());
    expect(await onlyRisk()).toMatchObject({ kind: 'other-account' });
    await expectIntegrity(at.fixture);
  });
});

test('A buyer who orders often through one affiliate is a risk, as often as the settings say', async () => {
  const { at } = stage;
  await at.fixture.set('velocity_orders', 2);
  const { id: user_id } = await at.fixture.newUser();
  for (let i = 0; i < 3; i++) await sell({ user_id });
  expect(await onlyRisk()).toMatchObject({ kind: 'velocity', other_id: user_id });
  await decide(await onlyRisk(), { decision: 'clear', trust: true });
  await sell({ user_id: (await at.fixture.newUser()).id });
  await sell({ user_id });
  expect(await onlyRisk()).toMatchObject({ status: 'cleared' });
  await at.fixture.set('velocity_orders', 5);
});

test('A buyer who orders often through one affiliate is a risk, whatever they order in between', async () => {
  const { at } = stage;
  await at.fixture.set('velocity_orders', 2);
  const { id: user_id } = await at.fixture.newUser();
  const { id: other } = await at.fixture.newProduct({ price: 1000 });
  const second = await at.fixture.newAffiliate();
  for (let sale = 0; sale < 3; sale++) {
    await sell({ user_id });
    await sell({ user_id, affiliate_id: second.id });
    for (let i = 0; i < 10; i++) {
      const { id } = await at.fixture.newOrder({ product_id: other, user_id });
      await at.fixture.api.patch(`/orders/${id}`, { status: 'cancelled' });
    }
  }
  expect(await onlyRisk()).toMatchObject({ kind: 'velocity', other_id: user_id });
  expect(await risksOf(second)).toMatchObject([{ kind: 'velocity', other_id: user_id }]);
  await at.fixture.set('velocity_orders', 5);
});

test('Commissions are listed by the kinds of risks that were found', async () => {
  const { at } = stage;
  const order = await sell();
  const { body } = await at.fixture.api.get(
    `/commissions?flags=self-phone,same-bank&order_id=${order.id}`,
  );
  expect(body.data).toMatchObject([{ tier: 1, flags: ['same-bank'] }]);
  const none = await at.fixture.api.get(`/commissions?flags=velocity&order_id=${order.id}`);
  expect(none.body.data).toEqual([]);
  expect((await at.fixture.api.get('/commissions?flags=nonsense')).status).toBe(400);
});

test('Open risks are a task of the store, with the time of the oldest', async () => {
  await sell();
  const { body } = await stage.at.fixture.api.get('/overview');
  const { open, oldest_at } = body.data.to_do.risks;
  const { body: list } = await stage.at.fixture.api.get('/risks?status=open&sort=id');
  expect([open, oldest_at]).toEqual([list.meta.pagination.total, list.data[0].created_at]);
});

test('The integrity check notices commissions whose hold contradicts their risks', async () => {
  const { at } = stage;
  const order = await sell();
  for (const damage of [
    `update commissions set held = false where order_id = ${order.id}`,
    `update risks set status = 'cleared' where order_id = ${order.id}`,
  ]) {
    await expectNoticed(at.fixture, 'commissions that open risks hold', damage);
  }
});
