import { beforeAll, expect, test } from 'vitest';
import type { Order } from '../../src/domain/order/schemas.ts';
import type { Product } from '../../src/domain/product/schemas.ts';
import type { User } from '../../src/domain/user/schemas.ts';
import { day, nothing, useAffiliateStore } from '../harness/affiliates.ts';
import { expectIntegrity } from '../harness/integrity.ts';

// One sale from its order to its last refund, step by step; every figure worked out by hand.
//
// Two items of 150,000 with the coupon's 10 per cent off are 270,000. The 11 per cent of tax within
// are 26,757 (26,756.76), so the commissions' base is 243,243. Of it
//   tier 1, the middle affiliate, gets 20 per cent:                  48,649 (48,648.60)
//   tier 2, the top affiliate, 12.5 per cent by her group:           30,405 (30,405.38)
//   tier 3, the founder, 5,000 an item:                              10,000

const stage = useAffiliateStore();
let founder: User;
let course: Product;
let buyer: User;
let coupon: { id: number; code: string };
let sale: Order;

beforeAll(async () => {
  const { at } = stage;
  const { api, newAffiliate, newUser, store } = at.fixture;
  founder = await newAffiliate({ display_name: 'Founder' });
  const gold = await api.post('/user-groups', {
    name: 'Gold',
    commissions: [{ tier: 2, fee: 12.5, type: 'percentage' }],
  });
  await api.post(`/users/${at.top.id}/group`, { group_id: gold.body.data.id });
  await api.patch(`/users/${at.top.id}`, { affiliate_id: founder.id });
  buyer = await newUser({ affiliate_id: at.seller.id });
  course = await at.newCourse(
    {
      tiers: [
        { tier: 1, fee: 20, type: 'percentage' },
        { tier: 2, fee: 10, type: 'percentage' },
        { tier: 3, fee: 5000, type: 'fixed' },
      ],
      hold_days: 7,
    },
    { price: 150_000, tax: { enabled: true, rate: 11, inclusive: true } },
  );
  const template = await api.post('/coupons', {
    code: 'FRIENDS',
    discount: { value: 10, type: 'percentage' },
    rule: { use_by_affiliate: true },
  });
  const middle = await store.session(at.middle.id);
  const copy = await middle.post('/me/affiliate-coupons', {
    code: 'MIDDLE10',
    coupon_parent_id: template.body.data.id,
  });
  const active = await api.patch(`/coupons/${copy.body.data.id}`, { status: 'active' });
  coupon = active.body.data;
});

/** The rows of the sale, oldest first: earner, tier, kind, amount, state. */
const rows = async (order: Order) =>
  (await stage.at.ledger(order)).map(({ affiliate_id, tier, kind, commission, state }) => [
    affiliate_id,
    tier,
    kind,
    commission,
    state,
  ]);

/** The amounts of the four affiliates in each state, from the seller up. */
const balances = async () => {
  const { at } = stage;
  const chain = [at.seller, at.middle, at.top, founder];
  return Promise.all(chain.map((person) => at.balances(person)));
};

const info = async (person: User, query = '') => {
  const { body } = await stage.at.fixture.api.get(
    `/affiliates/${person.id}/commission-info?${query}`,
  );
  return body.data;
};

const usage = async () =>
  (await stage.at.fixture.api.get(`/coupons/${coupon.code}`)).body.data.usage;

const payouts = async (person: User) => {
  const { body } = await stage.at.fixture.api.get(`/payouts?affiliate_id=${person.id}`);
  return body.data.map(({ amount, commissions, status }: Record<string, unknown>) => [
    amount,
    commissions,
    status,
  ]);
};

test('the order counts for the owner of its coupon, not for the sponsor of its buyer', async () => {
  const { at } = stage;
  sale = await at.fixture.newOrder({
    product_id: course.id,
    user_id: buyer.id,
    quantity: 2,
    coupon_code: 'middle10',
  });
  expect(sale).toMatchObject({
    subtotal: 300_000,
    discount_total: 30_000,
    grand_total: 270_000,
    status: 'on-hold',
    affiliate_id: at.middle.id,
    affiliate: { id: at.middle.id, display_name: 'Middle' },
    attribution: { affiliate_id: at.middle.id, source: 'coupon' },
  });
  expect(await rows(sale)).toEqual([
    [at.middle.id, 1, 'sale', 48_649, 'pending'],
    [at.top.id, 2, 'sale', 30_405, 'pending'],
    [founder.id, 3, 'sale', 10_000, 'pending'],
  ]);
  expect(await at.ledger(sale)).toMatchObject([
    { base_amount: 243_243, rate: 20, rate_type: 'percentage', rate_source: 'product' },
    { base_amount: 243_243, rate: 12.5, rate_type: 'percentage', rate_source: 'group' },
    { base_amount: 243_243, rate: 5000, rate_type: 'fixed', rate_source: 'product' },
  ]);
  expect(await balances()).toEqual([
    nothing,
    { ...nothing, pending: 48_649 },
    { ...nothing, pending: 30_405 },
    { ...nothing, pending: 10_000 },
  ]);
  expect(await usage()).toBe(1);
});

test('the commission of the completed order is earned, and held for the hold days of the product', async () => {
  const { at } = stage;
  at.fixture.store.clock.set('2026-03-12T09:00:00Z');
  await at.change(sale, { status: 'completed' });
  const ledger = await at.ledger(sale);
  expect(ledger.map(({ hold_until }) => hold_until)).toEqual([
    '2026-03-19T09:00:00.000Z',
    '2026-03-19T09:00:00.000Z',
    '2026-03-19T09:00:00.000Z',
  ]);
  expect(await balances()).toEqual([
    nothing,
    { ...nothing, held: 48_649 },
    { ...nothing, held: 30_405 },
    { ...nothing, held: 10_000 },
  ]);
  expect(await at.payOut(at.middle)).toMatchObject({
    status: 409,
    body: { code: 'nothing_payable' },
  });
});

test('a refund of a third within the hold takes back a third of the commission', async () => {
  const { at } = stage;
  // 81,081 of the base are gone, 162,162 are kept: 32,432 (32,432.40), 20,270 (20,270.25) and two
  // thirds of 10,000, 6,667 (6,666.67).
  at.fixture.store.clock.set('2026-03-15T09:00:00Z');
  await at.refund(sale, 90_000);
  expect(await at.fixture.order(sale.id)).toMatchObject({
    status: 'completed',
    payment_status: 'partially-refunded',
    net_total: 180_000,
  });
  expect(await rows(sale)).toEqual([
    [at.middle.id, 1, 'sale', 48_649, 'held'],
    [at.top.id, 2, 'sale', 30_405, 'held'],
    [founder.id, 3, 'sale', 10_000, 'held'],
    [at.middle.id, 1, 'refund-adjustment', -16_217, 'held'],
    [at.top.id, 2, 'refund-adjustment', -10_135, 'held'],
    [founder.id, 3, 'refund-adjustment', -3333, 'held'],
  ]);
  const held = await at.ledger(sale);
  expect(held.slice(3).map(({ base_amount, parent_id }) => [base_amount, parent_id])).toEqual(
    held.slice(0, 3).map(({ id }) => [162_162, id]),
  );
  expect(await balances()).toEqual([
    nothing,
    { ...nothing, held: 32_432 },
    { ...nothing, held: 20_270 },
    { ...nothing, held: 6667 },
  ]);
  expect(await usage()).toBe(1);
});

test('after the hold, the commission is paid out to the affiliates who are due a payout', async () => {
  const { at } = stage;
  at.fixture.store.clock.set('2026-03-19T08:59:59Z');
  expect((await at.payOut(at.middle)).status).toBe(409);
  at.fixture.store.clock.set('2026-03-19T09:00:00Z');
  expect(await balances()).toEqual([
    nothing,
    { ...nothing, payable: 32_432 },
    { ...nothing, payable: 20_270 },
    { ...nothing, payable: 6667 },
  ]);
  const paid = await at.payOut(at.middle);
  expect(paid).toMatchObject({
    status: 201,
    body: { data: { amount: 32_432, commissions: 2, affiliate_id: at.middle.id } },
  });
  expect(await at.payOut(at.top)).toMatchObject({ body: { data: { amount: 20_270 } } });
  expect(await rows(sale)).toEqual([
    [at.middle.id, 1, 'sale', 48_649, 'paid'],
    [at.top.id, 2, 'sale', 30_405, 'paid'],
    [founder.id, 3, 'sale', 10_000, 'payable'],
    [at.middle.id, 1, 'refund-adjustment', -16_217, 'paid'],
    [at.top.id, 2, 'refund-adjustment', -10_135, 'paid'],
    [founder.id, 3, 'refund-adjustment', -3333, 'payable'],
  ]);
  expect(await balances()).toEqual([
    nothing,
    { ...nothing, paid: 32_432 },
    { ...nothing, paid: 20_270 },
    { ...nothing, payable: 6667 },
  ]);
  expect(await info(at.middle)).toMatchObject({
    total_commission: 32_432,
    orders: 1,
    last_paid_at: '2026-03-19T09:00:00.000Z',
  });
});

test('after a later refund of the rest, the paid commission is a debt and the unpaid one is cancelled', async () => {
  const { at } = stage;
  at.fixture.store.clock.set('2026-03-25T09:00:00Z');
  await at.refund(sale);
  expect(await at.fixture.order(sale.id)).toMatchObject({ status: 'refunded', net_total: 0 });
  expect(await rows(sale)).toEqual([
    [at.middle.id, 1, 'sale', 48_649, 'paid'],
    [at.top.id, 2, 'sale', 30_405, 'paid'],
    [founder.id, 3, 'sale', 10_000, 'cancelled'],
    [at.middle.id, 1, 'refund-adjustment', -16_217, 'paid'],
    [at.top.id, 2, 'refund-adjustment', -10_135, 'paid'],
    [founder.id, 3, 'refund-adjustment', -3333, 'cancelled'],
    [at.middle.id, 1, 'refund-adjustment', -32_432, 'payable'],
    [at.top.id, 2, 'refund-adjustment', -20_270, 'payable'],
  ]);
  expect(await balances()).toEqual([
    nothing,
    { ...nothing, paid: 32_432, payable: -32_432 },
    { ...nothing, paid: 20_270, payable: -20_270 },
    nothing,
  ]);
  expect(await info(at.middle)).toMatchObject({ total_commission: 0 });
  expect((await at.payOut(at.middle)).body.code).toBe('nothing_payable');
  expect(await usage()).toBe(0);
});

test('the next payout deducts the debt', async () => {
  const { at } = stage;
  // Three items without a coupon: 450,000, of which 44,595 tax; 20 per cent of 405,405 are 81,081.
  const next = await at.sell(course, { affiliate_id: at.middle.id, quantity: 3 });
  await at.change(next, { status: 'completed' });
  expect(await rows(next)).toMatchObject([
    [at.middle.id, 1, 'sale', 81_081, 'held'],
    [at.top.id, 2, 'sale', 50_676, 'held'],
    [founder.id, 3, 'sale', 15_000, 'held'],
  ]);
  at.fixture.store.clock.advance(7 * day);
  const paid = await at.payOut(at.middle);
  expect(paid.body.data).toMatchObject({ amount: 48_649, commissions: 2 });
  expect(await balances()).toEqual([
    nothing,
    { ...nothing, paid: 81_081 },
    { ...nothing, paid: 20_270, payable: 30_406 },
    { ...nothing, payable: 15_000 },
  ]);
  expect(await payouts(at.middle)).toEqual([
    [48_649, 2, 'paid'],
    [32_432, 2, 'paid'],
  ]);
  expect(await info(at.middle, `product_id=${course.id}`)).toMatchObject({
    paid_commission: 81_081,
    total_commission: 81_081,
    orders: 2,
  });
});

test('lists, rankings and every derived figure agree', async () => {
  const { at } = stage;
  const { api } = at.fixture;
  const listed = async (query: string) => (await api.get(`/commissions?${query}`)).body;
  const ofMiddle = await listed(`affiliate_id=${at.middle.id}&status=paid`);
  expect(ofMiddle.meta.pagination.total).toBe(4);
  expect((await listed(`product_id=${course.id}&status=cancelled`)).data).toHaveLength(2);
  expect((await listed(`order_id=${sale.id}`)).meta.pagination.total).toBe(8);
  const [leader] = (await api.get('/affiliates/leaderboard?calculate=revenue')).body.data;
  expect(leader).toMatchObject({ id: at.middle.id, rank: 1, raw_total: 450_000 });
  expect((await api.get(`/affiliates/${at.top.id}/rank`)).body.data).toMatchObject({ rank: null });
  await expectIntegrity(at.fixture);
});
