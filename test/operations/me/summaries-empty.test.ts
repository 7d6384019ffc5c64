import { beforeAll, expect, test } from 'vitest';
import { useStoreFixture } from '../../harness/store-fixture.ts';

const stage = useStoreFixture();

const nothing = { lead: 0, sales: 0, revenue: 0, commission: 0 };

beforeAll(() => stage.fixture.set('timezone', 'Asia/Jakarta'));

const empty = {
  ...{ currency: 'USD', timezone: 'Asia/Jakarta' },
  ...{ today: nothing, yesterday: nothing, this_month: nothing, all: nothing },
  commission: { pending: 0, unpaid: 0, paid: 0, held: 0 },
  orders: { unpaid: 0, processing: 0, completed: 0 },
  ...{ access_count: 0, licenses_count: 0, recent_orders: [] },
  subscriptions: { active: 0, expiring_7d: 0 },
};

test('before the first order the summary of a member is empty', async () => {
  const app = await stage.fixture.store.session((await stage.fixture.newAffiliate()).id);
  const { body } = await app.get('/me/home-summary');
  expect(body.data).toEqual({ ...empty, rank: null });
});

test('before the first order the summary of the store is empty', async () => {
  const { session } = await stage.fixture.newAdministrator();
  const { body } = await session.get('/me/admin-summary');
  const { chart, ...figures } = body.data;
  expect(figures).toEqual({
    ...empty,
    orders_by_status: {
      ...{ 'on-hold': 0, 'payment-confirm': 0, 'in-progress': 0, shipping: 0 },
      ...{ completed: 0, refunded: 0, cancelled: 0 },
    },
    ...{ confirmations_pending: 0, payouts_due: 0, webhooks_paused: 0 },
    ...{ top_products: [], top_affiliates: [] },
  });
  expect(chart.labels).toHaveLength(30);
  expect([chart.labels[0], chart.labels[29]]).toEqual(['2026-02-09', '2026-03-10']);
  expect(new Set([...chart.quantity, ...chart.revenue])).toEqual(new Set([0]));
});
