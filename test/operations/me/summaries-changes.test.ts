import { beforeAll, expect, test } from 'vitest';
import type { Product } from '../../../src/domain/product/schemas.ts';
import { useAffiliateStore } from '../../harness/affiliates.ts';
import { expectIntegrity } from '../../harness/integrity.ts';

const stage = useAffiliateStore();
let product: Product;
let administrator: number;

beforeAll(async () => {
  const { at } = stage;
  await at.fixture.set('timezone', 'Asia/Jakarta');
  administrator = (await at.fixture.newAdministrator()).id;
  product = await at.newCourse();
});

const store = async () => {
  const app = await stage.at.fixture.store.session(administrator, { admin: true });
  const reply = await app.get('/me/admin-summary');
  expect(reply).toMatchObject({ status: 200, trips: 1 });
  expect(reply.body.meta).toEqual({ effective_user_id: administrator });
  return reply.body.data;
};

test('an unchanged start page is answered with 304', async () => {
  const { at } = stage;
  const { id } = await at.fixture.newUser();
  const app = await at.fixture.store.session(id);
  const tag = (await app.get('/me/home-summary')).headers.get('etag') ?? '';
  const headers = { 'if-none-match': tag };
  expect(await app.get('/me/home-summary', { headers })).toMatchObject({ status: 304, trips: 1 });
  await at.sell(product, { user_id: id });
  const changed = await app.get('/me/home-summary', { headers });
  expect(changed.body.data.orders.unpaid).toBe(1);
});

test("days and months begin at midnight in the store's time zone", async () => {
  const { at } = stage;
  const { clock } = at.fixture.store;
  const { id } = await at.fixture.newAffiliate();
  const sell = () => at.sell(product, { affiliate_id: id });
  const leads = async () => {
    const { body } = await (await at.fixture.store.session(id)).get('/me/home-summary');
    const { today, yesterday, this_month, all } = body.data;
    return [today, yesterday, this_month, all].map(({ lead }) => lead);
  };
  clock.set('2026-03-31T16:59:59.999Z');
  await sell();
  expect(await leads()).toEqual([1, 0, 1, 1]);
  clock.set('2026-03-31T17:00:00.000Z');
  await sell();
  await sell();
  expect(await leads()).toEqual([2, 1, 2, 3]);
  clock.set('2026-04-01T17:00:00.000Z');
  expect(await leads()).toEqual([0, 2, 2, 3]);
  expect((await store()).chart.labels.at(-1)).toBe('2026-04-02');
});

test('the commission beside the sales belongs to the same orders', async () => {
  const { at } = stage;
  const { clock } = at.fixture.store;
  clock.set('2026-05-05T03:00:00.000Z');
  const { id } = await at.fixture.newAffiliate({ affiliate_id: at.seller.id });
  const figures = async (user: number) => {
    const { body } = await (await at.fixture.store.session(user)).get('/me/home-summary');
    const { lead, sales, revenue, commission } = body.data.this_month;
    return [lead, sales, revenue, commission];
  };
  const order = await at.sell(product, { affiliate_id: id });
  expect(await figures(id)).toEqual([1, 0, 0, 0]);
  await at.change(order, { status: 'in-progress' });
  expect(await figures(id)).toEqual([1, 1, 100_000, 20_000]);
  expect(await figures(at.seller.id)).toEqual([0, 0, 0, 10_000]);
  // A later correction counts at the time of its order.
  await at.change(order, { status: 'completed' });
  clock.set('2026-06-05T03:00:00.000Z');
  await at.refund(order, 50_000);
  expect(await figures(id)).toEqual([0, 0, 0, 0]);
  clock.set('2026-05-06T03:00:00.000Z');
  expect(await figures(id)).toEqual([1, 1, 50_000, 10_000]);
  await at.refund(order);
  expect(await figures(id)).toEqual([1, 0, 0, 0]);
  await expectIntegrity(at.fixture);
});

test('the summary counts the access that is live at the moment', async () => {
  const { api, store: opened } = stage.at.fixture;
  const before = (await store()).access_count;
  const at = (seconds: number) =>
    new Date(opened.clock.now().getTime() + seconds * 1000).toISOString();
  const grant = async (fields: object) => {
    const user_id = (await stage.at.fixture.newUser()).id;
    return api.post('/access', { user_id, product_id: product.id, ...fields });
  };
  const counted = async () => (await store()).access_count - before;
  await grant({});
  await grant({ end_active: at(60) });
  await grant({ end_active: at(3 * 86_400) });
  await grant({ start: at(3600) });
  await grant({ start: at(3600), end_active: at(7200) });
  const { body } = await grant({});
  expect(await counted()).toBe(4);
  await api.delete(`/access/${body.data.id}`);
  expect(await counted()).toBe(3);
  for (const [seconds, live] of [
    [59, 3],
    [1, 2],
    [3540, 4],
    [3600, 3],
    [3 * 86_400 - 7201, 3],
    [1, 2],
  ] as const) {
    opened.clock.advance(seconds);
    expect(await counted(), `${seconds} seconds later`).toBe(live);
  }
  await expectIntegrity(stage.at.fixture);
});

test('the summary counts open tasks: confirmations, payouts, paused webhooks', async () => {
  const { at } = stage;
  const { api, store: opened } = at.fixture;
  const before = await store();
  const order = await at.sell(product);
  await api.post(`/orders/${order.id}/confirmations`, {});
  await at.sell(product, { status: 'completed' });
  const webhook = { name: 'A', url: 'https://a.example/', events: ['*'] };
  const { body } = await api.post('/webhooks', webhook);
  await api.patch(`/webhooks/${body.data.id}`, { status: 'paused' });
  const unpaid = before.commission.unpaid + 35_000;
  expect(await store()).toMatchObject({
    ...{ confirmations_pending: 1, webhooks_paused: 1, payouts_due: before.payouts_due },
    commission: { unpaid, held: before.commission.held + 35_000 },
  });
  opened.clock.advance(7 * 86_400 - 1);
  expect(await store()).toMatchObject({
    payouts_due: unpaid - 35_000,
    commission: { unpaid, held: 35_000 },
  });
  opened.clock.advance(1);
  expect(await store()).toMatchObject({ payouts_due: unpaid, commission: { unpaid, held: 0 } });
  for (const person of [at.top, at.middle, at.seller]) await at.payOut(person);
  expect(await store()).toMatchObject({ payouts_due: 0, commission: { unpaid: 0, paid: unpaid } });
});
