import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { User } from '../../../src/domain/user/schemas.ts';
import { scopes } from '../../../src/schema/scopes.ts';
import { shopManagerId } from '../../../src/schema/staff.ts';
import { type ApiClient, fromConsole } from '../../harness/client.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';

// Attacks on people with a role in the console: by an API key, by a helper, by a removed role.

const opened = useStoreFixture();
const root = '//console/api/v1';
const forbidden = { status: 403, body: { code: 'rest_forbidden' } };
let owner: ApiClient;
let helper: User;

const consoleOf = async (id: number) =>
  opened.fixture.store.client(fromConsole(await opened.fixture.store.consoleSession(id)));

beforeAll(async () => {
  owner = await consoleOf((await opened.fixture.newAdministrator()).id);
});

beforeEach(async () => {
  helper = await opened.fixture.newStaff(1);
});

/** A helper whose role may change users, which no built-in role may. */
async function userEditor(): Promise<ApiClient> {
  const scopes = ['users:read', 'users:write', 'users:delete'];
  const { body } = await owner.post(`${root}/staff-roles`, {
    name: `Editors ${crypto.randomUUID()}`,
    scopes,
  });
  return consoleOf((await opened.fixture.newStaff(body.data.id)).id);
}

const guarded = [
  { email: 'thief@evil.example' },
  { phone: '+6281100009' },
  { bank_info: 'Thief 1' },
  { status: 'blocked' },
  { external_ids: { app: 'thief' } },
  { roles: ['administrator'] },
  { roles: ['shop-manager'] },
  { staff_role_id: 5 },
  { staff_role_id: null },
];

describe("A user with a role in the console can't be changed", () => {
  test.each(guarded)('by an API key of every scope: %o', async (fields) => {
    expect(await opened.fixture.api.patch(`/users/${helper.id}`, fields)).toMatchObject(forbidden);
    expect(await opened.fixture.user(helper.id)).toEqual(helper);
  });

  test.each(guarded)('by other staff, and by themselves: %o', async (fields) => {
    const editor = await userEditor();
    expect(await editor.patch(`${root}/users/${helper.id}`, fields)).toMatchObject(forbidden);
    const self = (await editor.get('//console/api/session')).body.data.user.id;
    expect(await editor.patch(`${root}/users/${self}`, fields)).toMatchObject(forbidden);
  });

  test('nor can a key or another helper give a member a role', async () => {
    const { fixture } = opened;
    const { id } = await fixture.newUser();
    const editor = await userEditor();
    for (const fields of [{ roles: ['shop-manager'] }, { staff_role_id: 1 }]) {
      const email = `${crypto.randomUUID()}@people.example`;
      expect(await fixture.api.patch(`/users/${id}`, fields)).toMatchObject(forbidden);
      expect(await fixture.api.post('/users', { email, ...fields })).toMatchObject(forbidden);
      expect(await editor.patch(`${root}/users/${id}`, fields)).toMatchObject(forbidden);
      expect(await editor.post(`${root}/users`, { email, ...fields })).toMatchObject(forbidden);
    }
    const kept = { staff_role_id: null, roles: ['member'], display_name: 'Renamed' };
    expect((await fixture.api.patch(`/users/${id}`, kept)).status).toBe(200);
  });

  test('except in name and group, by callers who may change users', async () => {
    const fields = { display_name: 'Renamed', address: 'Jl. Melati 8' };
    expect((await opened.fixture.api.patch(`/users/${helper.id}`, fields)).status).toBe(200);
  });

  test('nor erased before the role is removed', async () => {
    const path = `/users/${helper.id}`;
    expect(await opened.fixture.api.delete(path)).toMatchObject(forbidden);
    expect(await owner.delete(root + path)).toMatchObject(forbidden);
    expect((await owner.patch(root + path, { staff_role_id: null })).status).toBe(200);
    expect((await owner.delete(root + path)).status).toBe(200);
  });

  test('nor have sessions ended or issued by a key that was not made for it', async () => {
    const { store } = opened.fixture;
    const { token } = await store.createKey({ administrators: false });
    const key = store.client({ authorization: `Bearer ${token}` });
    expect(await key.post(`/users/${helper.id}/sessions/revoke`)).toMatchObject(forbidden);
    expect(await key.post('/sessions', { user_id: helper.id })).toMatchObject(forbidden);
    expect(
      (await key.post('/sessions', { user_id: (await opened.fixture.newUser()).id })).status,
    ).toBe(200);
  });

  test('nor be acted as, from the moment the role is given', async () => {
    const { fixture } = opened;
    const { id, session } = await fixture.newAdministrator();
    expect(await session.post('/me/switch-user', { user_id: helper.id })).toMatchObject(forbidden);
    const member = await fixture.newUser();
    const acting = await fixture.store.session(member.id, fixture.store.switchedBy(id));
    expect((await acting.get('/me')).status).toBe(200);
    await owner.patch(`${root}/users/${member.id}`, { staff_role_id: 1 });
    expect((await acting.get('/me')).status).toBe(401);
  });
});

describe('A role', () => {
  test('is given by an administrator, and holds from the next request', async () => {
    const { id } = await opened.fixture.newUser();
    const client = await consoleOf(id);
    expect(await client.get(`${root}/orders`)).toMatchObject(forbidden);
    const given = await owner.patch(`${root}/users/${id}`, { staff_role_id: 3 });
    expect(given.body.data).toMatchObject({ staff_role_id: 3, roles: ['member'] });
    expect((await client.get(`${root}/orders`)).status).toBe(200);
    expect(await client.post(`${root}/products`, { title: 'Course', price: 1 })).toMatchObject({
      ...forbidden,
      body: { message: 'Your role may not do this. It takes the scope products:write.' },
    });
    const { scopes, user } = (await client.get('//console/api/session')).body.data;
    expect(user).toMatchObject({ role: 'staff', staff_role: { id: 3, name: 'Support' } });
    expect(scopes).toContain('licenses:write');
  });

  test('that is removed or narrowed loses its rights at once, in every session', async () => {
    const role = { name: 'Packing', scopes: ['orders:read', 'products:read'] };
    const { id } = (await owner.post(`${root}/staff-roles`, role)).body.data;
    const client = await consoleOf((await opened.fixture.newStaff(id)).id);
    expect((await client.get(`${root}/products`)).status).toBe(200);
    await owner.patch(`${root}/staff-roles/${id}`, { scopes: ['orders:read'] });
    expect(await client.get(`${root}/products`)).toMatchObject(forbidden);
    expect((await client.get(`${root}/orders`)).status).toBe(200);
    const self = (await client.get('//console/api/session')).body.data.user.id;
    await owner.patch(`${root}/users/${self}`, { staff_role_id: null });
    expect(await client.get(`${root}/orders`)).toMatchObject(forbidden);
    expect(await client.get('//console/api/session')).toMatchObject(forbidden);
  });

  test('of shop managers is given and removed together with `shop-manager` in the roles', async () => {
    const { id } = await opened.fixture.newUser({ roles: ['affiliate'] });
    const change = async (fields: object) => {
      const { body } = await owner.patch(`${root}/users/${id}`, fields);
      return [body.data.staff_role_id, body.data.roles];
    };
    expect(await change({ staff_role_id: 5 })).toEqual([5, ['affiliate', 'shop-manager']]);
    expect(await change({ staff_role_id: 1 })).toEqual([1, ['affiliate']]);
    expect(await change({ roles: ['affiliate', 'shop-manager'] })).toEqual([
      5,
      ['affiliate', 'shop-manager'],
    ]);
    expect(await change({ roles: ['member'] })).toEqual([null, ['member']]);
    expect(await change({ staff_role_id: 2 })).toEqual([2, ['member']]);
    expect(await change({ roles: ['affiliate'] })).toEqual([2, ['affiliate']]);
  });

  test('that does not exist is refused', async () => {
    const reply = await owner.patch(`${root}/users/${helper.id}`, { staff_role_id: 999 });
    expect(reply).toMatchObject({
      status: 404,
      body: { data: { params: { staff_role_id: 'unknown id' } } },
    });
  });

  test('can be neither created nor changed by a helper, whatever their rights', async () => {
    const editor = await userEditor();
    const role = { name: 'Mine', scopes: ['users:write'] };
    expect(await editor.post(`${root}/staff-roles`, role)).toMatchObject(forbidden);
    expect(await editor.patch(`${root}/staff-roles/1`, role)).toMatchObject(forbidden);
    expect(await editor.delete(`${root}/staff-roles/1`)).toMatchObject(forbidden);
    expect(await editor.patch(`${root}/me/settings`, { store_name: 'Mine' })).toMatchObject(
      forbidden,
    );
    expect(await editor.get(`${root}/me/settings`)).toMatchObject(forbidden);
  });
});

describe('Roles', () => {
  const make = (fields: object) => owner.post(`${root}/staff-roles`, fields);

  test('are five in every store, all visible to callers who read users', async () => {
    const { body } = await opened.fixture.api.get('/staff-roles');
    const builtIn = body.data.filter((role: { built_in: boolean }) => role.built_in);
    expect(builtIn.map(({ name }: { name: string }) => name)).toEqual([
      'Orders',
      'Affiliates',
      'Support',
      'Accounting',
      'Shop manager',
    ]);
    expect(builtIn[0].users).toBeGreaterThan(0);
  });

  test('have unique names, and scopes that exist in the console', async () => {
    const made = await make({ name: 'Night shift', scopes: ['orders:read', 'orders:read'] });
    expect(made).toMatchObject({
      status: 201,
      body: { data: { scopes: ['orders:read'], users: 0 } },
    });
    const again = await make({ name: 'NIGHT SHIFT', scopes: ['orders:read'] });
    expect(again).toMatchObject({ status: 409, body: { code: 'staff_role_name_exists' } });
    for (const scopes of [['sessions:write'], ['orders:fly'], []])
      expect((await make({ name: 'Odd', scopes })).status, scopes.join()).toBe(400);
  });

  test('can be deleted if nobody has them, except the five built-in ones', async () => {
    const { id } = (await make({ name: 'Short-lived', scopes: ['orders:read'] })).body.data;
    const { id: person } = await opened.fixture.newStaff(id);
    const remove = (role: number) => owner.delete(`${root}/staff-roles/${role}`);
    expect(await remove(id)).toMatchObject({ status: 409, body: { code: 'staff_role_in_use' } });
    await owner.patch(`${root}/users/${person}`, { staff_role_id: 1 });
    expect((await remove(id)).status).toBe(200);
    expect(await remove(2)).toMatchObject({ status: 409, body: { code: 'staff_role_built_in' } });
  });

  test('and settings about access require a fresh sign-in to change', async () => {
    const { fixture } = opened;
    const stale = await consoleOf((await fixture.newAdministrator()).id);
    fixture.store.clock.advance(601);
    const again = { status: 403, body: { code: 'svc_console_sign_in_again' } };
    for (const reply of [
      await stale.post(`${root}/staff-roles`, { name: 'Late', scopes: ['orders:read'] }),
      await stale.patch(`${root}/staff-roles/1`, { scopes: ['orders:read'] }),
      await stale.patch(`${root}/users/${helper.id}`, { staff_role_id: 2 }),
      await stale.patch(`${root}/users/${helper.id}`, { external_ids: { app: 'other' } }),
      await stale.patch(`${root}/me/settings`, { notification_email: 'other@shop.example' }),
      await stale.patch(`${root}/me/settings`, { refund_sign_in_above: 1000 }),
    ])
      expect(reply).toMatchObject(again);
    expect((await stale.patch(`${root}/me/settings`, { store_name: 'Toko' })).status).toBe(200);
    owner = await consoleOf((await fixture.newAdministrator()).id);
  });
});

test('An administrator makes another one in the console, and the last one stays', async () => {
  const { fixture } = opened;
  const { id } = await fixture.newUser();
  const first = await fixture.newAdministrator();
  const client = await consoleOf(first.id);
  expect((await client.patch(`${root}/users/${id}`, { roles: ['administrator'] })).status).toBe(
    200,
  );
  await fixture.store.database.query(
    `update users set roles = '{member}' where roles @> '{administrator}' and id <> $1`,
    [first.id],
  );
  const left = await client.patch(`${root}/users/${first.id}`, { roles: ['member'] });
  expect(left).toMatchObject({ status: 409, body: { code: 'last_administrator' } });
  const blocked = await client.patch(`${root}/users/${first.id}`, { status: 'blocked' });
  expect(blocked).toMatchObject({ status: 409, body: { code: 'last_administrator' } });
});

test('The shop manager reads everything, and changes nothing', async () => {
  const { body } = await opened.fixture.api.get('/staff-roles');
  const manager = body.data.find(({ id }: { id: number }) => id === shopManagerId);
  const reading = scopes.map(({ name }) => name).filter((name) => name.endsWith(':read'));
  expect(manager.scopes.toSorted()).toEqual(reading.toSorted());
});

test('Paying commissions requires payouts:write in every operation', async () => {
  const { store } = opened.fixture;
  const { token } = await store.createKey({ scopes: ['commissions:read', 'commissions:write'] });
  const key = store.client({ authorization: `Bearer ${token}` });
  expect(await key.post('/payouts', { affiliate_id: 1 })).toMatchObject(forbidden);
  expect(await key.patch('/commissions/1', { paid_status: true })).toMatchObject(forbidden);
});
