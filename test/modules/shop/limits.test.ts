import { beforeAll, expect, test } from 'vitest';
import { runJobs } from '../../../src/jobs/index.ts';
import { useShop } from '../../harness/shop.ts';
import { buy, orderPath, report } from './buyer.ts';
import { visit } from './visitor.ts';

const opened = useShop();
let slug: string;
let product_id: number;

beforeAll(async () => {
  const affiliate = { enabled: true, tiers: [{ tier: 1, fee: 10, type: 'percentage' }] };
  ({ slug, id: product_id } = await opened.shop.newProduct({ title: 'Course', affiliate }));
});

const days = (count: number) => opened.shop.store.clock.advance(count * 86_400);

const runCron = async () => {
  const problems: unknown[] = [];
  await runJobs(await opened.shop.store.services(), (line) => problems.push(line));
  expect(problems).toEqual([]);
};

const userOf = async (email: string) =>
  (await opened.shop.api.get(`/users?search=${encodeURIComponent(email)}`)).body.data[0];

/** Places an order as a stranger. @returns its id, and the path of its page */
async function place(email: string, fields: object = {}) {
  const placed = await buy(opened.shop.store, slug, { email, ...fields });
  expect(placed.status).toBe(303);
  const path = orderPath(placed);
  return { path, id: Number(/order\/(\d+)-/.exec(path)?.[1]) };
}

test('the limits of the checkout are settings', async () => {
  const { shop } = opened;
  await shop.set('shop_unpaid_orders', 1);
  await shop.set('shop_hourly_orders', 2);
  await shop.set('shop_hold_hours', 5);
  const email = 'set@people.example';
  const { expires_at, created_at } = await shop.order((await place(email)).id);
  expect(Date.parse(expires_at ?? '') - Date.parse(created_at)).toBe(5 * 3_600_000);
  expect((await buy(shop.store, slug, { email })).status).toBe(429);
  const network = { 'cf-connecting-ip': '203.0.113.9' };
  const statuses: number[] = [];
  for (const name of ['a', 'b', 'c']) {
    const answer = await buy(shop.store, slug, { email: `${name}@net.example` }, network);
    statuses.push(answer.status);
  }
  expect(statuses).toEqual([303, 303, 429]);
  await shop.set('shop_unpaid_orders', 3);
  await shop.set('shop_hourly_orders', 10);
  await shop.set('shop_hold_hours', 2);
});

test('an affiliate becomes the sponsor of a new buyer with the first payment, and not before', async () => {
  const { shop } = opened;
  await shop.set('permanent_affiliate', true);
  const affiliate = await shop.newAffiliate();
  const { headers } = await visit(shop.store, `/aff/${affiliate.id}/${product_id}/checkout`, {
    headers: { 'user-agent': 'Mozilla/5.0' },
  });
  const ref = new URL(headers.get('location') ?? '').searchParams.get('ref') ?? '';
  const email = 'sponsored@people.example';
  const { id } = await place(email, { ref });
  expect((await shop.order(id)).affiliate_id).toBe(affiliate.id);
  expect((await userOf(email)).affiliate_id).toBeNull();
  const reply = await shop.api.patch(`/orders/${id}`, { status: 'completed' });
  expect(reply).toMatchObject({ status: 200, trips: 2 });
  expect((await userOf(email)).affiliate_id).toBe(affiliate.id);
  // Somebody who was no new buyer keeps having none.
  const known = await shop.newUser({ email: 'known@people.example' });
  const other = await place('known@people.example', { ref });
  await shop.api.patch(`/orders/${other.id}`, { status: 'completed' });
  expect((await shop.user(known.id)).affiliate_id).toBeNull();
  await shop.set('permanent_affiliate', false);
});

test('an unreviewed receipt holds the goods for the number of days in the settings', async () => {
  const { shop } = opened;
  const { path, id } = await place('receipt@people.example');
  await report(shop.store, path);
  const status = async () => (await shop.order(id)).status;
  await shop.set('shop_receipt_days', 0);
  days(30);
  await runCron();
  expect(await status()).toBe('payment-confirm');
  await shop.set('shop_receipt_days', 31);
  days(0.99);
  await runCron();
  expect(await status()).toBe('payment-confirm');
  days(0.02);
  await runCron();
  expect(await status()).toBe('cancelled');
  const { history } = await shop.order(id);
  expect(history.at(-1)?.note).toBe('Nobody reviewed the receipt in time.');
  await shop.set('shop_receipt_days', 7);
});

test('a receipt for an order of the API waits for its review however long that takes', async () => {
  const { shop } = opened;
  const { id } = await shop.newOrder({ product_id });
  await shop.api.post('/confirmations', { order_id: id });
  days(30);
  await runCron();
  expect((await shop.order(id)).status).toBe('payment-confirm');
});

test('an account that a purchase created is removed after 90 days without payment or sign-in, and others stay', async () => {
  const { shop } = opened;
  const names = ['gone', 'paid', 'signed', 'changed', 'later', 'delivery'];
  const emails = names.map((name) => `${name}-90@people.example`);
  const placed = Object.fromEntries(
    await Promise.all(names.map(async (name, i) => [name, await place(emails[i] ?? '')] as const)),
  );
  const idOf = async (name: string) => (await userOf(`${name}-90@people.example`))?.id;
  const ids = await Promise.all(names.map(idOf));
  const user = await shop.newUser();
  await shop.api.patch(`/orders/${placed.paid?.id}`, { status: 'completed' });
  await shop.api.patch(`/orders/${placed.delivery?.id}`, { status: 'in-progress' });
  await shop.api.patch(`/users/${await idOf('changed')}`, { first_name: 'Known' });
  const { url } = (await shop.api.post(`/users/${await idOf('signed')}/account-link`)).body.data;
  const link = new URL(url).searchParams.get('link') ?? '';
  await visit(shop.store, '/account/session', {
    method: 'POST',
    body: new URLSearchParams({ link }),
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  days(60);
  await runCron();
  await place(emails[4] ?? '');
  days(29);
  await runCron();
  expect(await Promise.all(names.map(idOf))).toEqual(ids);
  days(2);
  await runCron();
  expect(await Promise.all(names.map(idOf))).toEqual([undefined, ...ids.slice(1)]);
  expect((await shop.user(user.id)).email).toBe(user.email);
  const { rows } = await shop.store.database.query(
    'select status, email from users where id = $1',
    [ids[0]],
  );
  expect(rows).toEqual([{ status: 'anonymised', email: null }]);
});
