import { beforeAll, expect, test } from 'vitest';
import type { Product } from '../../../src/domain/product/schemas.ts';
import { useAffiliateStore } from '../../harness/affiliates.ts';

const stage = useAffiliateStore();
let product: Product;
let buyer: number;
let administrator: number;

const nothing = { lead: 0, sales: 0, revenue: 0, commission: 0 };

beforeAll(async () => {
  const { at } = stage;
  await at.fixture.set('timezone', 'Asia/Jakarta');
  administrator = (await at.fixture.newAdministrator()).id;
  product = await at.newCourse({}, { license: { active: true, count: 1 } });
  buyer = (await at.fixture.newUser({ display_name: 'Bo', email: 'bo@people.example' })).id;
  await at.sell(product, { user_id: buyer, status: 'completed' });
  await at.sell(product, { user_id: buyer });
});

const home = async (id: number, query = '') => {
  const { store } = stage.at.fixture;
  const app = await store.session(id, { admin: id === administrator });
  const reply = await app.get(`/me/home-summary${query}`);
  expect(reply).toMatchObject({ status: 200, trips: 1 });
  expect(reply.body.meta).toEqual({ effective_user_id: id });
  return reply.body.data;
};

const store = async () => {
  const app = await stage.at.fixture.store.session(administrator, { admin: true });
  const reply = await app.get('/me/admin-summary');
  expect(reply).toMatchObject({ status: 200, trips: 1 });
  expect(reply.body.meta).toEqual({ effective_user_id: administrator });
  return reply.body.data;
};

test('the affiliate sees their sales and their commission', async () => {
  const { seller } = stage.at;
  const today = { lead: 2, sales: 1, revenue: 100_000, commission: 20_000 };
  expect(await home(seller.id)).toMatchObject({
    ...{ today, yesterday: nothing, this_month: today, all: today, rank: 1 },
    commission: { pending: 20_000, unpaid: 20_000, paid: 0, held: 20_000 },
    orders: { unpaid: 0, processing: 0, completed: 0 },
    ...{ access_count: 0, licenses_count: 0 },
  });
});

test('an affiliate above sees the commission, and no sale of their own', async () => {
  expect(await home(stage.at.middle.id)).toMatchObject({
    today: { lead: 0, sales: 0, revenue: 0, commission: 10_000 },
    ...{ rank: null, recent_orders: [] },
  });
});

test('the buyer sees their purchases, and nothing of the affiliate', async () => {
  expect(await home(buyer)).toMatchObject({
    ...{ today: nothing, all: nothing, rank: null },
    commission: { pending: 0, unpaid: 0, paid: 0, held: 0 },
    orders: { unpaid: 1, processing: 0, completed: 1 },
    ...{ access_count: 1, licenses_count: 1 },
  });
});

test('each of them sees the latest orders, the affiliate without the address of the buyer', async () => {
  const sold = (await home(stage.at.seller.id)).recent_orders;
  const bought = (await home(buyer)).recent_orders;
  const ids = (orders: { id: number }[]) => orders.map(({ id }) => id);
  expect(ids(sold)).toEqual(ids(bought));
  expect(bought[0].user).toMatchObject({ id: buyer, email: 'bo@people.example' });
  expect(sold[0].user).toMatchObject({ id: buyer, email: '' });
  expect(JSON.stringify(sold)).not.toContain('bo@people.example');
});

test('another user sees none of the sales, whatever id the query names', async () => {
  const { fixture, seller } = stage.at;
  const other = (await fixture.newUser()).id;
  const shown = await home(other, `?user_id=${buyer}&affiliate_id=${seller.id}`);
  expect(shown).toMatchObject({ all: nothing, rank: null, recent_orders: [], access_count: 0 });
  expect(await home(administrator)).toMatchObject({ all: nothing, recent_orders: [] });
});

test('the administrator sees all sales, with names', async () => {
  const { seller } = stage.at;
  const today = { lead: 2, sales: 1, revenue: 100_000, commission: 35_000 };
  const shown = await store();
  expect(shown).toMatchObject({
    ...{ today, yesterday: nothing, this_month: today, all: today },
    commission: { pending: 35_000, unpaid: 35_000, paid: 0, held: 35_000 },
    orders: { unpaid: 1, processing: 0, completed: 1 },
    orders_by_status: { 'on-hold': 1, completed: 1, shipping: 0 },
    ...{ access_count: 1, licenses_count: 1, payouts_due: 0 },
    top_products: [{ product_id: product.id, orders: 1, quantity: 1, revenue: 100_000 }],
    top_affiliates: [{ rank: 1, id: seller.id, name: 'Seller', raw_total: 100_000 }],
    recent_orders: [{ user: { email: 'bo@people.example' } }, { user: { id: buyer } }],
  });
  expect(shown.chart.quantity.at(-1)).toBe(1);
  expect(shown.chart.revenue.at(-1)).toBe(100_000);
});

test('the summary of the store is shown only to administrators in their own session', async () => {
  const { fixture, seller } = stage.at;
  const switched = fixture.store.switchedBy(administrator);
  for (const app of [
    await fixture.store.session(seller.id),
    await fixture.store.session(buyer, switched),
  ]) {
    expect(await app.get('/me/admin-summary')).toMatchObject({
      status: 403,
      body: { code: 'rest_forbidden' },
    });
  }
});
