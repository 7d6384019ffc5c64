import { beforeAll, describe, expect, test } from 'vitest';
import { UnitOfWork } from '../../../src/kernel/database/unit-of-work.ts';
import { countAccess } from '../../../src/queries/access.ts';
import type { Access, AccessProduct, Verdict } from '../../../src/domain/access/schemas.ts';
import { checkIntegrity } from '../../../src/cli/integrity.ts';
import { useShop } from '../../harness/shop.ts';

const opened = useShop();
const shop = () => opened.shop;
const at = (instant: string) => shop().store.clock.set(instant);

let course: number;
let user: number;

beforeAll(async () => {
  course = (await shop().newProduct({ title: 'Course' })).id;
});

const newUser = async () => (user = (await shop().newUser()).id);

const check = async (product_id = course, user_id = user): Promise<Verdict> => {
  const reply = await shop().api.get(`/access/check?user_id=${user_id}&product_id=${product_id}`);
  expect(reply).toMatchObject({ status: 200, trips: 1 });
  return reply.body;
};

const grant = async (fields: object = {}) => {
  const body = { user_id: user, product_id: course, ...fields };
  const reply = await shop().api.post('/access', body);
  expect(reply).toMatchObject({ status: 201, trips: 2 });
  return reply.body.data as Access;
};

const grantOf = async (order_id: number) => {
  const { body } = await shop().api.get(`/access?user_id=${user}`);
  return (body.data as Access[]).find((access) => access.order_id === order_id);
};

const move = async (order: number, status: string) => {
  const reply = await shop().api.patch(`/orders/${order}`, { status });
  expect(reply).toMatchObject({ status: 200, trips: 2 });
};

const products = async (user_id = user) =>
  (await shop().api.get(`/users/${user_id}/access-products`)).body.data as AccessProduct[];

describe('the access an order gives', () => {
  test('waits with the order, begins when it is paid and ends when it is refunded', async () => {
    at('2026-03-10T09:00:00Z');
    await newUser();
    const order = await shop().newOrder({ product_id: course, user_id: user });
    expect(await grantOf(order.id)).toMatchObject({
      source: 'order',
      status: 'pending',
      start: null,
      start_day: null,
      product_name: 'Course',
    });
    expect(await check()).toMatchObject({ can_access: false, reason: 'not-bought' });

    await move(order.id, 'payment-confirm');
    expect(await check()).toMatchObject({ can_access: false, reason: 'not-bought' });

    at('2026-03-11T09:00:00Z');
    await move(order.id, 'in-progress');
    at('2026-03-14T08:00:00Z');
    const granted = await grantOf(order.id);
    expect(granted).toMatchObject({
      status: 'active',
      start: '2026-03-11T09:00:00.000Z',
      start_day: 2,
      end_active: null,
    });
    expect(await check()).toEqual({
      success: true,
      can_access: true,
      reason: 'ok',
      product_id: course,
      user_id: user,
      detail: {
        grant_id: granted?.id,
        order_id: order.id,
        start: '2026-03-11T09:00:00.000Z',
        start_day: 2,
        end_active: null,
        available_at: null,
        drip_day: null,
        matched_product_ids: [course],
        block: null,
      },
    });

    await move(order.id, 'completed');
    await move(order.id, 'in-progress');
    await move(order.id, 'completed');
    expect(await grantOf(order.id)).toEqual(granted);

    await move(order.id, 'refunded');
    expect(await grantOf(order.id)).toMatchObject({
      status: 'revoked',
      revoke_reason: 'refunded',
      revoked_at: '2026-03-14T08:00:00.000Z',
    });
    expect(await check()).toMatchObject({ can_access: false, reason: 'revoked' });
  });

  test('of an order that bounces is pending again, and begins anew with the money', async () => {
    at('2026-03-10T09:00:00Z');
    await newUser();
    const order = await shop().newOrder({ product_id: course, user_id: user });
    await move(order.id, 'in-progress');
    await move(order.id, 'on-hold');
    expect(await grantOf(order.id)).toMatchObject({ status: 'pending', start: null });
    await move(order.id, 'cancelled');
    expect(await grantOf(order.id)).toMatchObject({ status: 'revoked', start: null });
    expect(await check()).toMatchObject({ reason: 'not-bought', detail: { grant_id: null } });
    expect(await products()).toEqual([]);
    await move(order.id, 'on-hold');
    at('2026-03-12T09:00:00Z');
    await move(order.id, 'completed');
    expect(await grantOf(order.id)).toMatchObject({
      status: 'active',
      start: '2026-03-12T09:00:00.000Z',
      revoked_at: null,
    });
  });

  test('begins at once where the order costs nothing', async () => {
    await newUser();
    const free = await shop().newProduct({ price: 0 });
    await shop().newOrder({ product_id: free.id, user_id: user });
    expect(await check(free.id)).toMatchObject({ can_access: true });
  });

  test('begins with the statuses of the setting, and with completion in any case', async () => {
    await newUser();
    await shop().set('access_statuses', '["shipping"]');
    const order = await shop().newOrder({ product_id: course, user_id: user });
    await move(order.id, 'in-progress');
    expect(await check()).toMatchObject({ reason: 'not-bought' });
    await move(order.id, 'completed');
    expect(await check()).toMatchObject({ reason: 'ok' });
    await move(order.id, 'in-progress');
    expect(await check()).toMatchObject({ reason: 'ok' });
    await shop().set('access_statuses', '["in-progress", "shipping", "completed"]');
  });

  test('is not given before goods on delivery are paid for', async () => {
    await newUser();
    const box = await shop().newProduct({ type: 'physical', cod: { active: true, fee: 100 } });
    const order = await shop().newOrder({
      product_id: box.id,
      user_id: user,
      payment_gateway: 'cod',
    });
    expect(order.status).toBe('in-progress');
    expect(await check(box.id)).toMatchObject({ reason: 'not-bought' });
    await move(order.id, 'completed');
    expect(await check(box.id)).toMatchObject({ reason: 'ok' });
  });

  test('outlives a refund as long as another order or grant gives it', async () => {
    await newUser();
    const [one, two] = [
      await shop().newOrder({ product_id: course, user_id: user, status: 'completed' }),
      await shop().newOrder({ product_id: course, user_id: user, status: 'completed' }),
    ];
    await move(one.id, 'refunded');
    expect(await check()).toMatchObject({
      can_access: true,
      detail: { order_id: two.id },
    });
    const byHand = await grant();
    await move(two.id, 'refunded');
    expect(await check()).toMatchObject({ can_access: true, detail: { grant_id: byHand.id } });
    await shop().api.delete(`/access/${byHand.id}`);
    expect(await check()).toMatchObject({ can_access: false, reason: 'revoked' });
  });

  test('that was taken away by hand comes back only with another purchase', async () => {
    await newUser();
    const order = await shop().newOrder({
      product_id: course,
      user_id: user,
      status: 'completed',
    });
    const given = await grantOf(order.id);
    await shop().api.delete(`/access/${given?.id}`);
    await move(order.id, 'in-progress');
    await move(order.id, 'completed');
    expect(await check()).toMatchObject({ reason: 'revoked' });
    await shop().newOrder({ product_id: course, user_id: user, status: 'completed' });
    expect(await check()).toMatchObject({ reason: 'ok' });
  });
});

describe('grants by hand', () => {
  test('start now and have no end, unless they say otherwise', async () => {
    at('2026-03-10T09:00:00Z');
    await newUser();
    const plain = await grant({ note: 'Prize' });
    expect(plain).toMatchObject({
      source: 'manual',
      status: 'active',
      start: '2026-03-10T09:00:00.000Z',
      end_active: null,
      note: 'Prize',
      order_id: null,
      version: 1,
    });
    expect((await shop().api.get(`/access/${plain.id}`)).body.data).toEqual(plain);
    const dated = await grant({
      start: '2026-04-01T00:00:00+07:00',
      end_active: '2026-05-01T00:00:00+07:00',
    });
    expect(dated).toMatchObject({
      status: 'pending',
      start: '2026-03-31T17:00:00.000Z',
      end_active: '2026-04-30T17:00:00.000Z',
    });
  });

  test('begin and end by themselves when their moment comes', async () => {
    at('2026-03-10T09:00:00Z');
    await newUser();
    await grant({ start: '2026-03-11T09:00:00Z', end_active: '2026-03-12T09:00:00Z' });
    expect(await check()).toMatchObject({ reason: 'not-bought' });
    at('2026-03-11T09:00:00Z');
    expect(await check()).toMatchObject({ reason: 'ok' });
    at('2026-03-12T08:59:59Z');
    expect(await check()).toMatchObject({ reason: 'ok' });
    at('2026-03-12T09:00:00Z');
    expect(await check()).toMatchObject({
      reason: 'expired',
      detail: { end_active: '2026-03-12T09:00:00.000Z', matched_product_ids: [] },
    });
  });

  test.each([
    [{ end_active: '2026-03-10T09:00:00Z' }, 400, 'rest_invalid_param'],
    [
      { start: '2026-03-11T09:00:00Z', end_active: '2026-03-11T08:00:00Z' },
      400,
      'rest_invalid_param',
    ],
    [{ user_id: 999_999 }, 404, 'rest_not_found'],
    [{ product_id: 999_999 }, 404, 'rest_not_found'],
  ])('%j is refused', async (fields, status, code) => {
    at('2026-03-10T09:00:00Z');
    await newUser();
    const body = { user_id: user, product_id: course, ...fields };
    expect(await shop().api.post('/access', body)).toMatchObject({ status, body: { code } });
  });

  test('are gone from the lists once deleted; a check says that they were revoked', async () => {
    await newUser();
    const given = await grant();
    const stale = { headers: { 'if-match': '7' } };
    expect(await shop().api.delete(`/access/${given.id}`, stale)).toMatchObject({ status: 409 });
    expect(await shop().api.delete(`/access/${given.id}`)).toMatchObject({
      status: 200,
      trips: 2,
      body: { data: { id: given.id, deleted: true } },
    });
    expect(await shop().api.get(`/access/${given.id}`)).toMatchObject({ status: 404 });
    expect(await shop().api.delete(`/access/${given.id}`)).toMatchObject({ status: 404 });
    expect((await shop().api.get(`/access?user_id=${user}`)).body).toMatchObject({
      data: [],
      meta: { pagination: { total: 0 } },
    });
    expect(await products()).toEqual([]);
    expect(await check()).toMatchObject({ reason: 'revoked' });
  });
});

describe('the list of grants', () => {
  test('is filtered by user, product and the status of this moment, with exact totals', async () => {
    at('2026-03-10T09:00:00Z');
    await newUser();
    const other = await shop().newProduct();
    await grant();
    await grant({ product_id: other.id, end_active: '2026-03-20T09:00:00Z' });
    await shop().newOrder({ product_id: other.id, user_id: user });
    const total = async (query: string) =>
      (await shop().api.get(`/access?user_id=${user}&${query}`)).body.meta.pagination.total;
    at('2026-03-20T09:00:00Z');
    expect(await total('status=active')).toBe(1);
    expect(await total('status=expired')).toBe(1);
    expect(await total('status=pending')).toBe(1);
    expect(await total('status=revoked')).toBe(0);
    expect(await total(`product_id=${other.id}`)).toBe(2);
    const all = await shop().api.get('/access?per_page=1');
    expect(all).toMatchObject({ status: 200, trips: 1 });
    const { rows } = await shop().store.database.query(
      'select count(*)::int as n from access_grants where deleted_at is null',
    );
    expect(all.body.meta.pagination.total).toBe(rows[0].n);
  });
});

describe('a check', () => {
  test('knows a blocked user before anything else, and nobody and nothing as 404', async () => {
    await newUser();
    await grant();
    await shop().api.patch(`/users/${user}`, { status: 'blocked' });
    expect(await check()).toMatchObject({ can_access: false, reason: 'user-blocked' });
    const unknown = (query: string) => shop().api.get(`/access/check?${query}`);
    expect(await unknown(`user_id=999999&product_id=${course}`)).toMatchObject({
      status: 404,
      body: { data: { params: { user_id: 'unknown id' } } },
    });
    expect(await unknown(`user_id=${user}&product_id=999999`)).toMatchObject({
      status: 404,
      body: { data: { params: { product_id: 'unknown id' } } },
    });
    expect(await unknown(`user_id=${user}`)).toMatchObject({
      status: 400,
      body: { code: 'rest_missing_callback_param' },
    });
  });

  test('rests on the best grant: one without end before one with, a later end before an earlier', async () => {
    at('2026-03-10T09:00:00Z');
    await newUser();
    await grant({ end_active: '2026-04-01T00:00:00Z' });
    const longer = await grant({ end_active: '2026-05-01T00:00:00Z' });
    expect((await check()).detail.grant_id).toBe(longer.id);
    const endless = await grant();
    expect((await check()).detail.grant_id).toBe(endless.id);
  });

  test('still knows the buyers of a product that was taken out of the shop', async () => {
    await newUser();
    const old = await shop().newProduct();
    await shop().newOrder({ product_id: old.id, user_id: user, status: 'completed' });
    await shop().api.delete(`/products/${old.id}?force=true`);
    expect(await check(old.id)).toMatchObject({ can_access: true });
  });
});

describe("a user's products", () => {
  const set = async (body: object) => {
    const reply = await shop().api.post(`/users/${user}/access-products`, body);
    expect(reply).toMatchObject({ status: 200, trips: 2 });
    expect(reply.body.data).toEqual(await products());
    return reply.body.data as AccessProduct[];
  };

  test('are each shown once, with what the grants come to', async () => {
    at('2026-03-10T09:00:00Z');
    await newUser();
    await grant({ end_active: '2026-03-11T09:00:00Z' });
    await grant({ end_active: '2026-03-20T09:00:00Z' });
    at('2026-03-12T10:00:00Z');
    const reply = await shop().api.get(`/users/${user}/access-products`);
    expect(reply).toMatchObject({ status: 200, trips: 1 });
    expect(reply.body.data).toEqual([
      {
        product_id: course,
        name: 'Course',
        start: '2026-03-10T09:00:00.000Z',
        start_day: 2,
        end_active: '2026-03-20T09:00:00.000Z',
        status: 'active',
      },
    ]);
    expect(await shop().api.get('/users/999999/access-products')).toMatchObject({ status: 404 });
  });

  test('are added by hand; adding again keeps the grant and its start', async () => {
    at('2026-03-10T09:00:00Z');
    await newUser();
    const other = (await shop().newProduct()).id;
    expect(await set({ product_ids: [course, other, course] })).toMatchObject([
      { product_id: course, status: 'active', end_active: null },
      { product_id: other, status: 'active' },
    ]);
    at('2026-03-15T09:00:00Z');
    expect(await set({ product_ids: [course], end_active: '2026-04-01T00:00:00Z' })).toMatchObject([
      {
        product_id: course,
        start: '2026-03-10T09:00:00.000Z',
        end_active: '2026-04-01T00:00:00.000Z',
      },
      { product_id: other, end_active: null },
    ]);
    const { body } = await shop().api.get(`/access?user_id=${user}`);
    expect(body.meta.pagination.total).toBe(2);
  });

  test('are replaced as far as they were granted by hand: what was bought stays', async () => {
    at('2026-03-10T09:00:00Z');
    await newUser();
    const [bought, dropped, added] = [
      (await shop().newProduct()).id,
      (await shop().newProduct()).id,
      (await shop().newProduct()).id,
    ];
    await shop().newOrder({ product_id: bought, user_id: user, status: 'completed' });
    await grant({ product_id: course, source: 'import' });
    await set({ product_ids: [dropped] });
    expect(await set({ product_ids: [added], mode: 'replace' })).toMatchObject([
      { product_id: course, status: 'active' },
      { product_id: bought, status: 'active' },
      { product_id: dropped, status: 'revoked' },
      { product_id: added, status: 'active' },
    ]);
    await set({ product_ids: [], mode: 'replace' });
    expect(await check(added)).toMatchObject({ reason: 'revoked' });
    expect(await check(bought)).toMatchObject({ reason: 'ok' });
  });

  test('are counted as far as the user has access now', async () => {
    at('2026-03-10T09:00:00Z');
    await newUser();
    await set({ product_ids: [course, (await shop().newProduct()).id] });
    await grant({ end_active: '2026-03-20T09:00:00Z' });
    await grant({ product_id: (await shop().newProduct()).id, start: '2026-04-01T00:00:00Z' });
    const { connection } = await shop().store.services();
    const now = shop().store.clock.now();
    const { counted } = await new UnitOfWork(connection, undefined).query({
      counted: countAccess(user, now),
    });
    expect(counted).toEqual([{ total: 2 }]);
  });

  test('that do not exist are refused, and nothing is granted', async () => {
    await newUser();
    const reply = await shop().api.post(`/users/${user}/access-products`, {
      product_ids: [course, 999_999],
    });
    expect(reply).toMatchObject({
      status: 404,
      body: { data: { params: { product_ids: 'unknown id' } } },
    });
    expect(await products()).toEqual([]);
  });
});

describe('events', () => {
  const heard = async () => {
    const { rows } = await shop().store.database.query<{ event: string; data: Access }>(
      `select event, data from outbox where event like 'access.%'
          and (data ->> 'user_id')::bigint = $1 order by id`,
      [user],
    );
    return rows.map(({ event, data }) => [event, data]);
  };

  test('tell when access begins and ends, and whether another grant still gives it', async () => {
    at('2026-03-10T09:00:00Z');
    await shop().api.post('/webhooks', {
      name: 'All',
      url: 'https://receiver.example/hook',
      events: ['access.*'],
    });
    await newUser();
    const order = await shop().newOrder({ product_id: course, user_id: user });
    expect(await heard()).toEqual([]);
    await move(order.id, 'in-progress');
    await move(order.id, 'completed');
    const byHand = await grant();
    await shop().api.delete(`/access/${byHand.id}`);
    await move(order.id, 'refunded');
    expect(await heard()).toMatchObject([
      ['access.granted', { order_id: order.id, status: 'active', can_access: true }],
      ['access.granted', { id: byHand.id, can_access: true }],
      ['access.revoked', { id: byHand.id, status: 'revoked', can_access: true }],
      ['access.revoked', { order_id: order.id, revoke_reason: 'refunded', can_access: false }],
    ]);
  });
});

test('after all of this every derived figure is right', async () => {
  const checked = await checkIntegrity(shop().store.database);
  expect(checked.filter(({ differences }) => differences > 0)).toEqual([]);
});
