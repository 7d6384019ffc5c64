import { describe, expect, test } from 'vitest';
import { day, nothing, percentages, useAffiliateStore } from '../../harness/affiliates.ts';
import { expectIntegrity } from '../../harness/integrity.ts';

const stage = useAffiliateStore();

test('a commission of a coupon sale is held, refunded in part, paid out and refunded in full', async () => {
  const { at } = stage;
  const { fixture } = at;
  const a = await fixture.newAffiliate();
  const b = await fixture.newAffiliate({ affiliate_id: a.id });
  const c = await fixture.newAffiliate({ affiliate_id: b.id });
  const coupon = { code: 'MIDDLE10', user_id: b.id, discount: { value: 10, type: 'percentage' } };
  expect((await fixture.api.post('/coupons', coupon)).status).toBe(201);
  const product = await at.newCourse();

  // The sale counts for the coupon's owner, although the order names another affiliate.
  const named = { product_id: product.id, affiliate_id: c.id };
  const order = await fixture.newOrder({ ...named, coupon_code: 'MIDDLE10' });
  expect(order).toMatchObject({
    grand_total: 90_000,
    affiliate_id: b.id,
    attribution: { source: 'coupon' },
    affiliate: { id: b.id },
  });
  expect(await at.amounts(order)).toEqual([
    [1, 18_000, 'pending'],
    [2, 9000, 'pending'],
  ]);
  expect(await at.balances(b)).toEqual({ ...nothing, pending: 18_000 });
  expect(await at.balances(c)).toEqual(nothing);

  await at.change(order, { status: 'completed' });
  expect(await at.balances(b)).toEqual({ ...nothing, held: 18_000 });
  expect(await at.payOut(b)).toMatchObject({ status: 409, body: { code: 'nothing_payable' } });

  await at.refund(order, 30_000);
  expect(await at.amounts(order)).toEqual([
    [1, 18_000, 'held'],
    [2, 9000, 'held'],
    [1, -6000, 'held'],
    [2, -3000, 'held'],
  ]);
  expect(await at.balances(b)).toEqual({ ...nothing, held: 12_000 });

  fixture.store.clock.advance(7 * day + 1);
  expect(await at.balances(b)).toEqual({ ...nothing, payable: 12_000 });
  expect(await at.payOut(b)).toMatchObject({
    status: 201,
    trips: 2,
    body: { data: { amount: 12_000, commissions: 2, status: 'paid', affiliate: { id: b.id } } },
  });
  expect(await at.balances(b)).toEqual({ ...nothing, paid: 12_000 });

  await at.refund(order);
  expect((await fixture.order(order.id)).status).toBe('refunded');
  // A paid commission is deducted by a row of its own; an unpaid one is cancelled.
  expect(await at.amounts(order)).toEqual([
    [1, 18_000, 'paid'],
    [2, 9000, 'cancelled'],
    [1, -6000, 'paid'],
    [2, -3000, 'cancelled'],
    [1, -12_000, 'payable'],
  ]);
  expect(await at.balances(b)).toEqual({ ...nothing, payable: -12_000, paid: 12_000 });
  expect(await at.balances(a)).toEqual(nothing);
  expect((await at.payOut(b)).status).toBe(409);

  // The debt reduces the next sale.
  const next = await fixture.newOrder({ product_id: product.id, affiliate_id: b.id });
  await at.change(next, { status: 'completed' });
  fixture.store.clock.advance(7 * day + 1);
  expect((await at.payOut(b)).body.data).toMatchObject({ amount: 8000, commissions: 2 });
  expect(await at.balances(b)).toEqual({ ...nothing, paid: 20_000 });
  await expectIntegrity(fixture);
});

describe('A change of the order:', () => {
  test('a reopened order makes its commission wait again, and completing it again adds nothing', async () => {
    const { at } = stage;
    const order = await at.sell(await at.newCourse({ tiers: percentages(20) }));
    await at.change(order, { status: 'completed' });
    const [first] = await at.ledger(order);
    at.fixture.store.clock.advance(day);
    await at.change(order, { status: 'in-progress' });
    expect(await at.ledger(order)).toMatchObject([{ state: 'pending', hold_until: null }]);
    await at.change(order, { status: 'completed' });
    const [again] = await at.ledger(order);
    expect(again).toMatchObject({ id: first?.id, state: 'held' });
    expect(Date.parse(again?.hold_until ?? '') - Date.parse(first?.hold_until ?? '')).toBe(
      day * 1000,
    );
  });

  test('a cancelled order cancels its commission, and a reopened one restores it', async () => {
    const { at } = stage;
    const order = await at.sell(await at.newCourse());
    await at.change(order, { status: 'cancelled' });
    expect((await at.ledger(order)).map(({ state }) => state)).toEqual(
      Array.from({ length: 3 }, () => 'cancelled'),
    );
    await at.change(order, { status: 'on-hold' });
    expect(await at.amounts(order)).toEqual([
      [1, 20_000, 'pending'],
      [2, 10_000, 'pending'],
      [3, 5000, 'pending'],
    ]);
  });

  test('a paid commission stays when its order is reopened, cancelled and reopened', async () => {
    const { at } = stage;
    const { fixture } = at;
    const seller = await fixture.newAffiliate();
    const product = await at.newCourse({ tiers: percentages(20), hold_days: 0 });
    const order = await at.sell(product, { affiliate_id: seller.id });
    await at.change(order, { status: 'completed' });
    expect((await at.payOut(seller)).status).toBe(201);
    await at.change(order, { status: 'in-progress' });
    await at.change(order, { status: 'cancelled' });
    expect(await at.amounts(order)).toEqual([
      [1, 20_000, 'paid'],
      [1, -20_000, 'payable'],
    ]);
    await at.change(order, { status: 'on-hold' });
    expect((await at.amounts(order)).at(-1)).toEqual([1, 20_000, 'pending']);
    await at.change(order, { status: 'completed' });
    expect(await at.balances(seller)).toEqual({ ...nothing, paid: 20_000 });
    await expectIntegrity(fixture);
  });

  test('a debt stays payable while its order is open again', async () => {
    const { at } = stage;
    const seller = await at.fixture.newAffiliate();
    const product = await at.newCourse({ tiers: percentages(20), hold_days: 0 });
    const order = await at.sell(product, { affiliate_id: seller.id });
    await at.change(order, { status: 'completed' });
    await at.payOut(seller);
    await at.refund(order, 50_000);
    await at.change(order, { status: 'in-progress' });
    expect(await at.balances(seller)).toEqual({ ...nothing, payable: -10_000, paid: 20_000 });
  });

  test('an order that is reassigned pays the new affiliate instead', async () => {
    const { at } = stage;
    const { fixture } = at;
    const other = await fixture.newAffiliate();
    const order = await at.sell(await at.newCourse({ hold_days: 0 }));
    await at.change(order, { affiliate_id: other.id, status: 'completed' });
    expect(
      (await at.ledger(order)).map(({ affiliate_id, state }) => [affiliate_id, state]),
    ).toEqual([
      [at.seller.id, 'cancelled'],
      [at.middle.id, 'cancelled'],
      [at.top.id, 'cancelled'],
      [other.id, 'payable'],
    ]);
    expect(await at.balances(other)).toEqual({ ...nothing, payable: 20_000 });
    expect((await at.payOut(other)).status).toBe(201);
    const refused = await fixture.api.patch(`/orders/${order.id}`, { affiliate_id: null });
    expect(refused).toMatchObject({ status: 409, body: { code: 'commission_paid' } });
    await expectIntegrity(fixture);
  });

  test('an order on which commissions were paid is not erased', async () => {
    const { at } = stage;
    const { fixture } = at;
    const seller = await fixture.newAffiliate();
    const product = await at.newCourse({ hold_days: 0 });
    const order = await at.sell(product, { affiliate_id: seller.id });
    const untouched = await at.sell(product, { affiliate_id: seller.id });
    await at.change(order, { status: 'completed' });
    await at.payOut(seller);
    for (const status of ['in-progress', 'on-hold', 'cancelled'])
      await at.change(order, { status });
    await at.change(untouched, { status: 'cancelled' });
    expect(await fixture.api.delete(`/orders/${order.id}?force=true`)).toMatchObject({
      status: 409,
      body: { code: 'order_not_erasable' },
    });
    expect((await fixture.api.delete(`/orders/${untouched.id}?force=true`)).status).toBe(200);
    await expectIntegrity(fixture);
  });
});

test('webhooks get the events of commissions', async () => {
  const { at } = stage;
  const { fixture } = at;
  const { body } = await fixture.api.post('/webhooks', {
    name: 'Books',
    url: 'https://books.example.com/hook',
    events: ['commission.*', 'payout.*'],
  });
  const seller = await fixture.newAffiliate();
  const order = await at.sell(await at.newCourse({ hold_days: 0 }), { affiliate_id: seller.id });
  await at.change(order, { status: 'completed' });
  await at.payOut(seller);
  await at.refund(order, 50_000);
  const other = await at.sell(await at.newCourse(), { affiliate_id: seller.id });
  await at.change(other, { status: 'cancelled' });
  await at.change(other, { status: 'on-hold' });
  const { rows } = await fixture.store.database.query(
    'select event from outbox where webhook_id = $1 order by id',
    [body.data.id],
  );
  expect(rows.map(({ event }) => event)).toEqual([
    'commission.created',
    'commission.added',
    'commission.paid',
    'payout.paid',
    'commission.adjusted',
    'commission.created',
    'commission.cancelled',
    'commission.pending',
  ]);
});
