import { expect, test } from 'vitest';
import { percentages, useAffiliateStore } from '../../harness/affiliates.ts';

const stage = useAffiliateStore();

test('The overview counts what affiliates are owed, drafts included, without the debt of another affiliate', async () => {
  const { at } = stage;
  const { api } = at.fixture;
  const product = await at.newCourse({ tiers: percentages(20), hold_days: 0 });
  const earner = async (fields: object = {}) => {
    const person = await at.fixture.newAffiliate(fields);
    const order = await at.sell(product, { affiliate_id: person.id });
    await at.change(order, { status: 'completed' });
    return { ...person, order };
  };
  const payoutsDue = async () => {
    const reply = await api.get('/overview');
    expect(reply).toMatchObject({ status: 200, trips: 1 });
    return reply.body.data.to_do.payouts_due;
  };
  const debtor = await earner({ bank_info: 'BCA 5501' });
  await at.payOut(debtor);
  await at.refund(debtor.order);
  await earner({ bank_info: 'BCA 5502' });
  await earner({ bank_info: 'BCA 5503' });
  expect(await payoutsDue()).toBe(40_000);
  const { body } = await api.post('/payout-runs', {});
  expect(body.data.totals).toMatchObject({ payable: 2, amount: 40_000 });
  expect(await payoutsDue()).toBe(40_000);
  await api.post(`/payout-runs/${body.data.id}/confirm`);
  expect(await payoutsDue()).toBe(0);
});
