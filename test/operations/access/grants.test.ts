import { describe, expect, test } from 'vitest';
import { expectIntegrity } from '../../harness/integrity.ts';
import { useAccess } from './stage.ts';

const { fixture, at, course, user, newUser, check, grant, products } = useAccess();

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
    expect((await fixture().api.get(`/access/${plain.id}`)).body.data).toEqual(plain);
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

  test('begin and end by themselves at the given times', async () => {
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
    const body = { user_id: user(), product_id: course(), ...fields };
    expect(await fixture().api.post('/access', body)).toMatchObject({ status, body: { code } });
  });

  test('are gone from the lists once deleted; a check says that they were revoked', async () => {
    await newUser();
    const given = await grant();
    const stale = { headers: { 'if-match': '7' } };
    expect(await fixture().api.delete(`/access/${given.id}`, stale)).toMatchObject({ status: 409 });
    expect(await fixture().api.delete(`/access/${given.id}`)).toMatchObject({
      status: 200,
      trips: 2,
      body: { data: { id: given.id, deleted: true } },
    });
    expect(await fixture().api.get(`/access/${given.id}`)).toMatchObject({ status: 404 });
    expect(await fixture().api.delete(`/access/${given.id}`)).toMatchObject({ status: 404 });
    expect((await fixture().api.get(`/access?user_id=${user()}`)).body).toMatchObject({
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
    const other = await fixture().newProduct();
    await grant();
    await grant({ product_id: other.id, end_active: '2026-03-20T09:00:00Z' });
    await fixture().newOrder({ product_id: other.id, user_id: user() });
    const total = async (query: string) =>
      (await fixture().api.get(`/access?user_id=${user()}&${query}`)).body.meta.pagination.total;
    at('2026-03-20T09:00:00Z');
    expect(await total('status=active')).toBe(1);
    expect(await total('status=expired')).toBe(1);
    expect(await total('status=pending')).toBe(1);
    expect(await total('status=revoked')).toBe(0);
    expect(await total(`product_id=${other.id}`)).toBe(2);
    const all = await fixture().api.get('/access?per_page=1');
    expect(all).toMatchObject({ status: 200, trips: 1 });
    const { rows } = await fixture().store.database.query(
      'select count(*)::int as n from access_grants where deleted_at is null',
    );
    expect(all.body.meta.pagination.total).toBe(rows[0].n);
  });
});

describe('a check of access', () => {
  test('reports a blocked user first, and an unknown user or product as 404', async () => {
    await newUser();
    await grant();
    await fixture().api.patch(`/users/${user()}`, { status: 'blocked' });
    expect(await check()).toMatchObject({ can_access: false, reason: 'user-blocked' });
    const unknown = (query: string) => fixture().api.get(`/access/check?${query}`);
    expect(await unknown(`user_id=999999&product_id=${course()}`)).toMatchObject({
      status: 404,
      body: { data: { params: { user_id: 'unknown id' } } },
    });
    expect(await unknown(`user_id=${user()}&product_id=999999`)).toMatchObject({
      status: 404,
      body: { data: { params: { product_id: 'unknown id' } } },
    });
    expect(await unknown(`user_id=${user()}`)).toMatchObject({
      status: 400,
      body: { code: 'rest_missing_callback_param' },
    });
  });

  test('uses the best grant: one without end before one with, a later end before an earlier', async () => {
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
    const old = await fixture().newProduct();
    await fixture().newOrder({ product_id: old.id, user_id: user(), status: 'completed' });
    await fixture().api.delete(`/products/${old.id}?force=true`);
    expect(await check(old.id)).toMatchObject({ can_access: true });
  });
});

test('after these tests every derived figure is right', () => expectIntegrity(fixture()));
