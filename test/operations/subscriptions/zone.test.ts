import { beforeAll, expect, test } from 'vitest';
import { expectIntegrity } from '../../harness/integrity.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';

const opened = useStoreFixture();
let club: number;

beforeAll(async () => {
  await opened.fixture.set('timezone', 'Europe/Berlin');
  const regular = { duration: 1, period: 'monthly', price: 50_000 };
  const tryout = { active: true, duration: 7, period: 'daily', first_only: true };
  const product = await opened.fixture.newProduct({
    subscription: { active: true, regular, tryout },
  });
  club = product.id;
});

test.each([
  ['a month over the clocks put forward', '2026-03-15T08:00:00Z', '2026-04-15T07:00:00.000Z'],
  ['a month over the clocks put back', '2026-10-15T07:00:00Z', '2026-11-15T08:00:00.000Z'],
  [
    'a month from the 31st there, the 30th in UTC',
    '2026-01-30T23:30:00Z',
    '2026-02-27T23:30:00.000Z',
  ],
])('%s ends at the same time of day on the clocks of the store', async (_, start, end) => {
  const { store, api, newOrder } = opened.fixture;
  store.clock.set(start);
  const { user_id } = await newOrder({
    product_id: club,
    type: 'subscription-regular',
    status: 'completed',
  });
  const { body } = await api.get(`/access/check?user_id=${user_id}&product_id=${club}`);
  expect(body.detail.end_active).toBe(end);
});

test('a trial over a change of the clocks, and its renewal, end at the same time of day', async () => {
  const { store, api, newOrder } = opened.fixture;
  store.clock.set('2026-03-26T08:00:00Z');
  const trial = await newOrder({ product_id: club });
  const { user_id } = trial;
  const end = async () => {
    const { body } = await api.get(`/access/check?user_id=${user_id}&product_id=${club}`);
    return body.detail.end_active;
  };
  expect(await end()).toBe('2026-04-02T07:00:00.000Z');
  const renewal = { order_parent_id: trial.id, status: 'completed' };
  await newOrder({ product_id: club, user_id, ...renewal });
  expect(await end()).toBe('2026-05-02T07:00:00.000Z');
});

test('after these tests every derived figure is right', () => expectIntegrity(opened.fixture));
