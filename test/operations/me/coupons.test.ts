import { beforeAll, expect, test } from 'vitest';
import type { ApiClient } from '../../harness/client.ts';
import { useStore } from '../../harness/store.ts';
import { behindLock } from '../../races/queue.ts';

const opened = useStore();
let api: ApiClient;
let seller: number;
let app: ApiClient;
let member: ApiClient;
let template: number;

const created = async (path: string, body: object) =>
  (await api.post(path, body)).body.data.id as number;

beforeAll(async () => {
  api = await opened.store.key();
  seller = await created('/users', { email: 'seller@x.example', roles: ['affiliate'] });
  app = await opened.store.session(seller);
  member = await opened.store.session(await created('/users', { email: 'member@x.example' }));
  template = await created('/coupons', {
    code: 'TEMPLATE',
    discount: { value: 10, type: 'percentage' },
    rule: { use_by_affiliate: true, limit_affiliate_coupon: 3 },
  });
});

const copy = (code: string, more: object = {}) =>
  app.post('/me/affiliate-coupons', { code, coupon_parent_id: template, ...more });

test('an affiliate copies a template; owner, terms and status come from the store', async () => {
  const made = await copy('mine-1', { user_id: 999, discount: { value: 100 }, status: 'active' });
  expect(made).toMatchObject({
    status: 201,
    trips: 2,
    body: {
      data: { code: 'MINE-1', user_id: seller, status: 'need-approve', discount: { value: 10 } },
      meta: { ignored_fields: ['user_id', 'discount', 'status'] },
    },
  });
  const { body, trips } = await app.get('/me/affiliate-coupons');
  expect(trips).toBe(1);
  expect(body.data).toEqual([made.body.data]);
  expect(body.meta).toMatchObject({ effective_user_id: seller, templates: [{ id: template }] });
});

test("a template doesn't show the other users it is for", async () => {
  const group = await created('/user-groups', { name: 'Insiders' });
  const rule = { use_by_affiliate: true, user_ids: [seller], group_ids: [group] };
  const parent = await created('/coupons', { code: 'INSIDE', rule });
  const made = await copy('MY-INSIDE', { coupon_parent_id: parent });
  const { body } = await app.get('/me/affiliate-coupons');
  const own = body.data.find(({ id }: { id: number }) => id === made.body.data.id);
  const shared = body.meta.templates.find(({ id }: { id: number }) => id === parent);
  for (const { rule: shown } of [made.body.data, own, shared]) {
    expect(shown).toMatchObject({ use_by_affiliate: true, user_ids: [], group_ids: [] });
  }
  expect((await api.get(`/coupons/${parent}`)).body.data.rule).toMatchObject(rule);
  for (const id of [made.body.data.id, parent]) await api.delete(`/coupons/${id}`);
});

test('templates are shown to affiliates who may copy them', async () => {
  expect((await member.get('/me/affiliate-coupons')).body.meta.templates).toEqual([]);
  expect((await app.get('/me/affiliate-coupons')).body.meta.templates).toHaveLength(1);
});

test('members who may not, unknown templates and taken codes are refused', async () => {
  const body = { code: 'OTHER', coupon_parent_id: template };
  expect(await member.post('/me/affiliate-coupons', body)).toMatchObject({
    status: 403,
    body: { code: 'rest_forbidden' },
  });
  const plain = await created('/coupons', { code: 'PLAIN' });
  for (const coupon_parent_id of [999_999, plain]) {
    expect((await copy('OTHER', { coupon_parent_id })).status).toBe(404);
  }
  expect((await copy('TEMPLATE')).body.code).toBe('coupon_code_exists');
  expect((await member.get('/me/affiliate-coupons')).body.data).toEqual([]);
});

test('the copies of a template are limited under parallel callers, and a deleted copy frees its place', async () => {
  const replies = await behindLock(
    opened.store,
    `select from coupon_copies where template_id = ${template} for update`,
    Array.from({ length: 12 }, (_, i) => () => copy(`RACE-${i}`)),
  );
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(2);
  expect(replies.filter(({ body }) => body.code === 'coupon_quota')).toHaveLength(10);
  const { body } = await app.get('/me/affiliate-coupons');
  expect((await api.delete(`/coupons/${body.data[0].id}`)).status).toBe(200);
  expect((await copy('AGAIN')).status).toBe(201);
  expect((await copy('MORE')).body.code).toBe('coupon_quota');
});

test("copies that the store makes or hands over count among an affiliate's own", async () => {
  const mine = { coupon_parent_id: template, user_id: (await app.get('/me')).body.data.id };
  const extra = await created('/coupons', { code: 'BY-STORE', ...mine });
  expect((await api.delete(`/coupons/${extra}`)).status).toBe(200);
  expect((await copy('STILL-MORE')).body.code).toBe('coupon_quota');
  const [first] = (await app.get('/me/affiliate-coupons')).body.data;
  await api.patch(`/coupons/${first.id}`, { user_id: null });
  expect((await copy('IN-PLACE')).status).toBe(201);
  await api.patch(`/coupons/${first.id}`, { user_id: mine.user_id });
  await api.delete(`/coupons/${first.id}`);
  expect((await copy('NO-PLACE')).body.code).toBe('coupon_quota');
});

test('members change their name, phone and bank account, and nothing else', async () => {
  const changed = await app.patch('/me/profile', {
    first_name: 'Sari',
    phone: '+62811',
    bank_info: 'BCA 1',
    email: 'other@x.example',
    roles: ['administrator'],
  });
  expect(changed).toMatchObject({
    status: 200,
    trips: 2,
    body: {
      data: { phone: '+62811', bank: 'BCA 1', email: 'seller@x.example', is_admin: false },
      meta: { ignored_fields: ['email', 'roles'] },
    },
  });
  expect((await app.get('/me')).body.data).toEqual(changed.body.data);
});
