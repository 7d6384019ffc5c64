import { beforeAll, expect, test } from 'vitest';
import { runJobs } from '../../../src/jobs/index.ts';
import { long } from '../../harness/long.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';
import { buy, orderPath, report, rotatePeppers } from './buyer.ts';
import { visit } from './visitor.ts';

const opened = useStoreFixture();
let slug: string;
let product_id: number;

beforeAll(async () => {
  const affiliate = { enabled: true, tiers: [{ tier: 1, fee: 10, type: 'percentage' }] };
  ({ slug, id: product_id } = await opened.fixture.newProduct({ title: 'Course', affiliate }));
});

const days = (count: number) => opened.fixture.store.clock.advance(count * 86_400);

const runCron = async () => {
  const problems: unknown[] = [];
  await runJobs(await opened.fixture.store.services(), (line) => problems.push(line));
  expect(problems).toEqual([]);
};

const userOf = async (email: string) =>
  (await opened.fixture.api.get(`/users?search=${encodeURIComponent(email)}`)).body.data[0];

/**
 * Places an order as a stranger.
 * @returns its id and the path of its page
 */
async function place(email: string, fields: object = {}) {
  const placed = await buy(opened.fixture.store, slug, { email, ...fields });
  expect(placed.status).toBe(303);
  const path = orderPath(placed);
  return { path, id: Number(/order\/(\d+)-/.exec(path)?.[1]) };
}

test('the limits of the checkout are settings', async () => {
  const { fixture } = opened;
  await fixture.set('shop_unpaid_orders', 1);
  await fixture.set('shop_hourly_orders', 2);
  await fixture.set('shop_hold_hours', 5);
  const email = 'set@people.example';
  const { expires_at, created_at } = await fixture.order((await place(email)).id);
  expect(Date.parse(expires_at ?? '') - Date.parse(created_at)).toBe(5 * 3_600_000);
  expect((await buy(fixture.store, slug, { email })).status).toBe(429);
  const network = { 'cf-connecting-ip': '203.0.113.9' };
  const statuses: number[] = [];
  for (const name of ['a', 'b', 'c']) {
    const answer = await buy(fixture.store, slug, { email: `${name}@net.example` }, network);
    statuses.push(answer.status);
  }
  expect(statuses).toEqual([303, 303, 429]);
  await fixture.set('shop_unpaid_orders', 3);
  await fixture.set('shop_hourly_orders', 10);
  await fixture.set('shop_hold_hours', 2);
});

test('the hour of a network goes on at midnight and at a rotation of the peppers', async () => {
  const { fixture } = opened;
  const { store } = fixture;
  await fixture.set('shop_hourly_orders', 3);
  const network = { 'cf-connecting-ip': '203.0.114.9' };
  let count = 0;
  const sent = async () =>
    (await buy(store, slug, { email: `hour${++count}@net.example` }, network)).status;
  const today = store.clock.now().toISOString().slice(0, 10);
  store.clock.set(`${today}T23:58:00.000Z`);
  expect(await sent()).toBe(303);
  const dropPepper = await rotatePeppers(store);
  expect(await sent()).toBe(303);
  store.clock.advance(4 * 60);
  expect([await sent(), await sent()]).toEqual([303, 429]);
  store.clock.advance(56 * 60);
  expect([await sent(), await sent(), await sent()]).toEqual([303, 303, 429]);
  dropPepper();
  await fixture.set('shop_hourly_orders', 10);
});

test('an affiliate becomes the sponsor of a new buyer with the first payment, and not before', async () => {
  const { fixture } = opened;
  await fixture.set('permanent_affiliate', true);
  const affiliate = await fixture.newAffiliate();
  const { headers } = await visit(fixture.store, `/aff/${affiliate.id}/${product_id}/checkout`, {
    headers: { 'user-agent': 'Mozilla/5.0' },
  });
  const ref = new URL(headers.get('location') ?? '').searchParams.get('ref') ?? '';
  const email = 'sponsored@people.example';
  const { id } = await place(email, { ref });
  expect((await fixture.order(id)).affiliate_id).toBe(affiliate.id);
  expect((await userOf(email)).affiliate_id).toBeNull();
  const reply = await fixture.api.patch(`/orders/${id}`, { status: 'completed' });
  expect(reply).toMatchObject({ status: 200, trips: 2 });
  expect((await userOf(email)).affiliate_id).toBe(affiliate.id);
  // An existing buyer keeps having no sponsor.
  const known = await fixture.newUser({ email: 'known@people.example' });
  const other = await place('known@people.example', { ref });
  await fixture.api.patch(`/orders/${other.id}`, { status: 'completed' });
  expect((await fixture.user(known.id)).affiliate_id).toBeNull();
  await fixture.set('permanent_affiliate', false);
});

long(
  'an unreviewed payment proof holds the goods for the number of days in the settings',
  async () => {
    const { fixture } = opened;
    const { path, id } = await place('receipt@people.example');
    await report(fixture.store, path);
    const status = async () => (await fixture.order(id)).status;
    await fixture.set('shop_receipt_days', 0);
    days(30);
    await runCron();
    expect(await status()).toBe('payment-confirm');
    await fixture.set('shop_receipt_days', 31);
    days(0.99);
    await runCron();
    expect(await status()).toBe('payment-confirm');
    days(0.02);
    await runCron();
    expect(await status()).toBe('cancelled');
    const { history } = await fixture.order(id);
    expect(history.at(-1)?.note).toBe('Nobody reviewed the payment proof in time.');
    await fixture.set('shop_receipt_days', 7);
  },
);

test('a payment proof for an order of the API waits for its review however long that takes', async () => {
  const { fixture } = opened;
  const { id } = await fixture.newOrder({ product_id });
  await fixture.api.post('/confirmations', { order_id: id });
  days(30);
  await runCron();
  expect((await fixture.order(id)).status).toBe('payment-confirm');
});

long(
  'an account that a purchase created is removed after 90 days without payment or sign-in, and others stay',
  async () => {
    const { fixture } = opened;
    const names = ['gone', 'paid', 'signed', 'changed', 'later', 'delivery'];
    const emails = names.map((name) => `${name}-90@people.example`);
    const placed = Object.fromEntries(
      await Promise.all(
        names.map(async (name, i) => [name, await place(emails[i] ?? '')] as const),
      ),
    );
    const idOf = async (name: string) => (await userOf(`${name}-90@people.example`))?.id;
    const ids = await Promise.all(names.map(idOf));
    const user = await fixture.newUser();
    await fixture.api.patch(`/orders/${placed.paid?.id}`, { status: 'completed' });
    await fixture.api.patch(`/orders/${placed.delivery?.id}`, { status: 'in-progress' });
    await fixture.api.patch(`/users/${await idOf('changed')}`, { first_name: 'Known' });
    const { url } = (await fixture.api.post(`/users/${await idOf('signed')}/account-link`)).body
      .data;
    const link = new URL(url).searchParams.get('link') ?? '';
    await visit(fixture.store, '/account/session', {
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
    expect((await fixture.user(user.id)).email).toBe(user.email);
    const { rows } = await fixture.store.database.query(
      'select status, email from users where id = $1',
      [ids[0]],
    );
    expect(rows).toEqual([{ status: 'anonymised', email: null }]);
  },
);
