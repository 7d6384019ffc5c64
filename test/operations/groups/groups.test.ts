import { describe, expect, test } from 'vitest';
import { useGroups } from './stage.ts';

const { stage, newGroup } = useGroups();

let names = 0;

describe('User groups', () => {
  test('need only a name', async () => {
    const { api } = stage.fixture;
    const { body, trips } = await api.post('/user-groups', { name: 'Members' });
    expect(trips).toBe(2);
    expect(body.data).toMatchObject({
      name: 'Members',
      priority: 0,
      can_affiliate: true,
      can_affiliate_coupon: true,
      discount: { enabled: false, value: 0, type: 'percentage' },
      commissions: [],
      per_product: [],
      min_sales_for_upline: 0,
      version: 1,
    });
    expect((await api.get(`/user-groups/${body.data.id}`)).body).toEqual(body);
  });

  test('are changed in part, and found by name', async () => {
    const { api } = stage.fixture;
    const group = await newGroup({ name: 'Platinum', discount: { enabled: true, value: 7.5 } });
    for (const [i, change] of [api.put, api.patch, api.post].entries()) {
      const discount = { value: 500 + i, type: 'fixed' };
      const { status, body } = await change(`/user-groups/${group.id}`, { discount });
      expect(status).toBe(200);
      expect(body.data).toMatchObject({
        name: 'Platinum',
        discount: { enabled: true, ...discount },
      });
    }
    const { body } = await api.get('/user-groups?search=latin');
    expect(body.data).toMatchObject([{ id: group.id, version: 4 }]);
    expect(body.meta.pagination.total).toBe(1);
  });

  test.each([
    [{ name: '' }, 'name'],
    [{ discount: { value: 101 } }, 'discount'],
    [{ discount: { value: 1.5, type: 'fixed' } }, 'discount'],
    [{ commissions: [{ tier: 1, fee: 12.34567, type: 'percentage' }] }, 'commissions'],
    [{ commissions: [{ tier: 1, fee: 0.5, type: 'fixed' }] }, 'commissions'],
    [
      {
        commissions: [
          { tier: 2, fee: 1, type: 'fixed' },
          { tier: 2, fee: 2, type: 'fixed' },
        ],
      },
      'commissions',
    ],
    [{ per_product: [{ product_id: 1, discount: { value: 200 } }] }, 'per_product'],
    [{ per_product: [{ product_id: 1 }, { product_id: 1 }] }, 'per_product'],
    [{ min_sales_for_upline: -1 }, 'min_sales_for_upline'],
  ])('refuse %j', async (fields, param) => {
    const reply = await stage.fixture.api.post('/user-groups', {
      name: `Group ${++names}`,
      ...fields,
    });
    expect(reply).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
    expect(Object.keys(reply.body.data.params)).toEqual([param]);
  });

  test('have terms only for existing products', async () => {
    const { api } = stage.fixture;
    const per_product = [{ product_id: 999_999 }];
    const refused = { status: 404, body: { data: { params: { per_product: 'unknown id' } } } };
    expect(await api.post('/user-groups', { name: 'No such', per_product })).toMatchObject(refused);
    const group = await newGroup();
    expect(await api.patch(`/user-groups/${group.id}`, { per_product })).toMatchObject(refused);
  });

  test('have unique names, whatever their case', async () => {
    const { api } = stage.fixture;
    await newGroup({ name: 'Silver' });
    const other = await newGroup();
    const taken = { status: 409, trips: 2, body: { code: 'group_name_exists' } };
    expect(await api.post('/user-groups', { name: 'SILVER' })).toMatchObject(taken);
    expect(await api.patch(`/user-groups/${other.id}`, { name: 'silver' })).toMatchObject(taken);
  });

  test('can be deleted once they have no members', async () => {
    const { fixture } = stage;
    const group = await newGroup();
    const user = await fixture.newUser({ group_id: group.id });
    expect(await fixture.api.delete(`/user-groups/${group.id}`)).toMatchObject({
      status: 409,
      body: { code: 'group_has_users' },
    });
    await fixture.api.post(`/users/${user.id}/group`, { group_id: null, force: true });
    expect((await fixture.api.delete(`/user-groups/${group.id}`)).status).toBe(200);
    expect((await fixture.api.get(`/user-groups/${group.id}`)).status).toBe(404);
  });

  test('are not changed if the version in If-Match is out of date', async () => {
    const group = await newGroup();
    const stale = { headers: { 'if-match': '7' } };
    const reply = await stage.fixture.api.patch(`/user-groups/${group.id}`, { priority: 1 }, stale);
    expect(reply).toMatchObject({ status: 409, body: { code: 'rest_conflict' } });
  });
});

describe('The group of a user', () => {
  const move = (user: { id: number }, body: object) =>
    stage.fixture.api.post(`/users/${user.id}/group`, body);

  test('is read and set, and is part of the user', async () => {
    const { fixture } = stage;
    const gold = await newGroup({ priority: 10 });
    const user = await fixture.newUser();
    expect((await fixture.api.get(`/users/${user.id}/group`)).body.data).toBe(null);
    expect(user).toMatchObject({ group_id: null, group: null });
    expect(await move(user, { group_id: gold.id })).toMatchObject({
      status: 200,
      trips: 2,
      body: { data: gold },
    });
    expect((await fixture.api.get(`/users/${user.id}/group`)).body.data).toEqual(gold);
    expect(await fixture.user(user.id)).toMatchObject({
      group_id: gold.id,
      group: { id: gold.id, name: gold.name },
      version: 2,
    });
    const { body } = await fixture.api.get(`/users?group_id=${gold.id}`);
    expect(body.data.map(({ id }: { id: number }) => id)).toEqual([user.id]);
  });

  test('is lowered in priority only with force, which includes its removal', async () => {
    const { fixture } = stage;
    const low = await newGroup({ priority: -5 });
    const high = await newGroup({ priority: 5 });
    const even = await newGroup({ priority: 5 });
    const user = await fixture.newUser();
    const below = { status: 409, body: { code: 'group_below' } };
    expect((await move(user, { group_id: low.id })).status).toBe(200);
    expect((await move(user, { group_id: high.id })).status).toBe(200);
    expect((await move(user, { group_id: even.id })).status).toBe(200);
    expect(await move(user, { group_id: low.id })).toMatchObject(below);
    expect(await move(user, { group_id: null })).toMatchObject(below);
    expect((await fixture.user(user.id)).group_id).toBe(even.id);
    expect((await move(user, { group_id: low.id, force: true })).status).toBe(200);
    expect((await move(user, { group_id: null, force: true })).body.data).toBe(null);
  });

  test('must exist, and setting it again changes nothing', async () => {
    const { fixture } = stage;
    const group = await newGroup();
    const user = await fixture.newUser({ group_id: group.id });
    expect(user.group_id).toBe(group.id);
    expect(await move(user, { group_id: 999_999 })).toMatchObject({
      status: 404,
      body: { data: { params: { group_id: 'unknown id' } } },
    });
    expect((await move({ id: 999_999 }, { group_id: null })).status).toBe(404);
    expect((await move(user, {})).body.code).toBe('rest_missing_callback_param');
    expect((await move(user, { group_id: group.id })).status).toBe(200);
    expect((await fixture.user(user.id)).version).toBe(1);
    const unknown = { email: 'nobody@x.example', group_id: 999_999 };
    expect((await fixture.api.post('/users', unknown)).status).toBe(404);
  });

  test('denies or allows promoting', async () => {
    const { fixture } = stage;
    const denied = await newGroup({ can_affiliate: false });
    const plain = await newGroup({ can_affiliate_coupon: false });
    const may = async (group_id?: number) => {
      const { can_affiliate, can_affiliate_coupon } = await fixture.newAffiliate({ group_id });
      return [can_affiliate, can_affiliate_coupon];
    };
    expect(await may()).toEqual([true, true]);
    expect(await may(denied.id)).toEqual([false, false]);
    expect(await may(plain.id)).toEqual([true, false]);
    const product = await fixture.newProduct({ affiliate: { enabled: true } });
    const affiliate = await fixture.newAffiliate({ group_id: denied.id });
    const order = await fixture.newOrder({ product_id: product.id, affiliate_id: affiliate.id });
    expect(order).toMatchObject({
      affiliate_id: null,
      attribution: { rejected_reason: 'not-eligible' },
    });
  });

  test("can't be set by an update of the user", async () => {
    const group = await newGroup();
    const user = await stage.fixture.newUser();
    const { body } = await stage.fixture.api.patch(`/users/${user.id}`, { group_id: group.id });
    expect(body).toMatchObject({
      data: { group_id: null },
      meta: { ignored_fields: ['group_id'] },
    });
  });

  test('may be set with either of two scopes', async () => {
    const user = await stage.fixture.newUser();
    for (const scope of ['users:write', 'user-groups:write'] as const) {
      const client = await stage.fixture.store.key(scope);
      expect((await client.post(`/users/${user.id}/group`, { group_id: null })).status).toBe(200);
    }
    const other = await stage.fixture.store.key('users:read', 'user-groups:read');
    expect((await other.post(`/users/${user.id}/group`, { group_id: null })).status).toBe(403);
  });
});
