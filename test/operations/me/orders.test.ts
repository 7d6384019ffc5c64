import { beforeAll, describe, expect, test } from 'vitest';
import type { Order } from '../../../src/domain/order/schemas.ts';
import type { ApiClient } from '../../harness/client.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';

const opened = useStoreFixture();

/** Sessions of a buyer who is also an affiliate, of another buyer, and of an administrator. */
let anna: ApiClient, ben: ApiClient, admin: ApiClient;
let annasId = 0;
/** Anna's own order; Ben's order that Anna sold; Ben's order without an affiliate. */
let bought: Order, sold: Order, foreign: Order;

beforeAll(async () => {
  const { fixture } = opened;
  const annasUser = await fixture.newAffiliate({
    display_name: 'Anna',
    email: 'anna@mail.example',
  });
  const bensUser = await fixture.newUser({
    display_name: 'Ben Secret',
    email: 'ben@private.example',
    phone: '0812-777',
  });
  annasId = annasUser.id;
  anna = await fixture.store.session(annasUser.id);
  ben = await fixture.store.session(bensUser.id);
  admin = (await fixture.newAdministrator()).session;
  const { id: product_id } = await fixture.newProduct({
    type: 'physical',
    affiliate: { enabled: true },
    shipping: { active: true, options: [{ id: 'reg', courier: 'JNE', cost: 100 }] },
  });
  const shipping = {
    ...{ option_id: 'reg', receiver: 'Bens Mother', phone: '0812-777', country: 'ID' },
    ...{ address: 'Jl. Rahasia 5', postal_code: '40999' },
  };
  bought = await fixture.newOrder({ product_id, user_id: annasUser.id, shipping });
  sold = await fixture.newOrder({
    product_id,
    user_id: bensUser.id,
    affiliate_id: annasUser.id,
    shipping,
    status: 'in-progress',
  });
  await fixture.api.patch(`/orders/${sold.id}`, {
    note: 'Call first.',
    meta: { margin: 7 },
    status: 'completed',
    reason: 'Ben is a friend.',
    tracking_number: 'JX-8800',
    tracking_url: 'https://track.example/JX-8800',
  });
  foreign = await fixture.newOrder({ product_id, user_id: bensUser.id, status: 'completed' });
});

async function listed(client: ApiClient, query = '') {
  const { status, body, trips } = await client.get(`/me/orders${query}`);
  expect({ status, trips }).toEqual({ status: 200, trips: 1 });
  expect(body.meta.pagination.total).toBe(body.data.length);
  return body.data.map(({ id }: Order) => id);
}

describe('The list of own orders', () => {
  test("contains a member's purchases and sales, and every order for an administrator", async () => {
    expect(await listed(anna)).toEqual([sold.id, bought.id]);
    expect(await listed(ben)).toEqual([foreign.id, sold.id]);
    const all = [foreign.id, sold.id, bought.id];
    expect(await listed(admin)).toEqual(expect.arrayContaining(all));
  });

  test.each(['scope', 'role'])('is shown from the viewpoint that %s names', async (name) => {
    expect(await listed(anna, `?${name}=buyer`)).toEqual([bought.id]);
    expect(await listed(anna, `?${name}=affiliate`)).toEqual([sold.id]);
    const every = [foreign.id, sold.id, bought.id];
    expect(await listed(admin, `?${name}=all`)).toEqual(expect.arrayContaining(every));
    expect(await listed(admin, `?${name}=buyer`)).toEqual([]);
    const all = await anna.get(`/me/orders?${name}=all`);
    expect(all).toMatchObject({ status: 403, body: { code: 'rest_forbidden' } });
  });

  test('prefers scope over role, its older name', async () => {
    expect(await listed(anna, '?scope=buyer&role=affiliate')).toEqual([bought.id]);
  });

  test("names the token's user", async () => {
    expect((await anna.get('/me/orders')).body.meta.effective_user_id).toBe(annasId);
    const claimed = await anna.get('/me/orders?user_id=1&affiliate_id=1');
    expect(claimed.body.meta.effective_user_id).toBe(annasId);
    expect(claimed.body.data).toHaveLength(2);
  });

  test.each([
    ['status=completed', ['completed']],
    ['status_group=unpaid', ['on-hold', 'payment-confirm']],
    ['status_group=processing', ['in-progress', 'shipping']],
    ['status_group=completed', ['completed']],
    ['status_group=closed', ['refunded', 'cancelled']],
    ['status_group=paid', ['in-progress', 'shipping', 'completed']],
    ['status_group=paid&status=completed', ['completed']],
  ])('by %s holds the orders that are %o', async (query, statuses) => {
    const { fixture } = opened;
    const buyer = await fixture.newUser();
    const { id: product_id } = await fixture.newProduct({ type: 'physical' });
    const place = async (path: string[]) => {
      const order = await fixture.newOrder({ product_id, user_id: buyer.id });
      for (const status of path) {
        await fixture.api.patch(`/orders/${order.id}`, { status, tracking_number: 'x' });
      }
      return fixture.order(order.id);
    };
    const paths = [[], ['payment-confirm'], ['in-progress'], ['shipping'], ['completed']];
    paths.push(['completed', 'refunded'], ['cancelled']);
    const placed: Order[] = [];
    for (const path of paths) placed.unshift(await place(path));
    const expected = placed.filter(({ status }) => statuses.includes(status)).map(({ id }) => id);
    expect(await listed(await fixture.store.session(buyer.id), `?${query}`)).toEqual(expected);
  });

  test('can be read by pages, dates, cursor and search', async () => {
    const page = await anna.get('/me/orders?per_page=1');
    expect(page.body).toMatchObject({
      data: [{ id: sold.id }],
      meta: { pagination: { page: 1, per_page: 1, total: 2, total_pages: 2 } },
    });
    const next = await anna.get(`/me/orders?per_page=1&cursor=${page.body.meta.next_cursor}`);
    expect(next.body).toMatchObject({ data: [{ id: bought.id }], meta: { next_cursor: null } });
    expect(await listed(anna, '?date_start=2026-03-11')).toEqual([]);
    expect(await listed(anna, '?date_start=2026-03-10&date_end=2026-03-10')).toHaveLength(2);
    expect(await listed(anna, `?search=${sold.number}`)).toEqual([sold.id]);
    expect(await listed(anna, '?search=secret')).toEqual([sold.id]);
  });
});

describe('One of the own orders', () => {
  test('is read with its history by its buyer, its affiliate and an administrator', async () => {
    for (const client of [anna, ben, admin]) {
      const reply = await client.get(`/me/orders/${sold.id}`);
      expect(reply).toMatchObject({ status: 200, trips: 1 });
      expect(reply.body.data.history.map(({ to }: { to: string }) => to)).toEqual([
        'on-hold',
        'in-progress',
        'completed',
      ]);
    }
  });

  test('A history names the authors of changes to administrators, and to no member', async () => {
    const namesFor = async (client: ApiClient) =>
      (await client.get(`/me/orders/${sold.id}`)).body.data.history.map(
        ({ actor_name }: { actor_name: string | null }) => actor_name,
      );
    expect(await namesFor(admin)).toEqual(expect.arrayContaining([expect.any(String)]));
    expect(new Set(await namesFor(anna))).toEqual(new Set([null]));
    expect(new Set(await namesFor(ben))).toEqual(new Set([null]));
  });

  test('is a 404 to any other member, and so is an unknown order', async () => {
    for (const id of [foreign.id, 999_999]) {
      const reply = await anna.get(`/me/orders/${id}`);
      expect(reply).toMatchObject({ status: 404, body: { code: 'rest_not_found' } });
    }
    expect((await ben.get(`/me/orders/${bought.id}`)).status).toBe(404);
    expect((await admin.get('/me/orders/999999')).status).toBe(404);
  });
});

describe("A buyer's e-mail address, and the receiver and address of a delivery", () => {
  const secrets = /ben@private|0812-777|Bens Mother|Rahasia|40999|8800/;

  test('are hidden from the affiliate, in the list and in the order itself', async () => {
    const list = await anna.get('/me/orders?scope=affiliate');
    const one = await anna.get(`/me/orders/${sold.id}`);
    const courier = { option_id: 'reg', courier: 'JNE', cost: 100, country: 'ID' };
    for (const order of [list.body.data[0], one.body.data]) {
      expect(order).toMatchObject({ user: { display_name: 'Ben Secret' }, id: sold.id });
      expect(order).toMatchObject({ shipping: courier });
      expect(JSON.stringify(order)).not.toMatch(secrets);
    }
  });

  test('are shown to an affiliate in orders that they placed themselves', async () => {
    const { body } = await anna.get(`/me/orders/${bought.id}`);
    expect(body.data.shipping).toMatchObject({ receiver: 'Bens Mother', postal_code: '40999' });
  });

  test('are shown to the buyer and to an administrator', async () => {
    for (const client of [ben, admin]) {
      const one = await client.get(`/me/orders/${sold.id}`);
      expect(one.body.data).toMatchObject({
        user: { email: 'ben@private.example' },
        shipping: { phone: '0812-777', address: 'Jl. Rahasia 5', tracking_number: 'JX-8800' },
      });
    }
  });

  test("can't be guessed by a search", async () => {
    for (const words of ['ben@private', 'private.ex', '0812-777', 'secret ben@']) {
      expect(await listed(anna, `?search=${encodeURIComponent(words)}`), words).toEqual([]);
    }
    expect(await listed(admin, '?search=ben%40private')).toEqual([foreign.id, sold.id]);
  });

  test('are not shown as the name of a buyer without a name', async () => {
    const { fixture } = opened;
    const { id: user_id } = await fixture.newUser({ email: 'onlymail@hidden.example' });
    const order = await fixture.newOrder({
      ...{ product_id: sold.product_id, user_id, affiliate_id: annasId },
    });
    const { body } = await anna.get(`/me/orders/${order.id}`);
    expect(body.data.user).toEqual({ id: user_id, display_name: `User ${user_id}`, email: '' });
    expect(await listed(anna, '?search=onlymail')).toEqual([]);
    expect(await listed(admin, '?search=onlymail')).toEqual([order.id]);
    await fixture.api.delete(`/orders/${order.id}`);
  });
});

describe('The notes of an order', () => {
  const secrets = /Call first|margin|friend/;

  test('are hidden from its affiliate in the list, in the order itself and in the summary', async () => {
    const list = await anna.get('/me/orders?scope=affiliate');
    const one = await anna.get(`/me/orders/${sold.id}`);
    const summary = await anna.get('/me/home-summary');
    for (const { body } of [list, one, summary]) expect(JSON.stringify(body)).not.toMatch(secrets);
    expect(one.body.data).toMatchObject({ id: sold.id, note: null, meta: {} });
    expect(one.body.data.history.at(-1)).toMatchObject({ to: 'completed', note: null });
  });

  test('are shown to the buyer and to an administrator', async () => {
    for (const client of [ben, admin]) {
      const { body } = await client.get(`/me/orders/${sold.id}`);
      expect(body.data).toMatchObject({ note: 'Call first.', meta: { margin: 7 } });
      expect(body.data.history.at(-1)).toMatchObject({ note: 'Ben is a friend.' });
    }
  });
});
