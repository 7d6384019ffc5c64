import { beforeAll, expect, test } from 'vitest';
import type { Product } from '../../src/resources/products/schemas.ts';
import { useAffiliateShop } from '../harness/affiliates.ts';

const stage = useAffiliateShop();
let product: Product;
let administrator: number;

beforeAll(async () => {
  const { at } = stage;
  await at.shop.set('timezone', 'Asia/Jakarta');
  administrator = (await at.shop.newAdministrator()).id;
  product = await at.newCourse();
});

const store = async () => {
  const app = await stage.at.shop.store.session(administrator, { admin: true });
  const reply = await app.get('/me/admin-summary');
  expect(reply).toMatchObject({ status: 200, trips: 1 });
  expect(reply.body.meta).toEqual({ effective_user_id: administrator });
  return reply.body.data;
};

test('a start page that nothing happened to need not be sent again', async () => {
  const { at } = stage;
  const { id } = await at.shop.newUser();
  const app = await at.shop.store.session(id);
  const tag = (await app.get('/me/home-summary')).headers.get('etag') ?? '';
  const headers = { 'if-none-match': tag };
  expect(await app.get('/me/home-summary', { headers })).toMatchObject({ status: 304, trips: 1 });
  await at.sell(product, { user_id: id });
  const changed = await app.get('/me/home-summary', { headers });
  expect(changed.body.data.orders.unpaid).toBe(1);
});

test("days begin at midnight of the store's time zone, months with them", async () => {
  const { at } = stage;
  const { clock } = at.shop.store;
  const { id } = await at.shop.newAffiliate();
  const sell = () => at.sell(product, { affiliate_id: id });
  const leads = async () => {
    const { body } = await (await at.shop.store.session(id)).get('/me/home-summary');
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

test('what is to be done is counted: confirmations, payouts, paused webhooks', async () => {
  const { at } = stage;
  const { api, store: opened } = at.shop;
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
