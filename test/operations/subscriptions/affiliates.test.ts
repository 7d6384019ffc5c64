import { expect, test } from 'vitest';
import { expectIntegrity } from '../../harness/integrity.ts';
import { useClubs } from './stage.ts';

const { fixture, user, newClub, buy } = useClubs();

const affiliate = {
  enabled: true,
  hold_days: 0,
  tiers: [{ tier: 1, fee: 20, type: 'percentage' }],
};
const tryout = { active: true, duration: 7, period: 'daily', first_only: true };

const earnedBy = async (id: number) => {
  const { body } = await fixture().api.get(`/commissions?affiliate_id=${id}&sort=id`);
  return (body.data as { commission: number }[]).map(({ commission }) => commission);
};

test('Each payment of a plan earns the affiliate of its first order a commission', async () => {
  const { id } = await fixture().newAffiliate();
  const club = await newClub({ payments: 3 }, { affiliate });
  const first = await buy(club, { status: 'completed', affiliate_id: id });
  const cart = { product_id: club, user_id: user(), order_parent_id: first.id };
  const quoted = await fixture().api.post('/checkout/calculate', cart);
  expect(quoted).toMatchObject({ trips: 1, body: { data: { affiliate: { id } } } });
  await buy(club, { order_parent_id: first.id, status: 'completed' });
  const named = await fixture().newAffiliate();
  await buy(club, { order_parent_id: first.id, status: 'completed', affiliate_id: named.id });
  expect(await earnedBy(id)).toEqual([10_000, 10_000]);
  expect(await earnedBy(named.id)).toEqual([10_000]);
});

test('The first paid term after a trial earns the affiliate of the trial a commission, and later terms nothing', async () => {
  const { id } = await fixture().newAffiliate();
  const club = await newClub({ tryout }, { affiliate });
  const trial = await buy(club, { affiliate_id: id });
  expect(trial).toMatchObject({ type: 'subscription-tryout', affiliate_id: id });
  for (const affiliate_id of [id, null])
    expect(await buy(club, { order_parent_id: trial.id, status: 'completed' })).toMatchObject({
      affiliate_id,
    });
  expect(await earnedBy(id)).toEqual([0, 10_000]);
});

test('A payment of a plan counts for nobody if the affiliate may no longer earn', async () => {
  const { id } = await fixture().newAffiliate();
  const club = await newClub({ payments: 3 }, { affiliate });
  const first = await buy(club, { status: 'completed', affiliate_id: id });
  expect((await fixture().api.patch(`/users/${id}`, { roles: ['member'] })).status).toBe(200);
  expect(await buy(club, { order_parent_id: first.id })).toMatchObject({
    affiliate_id: null,
    attribution: { affiliate_id: id, source: 'none', rejected_reason: 'not-eligible' },
  });
});

test('after these tests every derived figure is right', () => expectIntegrity(fixture()));
