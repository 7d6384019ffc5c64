import { describe, expect, test } from 'vitest';
import { day, nothing, percentages, useAffiliateStore } from '../../harness/affiliates.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import type { Commission } from '../../../src/domain/commission/schemas.ts';

const stage = useAffiliateStore();

/** An order whose first tier gets 20,000. */
async function sold(affiliate: object = {}) {
  const { at } = stage;
  const order = await at.sell(await at.newCourse({ tiers: percentages(20), ...affiliate }));
  const [row] = await at.ledger(order);
  if (!row) throw new Error('An order of the seller pays a commission.');
  return { at, order, row };
}

describe('A figure set by hand', () => {
  test('is the full amount of the tier, and shrinks with refunds', async () => {
    const { at, order, row } = await sold();
    const reply = await at.adjust(row, { commission: 30_000, reason: 'A promise.' });
    expect(reply).toMatchObject({
      status: 200,
      trips: 2,
      body: { data: { commission: 30_000, rate_source: 'manual', note: 'A promise.', version: 2 } },
    });
    await at.change(order, { status: 'completed' });
    await at.refund(order, 50_000);
    expect(await at.amounts(order)).toEqual([
      [1, 30_000, 'held'],
      [1, -15_000, 'held'],
    ]);
    await at.adjust(row, { commission: 10_000, reason: 'Another promise.' });
    expect(await at.amounts(order)).toEqual([
      [1, 10_000, 'held'],
      [1, -15_000, 'held'],
      [1, 10_000, 'held'],
    ]);
    await expectIntegrity(at.fixture);
  });

  test('requires a reason, and does not change the other tiers', async () => {
    const { at, row } = await sold({ tiers: percentages(20, 10) });
    expect(await at.adjust(row, { commission: 1 })).toMatchObject({
      status: 400,
      body: {
        code: 'rest_missing_callback_param',
        data: { params: { reason: 'is required with commission' } },
      },
    });
    expect(await at.adjust(row, { commission: 90_001, reason: 'Too much.' })).toMatchObject({
      status: 400,
      body: { code: 'rest_invalid_param', data: { params: { commission: expect.any(String) } } },
    });
    expect((await at.adjust(row, { commission: 90_000, reason: 'All of it.' })).status).toBe(200);
  });
});

describe('A status set by hand', () => {
  test('cancels the tier with its adjustments, whatever the order does then', async () => {
    const { at, order, row } = await sold({ tiers: percentages(20, 10) });
    await at.change(order, { status: 'completed' });
    await at.refund(order, 10_000);
    expect((await at.adjust(row, { status: 'cancelled', note: 'Fraud.' })).status).toBe(200);
    await at.change(order, { status: 'in-progress' });
    await at.change(order, { status: 'completed' });
    expect(await at.amounts(order)).toEqual([
      [1, 20_000, 'cancelled'],
      [2, 10_000, 'held'],
      [1, -2000, 'cancelled'],
      [2, -1000, 'held'],
    ]);
    await at.adjust(row, { status: 'pending' });
    expect((await at.amounts(order))[2]).toEqual([1, -2000, 'pending']);
    await expectIntegrity(at.fixture);
  });

  test('that cancels a commission survives a reopening of its order', async () => {
    const { at, order, row } = await sold();
    await at.adjust(row, { status: 'cancelled' });
    await at.change(order, { status: 'cancelled' });
    expect(await at.adjust(row, { status: 'pending' })).toMatchObject({
      status: 409,
      body: {
        code: 'rest_invalid_transition',
        data: { from: 'cancelled', to: 'pending', allowed: [] },
      },
    });
    await at.change(order, { status: 'on-hold' });
    expect(await at.amounts(order)).toEqual([[1, 20_000, 'cancelled']]);
  });

  test("of `pending` lasts until the order's status changes", async () => {
    const { at, order, row } = await sold({ hold_days: 0 });
    await at.change(order, { status: 'completed' });
    await at.adjust(row, { status: 'pending' });
    await at.change(order, { meta: { seen: true } });
    expect(await at.amounts(order)).toEqual([[1, 20_000, 'pending']]);
    await at.change(order, { status: 'in-progress' });
    await at.change(order, { status: 'completed' });
    expect(await at.amounts(order)).toEqual([[1, 20_000, 'payable']]);
  });

  test('adds a pending commission before its time, with its hold', async () => {
    const { at, row } = await sold();
    const { body } = await at.adjust(row, { status: 'added' });
    expect(body.data).toMatchObject({ status: 'added', state: 'held' });
    const until = at.fixture.store.clock.now().getTime() + 7 * day * 1000;
    expect(Date.parse(body.data.hold_until)).toBe(until);
  });
});

describe('A commission paid by hand', () => {
  test('has to be payable', async () => {
    const { at, order, row } = await sold();
    const refused = { status: 409, body: { code: 'commission_not_payable' } };
    expect(await at.adjust(row, { paid_status: true })).toMatchObject(refused);
    await at.change(order, { status: 'completed' });
    expect(await at.adjust(row, { paid_status: true })).toMatchObject(refused);
    at.fixture.store.clock.advance(7 * day);
    expect((await at.adjust(row, { paid_status: true })).body.data).toMatchObject({
      paid_status: true,
      state: 'paid',
      payout_id: null,
    });
  });

  test('is never changed again', async () => {
    const { at, order, row } = await sold({ hold_days: 0 });
    await at.change(order, { status: 'completed' });
    await at.adjust(row, { paid_status: true });
    const refused = { status: 409, body: { code: 'commission_paid' } };
    for (const body of [
      { paid_status: false },
      { status: 'cancelled' },
      { commission: 1, reason: 'Less.' },
      { note: 'Anything.' },
    ]) {
      expect(await at.adjust(row, body), JSON.stringify(body)).toMatchObject(refused);
    }
    expect(await at.fixture.api.delete(`/commissions/${row.id}`)).toMatchObject(refused);
    expect((await at.adjust(row, { paid_status: true, status: 'added' })).status).toBe(200);
  });
});

test("an adjustment follows its sale and can't be changed itself", async () => {
  const { at, order, row } = await sold();
  await at.change(order, { status: 'completed' });
  await at.refund(order, 50_000);
  const adjustment = (await at.ledger(order))[1] as Commission;
  expect(adjustment).toMatchObject({ kind: 'refund-adjustment', parent_id: row.id });
  const refused = {
    status: 409,
    body: { code: 'commission_adjustment', data: { parent_id: row.id } },
  };
  expect(await at.adjust(adjustment, { status: 'cancelled' })).toMatchObject(refused);
  expect(await at.adjust(adjustment, { commission: 1, reason: 'No.' })).toMatchObject(refused);
  expect(await at.fixture.api.delete(`/commissions/${adjustment.id}`)).toMatchObject(refused);
  expect((await at.adjust(adjustment, { note: 'Seen.' })).body.data.note).toBe('Seen.');
});

test('a deleted commission is in no list and no balance, and never comes back', async () => {
  const { at } = stage;
  const seller = await at.fixture.newAffiliate();
  const product = await at.newCourse({ tiers: percentages(20) });
  const order = await at.sell(product, { affiliate_id: seller.id });
  const [row] = await at.ledger(order);
  expect((await at.fixture.api.delete(`/commissions/${row?.id}`)).body.data).toEqual({
    id: row?.id,
    deleted: true,
  });
  expect((await at.fixture.api.get(`/commissions/${row?.id}`)).status).toBe(404);
  await at.change(order, { status: 'cancelled' });
  await at.change(order, { status: 'on-hold' });
  await at.change(order, { status: 'completed' });
  expect(await at.ledger(order)).toEqual([]);
  expect(await at.balances(seller)).toEqual(nothing);
  await expectIntegrity(at.fixture);
});

test('An order that gets its former affiliate again creates commissions for all tiers, even for a deleted one', async () => {
  const { at, order } = await sold({ tiers: percentages(20, 10), hold_days: 0 });
  await at.change(order, { status: 'completed' });
  const [, upline] = await at.ledger(order);
  await at.fixture.api.delete(`/commissions/${upline?.id}`);
  await at.change(order, { affiliate_id: null });
  await at.change(order, { affiliate_id: at.seller.id });
  expect(await at.amounts(order)).toEqual([
    [1, 20_000, 'cancelled'],
    [1, 20_000, 'payable'],
    [2, 10_000, 'payable'],
  ]);
  await expectIntegrity(at.fixture);
});

test('an update of an older version is a conflict, and an update without changes returns the record', async () => {
  const { at, row } = await sold();
  const same = await at.adjust(row, { status: 'pending', commission: 20_000, reason: 'Same.' });
  expect(same.body.data).toEqual(row);
  await at.adjust(row, { note: 'A first.' });
  const stale = await at.fixture.api.patch(
    `/commissions/${row.id}`,
    { note: 'A second.' },
    { headers: { 'if-match': '1' } },
  );
  expect(stale).toMatchObject({ status: 409, body: { code: 'rest_conflict' } });
});
