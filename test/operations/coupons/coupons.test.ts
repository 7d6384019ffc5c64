import { expect, test } from 'vitest';
import { useCoupons } from './stage.ts';

const { api, seller, created, coupon, buy } = useCoupons();

test('a coupon is created with its code alone and read by code in any case or by id', async () => {
  const made = await api().post('/coupons', { code: 'welcome-1' });
  expect(made).toMatchObject({
    status: 201,
    trips: 2,
    body: { data: { code: 'WELCOME-1', state: 'active', usage: 0, limit_use: 0 } },
  });
  const id = made.body.data.id;
  expect((await api().get('/coupons/welcome-1')).body.data).toEqual(made.body.data);
  expect((await api().get(`/coupons/${id}`)).body.data).toEqual(made.body.data);
  expect(await api().get('/coupons/NOBODY')).toMatchObject({ status: 404, trips: 1 });
  expect(await api().post('/coupons', { code: 'Welcome-1' })).toMatchObject({
    status: 409,
    body: { code: 'coupon_code_exists' },
  });
});

test.each(['12345', 'a', 'with blank', 'ÜBER', ''])('%j is not a valid code', async (code) => {
  expect((await api().post('/coupons', { code })).status).toBe(400);
});

test.each(['apply_only', 'cant_apply', 'user_ids', 'group_ids'])(
  'a rule that names an unknown id in %s is refused, and nothing is written',
  async (list) => {
    const refused = {
      status: 404,
      body: { code: 'rest_not_found', data: { params: { [`rule.${list}`]: 'unknown id' } } },
    };
    const rule = { [list]: [999_999] };
    expect(await api().post('/coupons', { code: 'NO-SUCH', rule })).toMatchObject(refused);
    const kept = await coupon({});
    const { id } = (await api().get(`/coupons/${kept}`)).body.data;
    expect(await api().patch(`/coupons/${id}`, { rule })).toMatchObject({ ...refused, trips: 1 });
    expect(await api().get('/coupons/NO-SUCH')).toMatchObject({ status: 404 });
  },
);

test('a rule may still name deleted records that it named before', async () => {
  const group = await created('/user-groups', { name: 'Gone soon' });
  const gone = await created('/products', { title: 'Gone soon', price: 1 });
  const rule = { group_ids: [group], cant_apply: [gone] };
  const id = await created('/coupons', { code: 'STAYS', rule });
  await api().delete(`/user-groups/${group}`);
  await api().delete(`/products/${gone}`);
  const changed = { rule: { ...rule, minimum_amount: 5 } };
  expect(await api().patch(`/coupons/${id}`, changed)).toMatchObject({
    status: 200,
    body: { data: changed },
  });
});

test('the code of a deleted coupon is free, and old orders keep their discount', async () => {
  const code = await coupon({ discount: { value: 10, type: 'percentage' } });
  const order = await buy(code);
  const { body } = await api().get(`/coupons/${code}`);
  expect((await api().delete(`/coupons/${body.data.id}`)).status).toBe(200);
  expect((await buy(code)).status).toBe(404);
  await created('/coupons', { code });
  const { body: kept } = await api().get(`/orders/${order.body.data.id}`);
  expect(kept.data.discount_total).toBe(1000);
});

test('lists filter by status, owner, parent, product and templates', async () => {
  const template = await created('/coupons', { code: 'LIST-T', rule: { use_by_affiliate: true } });
  const copy = await created('/coupons', {
    code: 'LIST-C',
    coupon_parent_id: template,
    user_id: seller(),
  });
  const other = await created('/products', { title: 'Other', price: 1 });
  const only = await created('/coupons', { code: 'LIST-P', rule: { apply_only: [other] } });
  const off = await created('/coupons', { code: 'LIST-O', status: 'pending' });
  const ids = async (filter: string) => {
    const { body } = await api().get(`/coupons?search=list-&${filter}`);
    expect(body.meta.pagination.total).toBe(body.data.length);
    return body.data.map(({ id }: { id: number }) => id);
  };
  expect(await ids('')).toEqual([off, only, copy, template]);
  expect(await ids('status=pending')).toEqual([off]);
  expect(await ids(`user_id=${seller()}`)).toEqual([copy]);
  expect(await ids(`coupon_parent_id=${template}`)).toEqual([copy]);
  expect(await ids('templates=true')).toEqual([template]);
  expect(await ids(`product_id=${other}`)).toEqual([off, only, copy, template]);
  expect(await ids('product_id=1')).toEqual([off, copy, template]);
});

test('an update may change only the value or only the type of a discount', async () => {
  const made = await api().post('/coupons', {
    code: 'fixed-1',
    discount: { value: 5000, type: 'fixed' },
  });
  const path = `/coupons/${made.body.data.id}`;
  expect(await api().patch(path, { discount: { value: 7000 } })).toMatchObject({
    status: 200,
    body: { data: { discount: { value: 7000, type: 'fixed' } } },
  });
  // A fraction of a unit, and 7000 per cent.
  for (const discount of [{ value: 12.5 }, { type: 'percentage' }]) {
    expect(await api().patch(path, { discount })).toMatchObject({
      status: 400,
      body: {
        code: 'rest_invalid_param',
        data: { params: { 'discount.value': expect.any(String) } },
      },
    });
  }
  expect(await api().patch(path, { discount: { value: 12.5, type: 'percentage' } })).toMatchObject({
    status: 200,
  });
  expect((await api().patch(path, { discount: { type: 'fixed' } })).status).toBe(400);
});

test('dates of any offset are kept as the same moment in UTC', async () => {
  const made = await api().post('/coupons', {
    code: 'dated-1',
    start_date: '2030-01-01T07:00:00+07:00',
    limit_date: '2031-01-01T00:00:00Z',
  });
  expect(made.body.data).toMatchObject({
    start_date: '2030-01-01T00:00:00.000Z',
    limit_date: '2031-01-01T00:00:00.000Z',
  });
  const never = { start_date: '0000-01-01T00:00:00Z' };
  expect((await api().patch(`/coupons/${made.body.data.id}`, never)).status).toBe(400);
});

test('a copy is listed under the status it is shown with, the stricter of its own and its template', async () => {
  const parent = await created('/coupons', { code: 'STRICT', status: 'pending' });
  const id = await created('/coupons', { code: 'STRICT-COPY', coupon_parent_id: parent });
  const listed = async (status: string) => {
    const { body } = await api().get(`/coupons?coupon_parent_id=${parent}&status=${status}`);
    expect(body.meta.pagination.total).toBe(body.data.length);
    return body.data.map((row: { id: number; status: string }) => [row.id, row.status]);
  };
  expect(await listed('pending')).toEqual([[id, 'pending']]);
  expect(await listed('active')).toEqual([]);
  await api().patch(`/coupons/${id}`, { status: 'need-approve' });
  expect(await listed('need-approve')).toEqual([[id, 'need-approve']]);
  expect(await listed('pending')).toEqual([]);
});
