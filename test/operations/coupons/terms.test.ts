import { afterAll, expect, test } from 'vitest';
import { expectIntegrity, expectNoticed } from '../../harness/integrity.ts';
import { useCoupons } from './stage.ts';

const { opened, api, product, seller, created, buy } = useCoupons();

afterAll(() => expectIntegrity(opened.fixture));

test('a reopened first order no longer counts as the first if another was placed meanwhile', async () => {
  const code = 'FIRST';
  await created('/coupons', { code, rule: { first_order_only: true } });
  const user_id = await created('/users', { email: 'newcomer@x.example' });
  const { id } = (await buy(code, { user_id })).body.data;
  const move = (order: number, status: string) => api().patch(`/orders/${order}`, { status });
  await move(id, 'cancelled');
  const { body: other } = await api().post('/orders', { product_id: product(), user_id });
  expect(await move(id, 'on-hold')).toMatchObject({
    status: 409,
    body: { code: 'coupon_first_order_only' },
  });
  await move(other.data.id, 'cancelled');
  expect(await move(id, 'on-hold')).toMatchObject({ status: 200 });
});

test('a coupon is not used up if there is nothing to discount, and counts for its owner', async () => {
  const club = await created('/products', {
    title: 'Club',
    price: 5000,
    payment_type: 'recurring',
    affiliate: { enabled: true },
    subscription: {
      active: true,
      tryout: { active: true, duration: 7, period: 'daily', first_only: true },
    },
  });
  const code = 'TENTH';
  await created('/coupons', {
    code,
    discount: { value: 10, type: 'percentage' },
    limit_use_per_user: 1,
    user_id: seller(),
  });
  const usage = async () => (await api().get(`/coupons/${code}`)).body.data.usage;
  const trial = await buy(code, { product_id: club, type: 'subscription-tryout' });
  expect(trial.body.data).toMatchObject({
    grand_total: 0,
    coupon_id: null,
    coupon_code: null,
    affiliate_id: seller(),
    attribution: { affiliate_id: seller(), source: 'coupon' },
  });
  expect(await usage()).toBe(0);
  const paid = await buy(code, { product_id: club, order_parent_id: trial.body.data.id });
  expect(paid.body.data).toMatchObject({ discount_total: 500, coupon_code: code });
  expect(await usage()).toBe(1);
});

test('the fields that a copy takes from its template are changed only there', async () => {
  const template = await created('/coupons', {
    code: 'TERMS',
    discount: { value: 10, type: 'percentage' },
    rule: { use_by_affiliate: true },
  });
  const copied = { code: 'TERMS-COPY', coupon_parent_id: template, user_id: seller() };
  const refused = (...names: string[]) => ({
    status: 400,
    body: {
      code: 'rest_invalid_param',
      data: {
        params: Object.fromEntries(
          names.map((name) => [name, 'comes from the template of this copy']),
        ),
      },
    },
  });
  expect(await api().post('/coupons', { ...copied, limit_use: 5 })).toMatchObject(
    refused('limit_use'),
  );
  const copy = (await api().post('/coupons', copied)).body.data;
  const change = (body: object) => api().patch(`/coupons/${copy.id}`, body);
  const terms = {
    discount: { value: 90 },
    rule: { minimum_amount: 1 },
    limit_use: 5,
    limit_use_per_user: 1,
    start_date: '2030-01-01T00:00:00Z',
    limit_date: '2031-01-01T00:00:00Z',
  };
  expect(await change(terms)).toMatchObject(refused(...Object.keys(terms)));
  expect((await api().get('/coupons/TERMS-COPY')).body.data).toEqual(copy);
  // The record as it was read, with only the copy's own fields changed.
  expect(await change({ ...copy, code: 'TERMS-MINE' })).toMatchObject({
    status: 200,
    body: { data: { code: 'TERMS-MINE', discount: copy.discount } },
  });
});

test.each([
  ['uses of coupons', 'update coupon_usage set used = used + 1'],
  ['uses of coupons by buyer', 'update coupon_user_usage set used = used + 1'],
  ['uses of coupons against their orders', 'update coupon_redemptions set released_at = now()'],
  ['copies of coupons by affiliate', 'delete from coupon_copies'],
])('the integrity check reports wrong %s', async (name, damage) => {
  const template = await created('/coupons', {
    code: `T${damage.length}`,
    rule: { use_by_affiliate: true },
  });
  const copy = { code: `C${damage.length}`, coupon_parent_id: template, user_id: seller() };
  await created('/coupons', copy);
  expect((await buy(copy.code)).status).toBe(201);
  await expectNoticed(opened.fixture, name, damage);
});

test('a coupon that would end before it starts is refused, for a change of either date', async () => {
  const [early, late] = ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'];
  const refused = {
    status: 400,
    body: { data: { params: { limit_date: 'must be after start_date' } } },
  };
  const dates = { start_date: late, limit_date: early };
  expect(await api().post('/coupons', { code: 'TURNED', ...dates })).toMatchObject(refused);
  const start = await created('/coupons', { code: 'START', start_date: late });
  expect(await api().patch(`/coupons/${start}`, { limit_date: early })).toMatchObject(refused);
  const end = await created('/coupons', { code: 'END', limit_date: early });
  expect(await api().patch(`/coupons/${end}`, { start_date: late })).toMatchObject(refused);
  expect((await api().patch(`/coupons/${end}`, dates)).status).toBe(400);
  const moved = await api().patch(`/coupons/${end}`, { start_date: early, limit_date: late });
  expect(moved.status).toBe(200);
});

test('a coupon whose dates were already in the wrong order can still be changed', async () => {
  const id = await created('/coupons', { code: 'OLD-DATES' });
  await opened.fixture.store.database.query(
    "update coupons set start_date = '2026-02-01Z', limit_date = '2026-01-01Z' where id = $1",
    [id],
  );
  expect((await api().patch(`/coupons/${id}`, { status: 'pending' })).status).toBe(200);
});
