import { beforeAll, describe, expect, test } from 'vitest';
import type { ApiClient } from '../../harness/client.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';

const opened = useStoreFixture();
let administrator: number;
let admin: ApiClient;

beforeAll(async () => {
  const { fixture } = opened;
  ({ id: administrator, session: admin } = await fixture.newAdministrator());
  await fixture.newUser({ display_name: 'Dewi', email: 'dewi@mail.example' });
  await fixture.newUser({ display_name: 'Budi' });
  const { id: product_id } = await fixture.newProduct({ license: { active: true } });
  await fixture.newOrder({ product_id, status: 'completed' });
  await fixture.api.post('/coupons', { code: 'STORE10', discount: { value: 10 } });
});

describe('Administrators read the general lists in one trip, as themselves', () => {
  test.each([
    ['/users', '?search=dewi'],
    ['/users', '?per_page=1&sort=id'],
    ['/coupons', '?search=STORE'],
    ['/coupons', '?status=pending'],
    ['/licenses', ''],
    ['/licenses', '?reveal=true&status=active'],
  ])('%s%s', async (path, query) => {
    const general = await opened.fixture.api.get(path + query);
    const { status, body, trips } = await admin.get(`/me${path}${query}`);
    expect({ status, trips }).toEqual({ status: 200, trips: 1 });
    const { meta, ...expected } = general.body;
    // The app keeps no copy of these lists, so they have no `next_updated_since`.
    const { next_updated_since: _, ...own } = meta;
    expect(body).toEqual({ ...expected, meta: { ...own, effective_user_id: administrator } });
  });

  test('and can continue with a cursor', async () => {
    const first = await admin.get('/me/users?per_page=2');
    const next = await admin.get(`/me/users?per_page=2&cursor=${first.body.meta.next_cursor}`);
    expect(next.body.data[0].id).toBeLessThan(first.body.data[1].id);
    expect(next.body.meta.effective_user_id).toBe(administrator);
  });
});

test('one user is read as the general endpoint shows them, and an unknown user is a 404', async () => {
  const user = await opened.fixture.newUser({ bank_info: 'BCA 1' });
  expect(await admin.get(`/me/users/${user.id}`)).toMatchObject({
    status: 200,
    trips: 1,
    body: { data: user },
  });
  expect(await admin.get('/me/users/999999')).toMatchObject({
    status: 404,
    body: { code: 'rest_not_found' },
  });
});

test("an administrator creates the store's coupons by the general rules", async () => {
  const { fixture } = opened;
  const affiliate = await fixture.newAffiliate();
  const body = { code: 'new-one', user_id: affiliate.id, discount: { value: 500, type: 'fixed' } };
  const made = await admin.post('/me/coupons', body);
  expect(made).toMatchObject({
    status: 201,
    trips: 2,
    body: { data: { code: 'NEW-ONE', user_id: affiliate.id, status: 'active' } },
  });
  const { body: read } = await fixture.api.get(`/coupons/${made.body.data.id}`);
  expect(read.data).toEqual(made.body.data);
  expect((await admin.post('/me/coupons', body)).body.code).toBe('coupon_code_exists');
  expect(await admin.post('/me/coupons', { code: 'OTHER', user_id: 999_999 })).toMatchObject({
    status: 404,
    body: { code: 'rest_not_found', data: { params: { user_id: 'unknown id' } } },
  });
});

describe('Products with their coupon templates', () => {
  async function templates(query = ''): Promise<Record<number, string[]>> {
    const { status, body, trips } = await admin.get(`/me/coupon-products${query}`);
    expect({ status, trips }).toEqual({ status: 200, trips: 1 });
    expect(body.meta).toMatchObject({
      effective_user_id: administrator,
      pagination: { total: body.data.length },
    });
    return Object.fromEntries(
      body.data.map((row: { product_id: number; templates: { code: string }[] }) => [
        row.product_id,
        row.templates.map(({ code }) => code),
      ]),
    );
  }

  test('name the live templates that apply, and no other coupon', async () => {
    const { fixture } = opened;
    const template = async (code: string, rule: object = {}, more: object = {}) => {
      const reply = await fixture.api.post('/coupons', {
        code,
        discount: { value: 10, type: 'percentage' },
        rule: { use_by_affiliate: true, ...rule },
        ...more,
      });
      return reply.body.data;
    };
    const one = await fixture.newProduct({ title: 'Bread one' });
    const other = await fixture.newProduct({ title: 'Bread other', price: 700 });
    const everywhere = await template('EVERYWHERE');
    await template('ONLY-ONE', { apply_only: [one.id] });
    await template('NOT-ONE', { cant_apply: [one.id] });
    await template('EXPIRED', {}, { limit_date: '2026-01-01T00:00:00.000Z' });
    await template('PENDING', {}, { status: 'pending' });
    expect(await templates('?search=bread')).toEqual({
      [one.id]: ['ONLY-ONE', 'EVERYWHERE'],
      [other.id]: ['NOT-ONE', 'EVERYWHERE'],
    });
    const { body } = await admin.get(`/me/coupon-products?ids=${other.id}`);
    expect(body.data[0]).toMatchObject({
      product_id: other.id,
      title: 'Bread other',
      price: 700,
      templates: [{ code: 'NOT-ONE' }, { coupon_id: everywhere.id, discount: { value: 10 } }],
    });
  });

  test('include those without a template', async () => {
    const { fixture } = opened;
    await fixture.store.database.query('update coupons set deleted_at = created_at');
    expect(Object.values(await templates()).flat()).toEqual([]);
  });
});

test('other users neither see nor create any of it', async () => {
  const { fixture } = opened;
  const manager = await fixture.newStaff();
  const session = await fixture.store.session(manager.id);
  const forbidden = { status: 403, body: { code: 'rest_forbidden' } };
  for (const path of ['users', `users/${manager.id}`, 'coupons', 'licenses', 'coupon-products']) {
    expect(await session.get(`/me/${path}`), path).toMatchObject(forbidden);
  }
  expect(await session.post('/me/coupons', { code: 'MINE-1' })).toMatchObject(forbidden);
});
