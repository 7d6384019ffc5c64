import { beforeEach, describe, expect, test } from 'vitest';
import { Keys } from '../../../src/cli/keys.ts';
import { withDatabase } from '../../../src/cli/support/database.ts';
import type { User } from '../../../src/domain/user/schemas.ts';
import { long } from '../../harness/long.ts';
import type { ApiClient } from '../../harness/client.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';
import { untilWaiting } from '../../races/queue.ts';

const opened = useStoreFixture();
let administrator: User & { session: ApiClient };

const forbidden = { status: 403, body: { code: 'rest_forbidden' } };
const last = { status: 409, body: { code: 'last_administrator' } };

/** Makes the test's administrator the only one. */
beforeEach(async () => {
  const { fixture } = opened;
  await fixture.store.database.query(`update users set roles = '{member}', version = version + 1`);
  administrator = await fixture.newAdministrator();
});

const change = (user: { id: number }, fields: object, session = administrator.session) =>
  session.patch(`/me/users/${user.id}`, fields);

const stored = async ({ id }: { id: number }) => {
  const { rows } = await opened.fixture.store.database.query('select * from users where id = $1', [
    id,
  ]);
  return rows[0];
};

describe('An API key can not', () => {
  test.each([
    ['block an administrator', { status: 'blocked' }],
    ['change their e-mail address', { email: 'taken@mail.example' }],
    ['change their phone', { phone: '+628111' }],
    ['change their bank account', { bank_info: 'BCA 1' }],
    ['change their external ids', { external_ids: { crm: 'mine' } }],
    ['take their external ids', { external_ids: {} }],
    ['take their role', { roles: ['member'] }],
  ])('%s', async (_, fields) => {
    await change(administrator, { external_ids: { crm: `theirs-${administrator.id}` } });
    const before = await opened.fixture.user(administrator.id);
    const reply = await opened.fixture.api.patch(`/users/${administrator.id}`, fields);
    expect(reply).toMatchObject(forbidden);
    expect(await opened.fixture.user(administrator.id)).toEqual(before);
  });

  test('end the sessions of an administrator', async () => {
    const path = `/users/${administrator.id}/sessions/revoke`;
    expect(await opened.fixture.api.post(path)).toMatchObject(forbidden);
    expect((await administrator.session.get('/me')).status).toBe(200);
  });

  test('delete an administrator', async () => {
    expect(await opened.fixture.api.delete(`/users/${administrator.id}`)).toMatchObject(forbidden);
  });

  test('do any of this to a user who becomes an administrator during the request', async () => {
    const { fixture } = opened;
    const requests = [
      (id: number) => fixture.api.patch(`/users/${id}`, { status: 'blocked' }),
      (id: number) => fixture.api.post(`/users/${id}/sessions/revoke`),
      (id: number) => fixture.api.delete(`/users/${id}`),
    ];
    for (const request of requests) {
      const user = await fixture.newUser();
      // Commits between the request's load and its write.
      await fixture.store.database.query('begin');
      await fixture.store.database.query(
        `update users set roles = '{administrator}', version = version + 1 where id = $1`,
        [user.id],
      );
      const asked = request(user.id);
      await untilWaiting(fixture.store, 1);
      await fixture.store.database.query('commit');
      expect(await asked).toMatchObject(forbidden);
      expect(await stored(user)).toMatchObject({ status: 'active', sessions_valid_after: null });
    }
  });
});

describe('The role of administrator', () => {
  test('is neither given nor taken with an API key', async () => {
    const { fixture } = opened;
    const user = await fixture.newUser();
    const patch = (id: number, body: object) => fixture.api.patch(`/users/${id}`, body);
    for (const reply of [
      await fixture.api.post('/users', { email: 'chief@mail.example', roles: ['administrator'] }),
      await patch(user.id, { roles: ['member', 'administrator'] }),
      await patch(administrator.id, { roles: ['member'] }),
      await patch(administrator.id, { roles: [] }),
      await fixture.api.delete(`/users/${administrator.id}`),
    ]) {
      expect(reply).toMatchObject({ status: 403, body: { code: 'rest_forbidden' } });
    }
    expect(await fixture.user(administrator.id)).toMatchObject({ is_admin: true, version: 2 });
    expect((await fixture.user(user.id)).roles).toEqual(['member']);
    const kept = await patch(administrator.id, {
      roles: ['administrator', 'affiliate'],
      address: 'Street 1',
    });
    expect(kept.body.data.roles).toEqual(['administrator', 'affiliate']);
  });
});

test.each([
  ['administrators appoint', { roles: ['administrator'] }],
  ['administrators give a role to', { staff_role_id: 1 }],
])('Sessions end that a key issued for a person whom %s', async (_what, fields) => {
  const { store } = opened.fixture;
  const by = (token: string) => store.client({ authorization: `Bearer ${token}` });
  const { token } = await store.createKey({ administrators: false });
  const { id } = await opened.fixture.newUser();
  const { body } = await by(token).post('/sessions', { user_id: id });
  const session = by(body.data.token);
  expect((await session.get('/me')).status).toBe(200);
  store.clock.advance(1);
  expect((await change({ id }, fields)).status).toBe(200);
  for (const path of ['/me', '/me/users'])
    expect(await session.get(path)).toMatchObject({
      status: 401,
      body: { code: 'svc_session_invalid_token' },
    });
  expect((await change({ id }, { roles: ['member'], staff_role_id: null })).status).toBe(200);
});

test('An API key still changes the fields that do not identify an administrator', async () => {
  const { api } = opened.fixture;
  const whole = await opened.fixture.user(administrator.id);
  const reply = await api.put(`/users/${administrator.id}`, { ...whole, address: 'Street 1' });
  expect(reply).toMatchObject({ status: 200, body: { data: { address: 'Street 1' } } });
});

describe("An administrator's own session", () => {
  test('makes an administrator, and takes the role again', async () => {
    const { fixture } = opened;
    const user = await fixture.newUser();
    const made = await change(user, { roles: ['administrator', 'affiliate'] });
    expect(made).toMatchObject({ status: 200, trips: 2, body: { data: { is_admin: true } } });
    const unmade = await change(user, { roles: ['affiliate'] });
    expect(unmade).toMatchObject({ status: 200, trips: 2, body: { data: { is_admin: false } } });
  });

  test('changes what keys may not: e-mail, status, external ids', async () => {
    const other = await opened.fixture.newAdministrator();
    const fields = { email: 'new@mail.example', status: 'blocked', external_ids: { crm: '7' } };
    expect((await change(other, fields)).body.data).toMatchObject(fields);
  });

  test('ends the sessions of an administrator', async () => {
    const other = await opened.fixture.newAdministrator();
    const reply = await administrator.session.post(`/me/users/${other.id}/sessions/revoke`);
    expect(reply).toMatchObject({ status: 200, body: { data: { user_id: other.id } } });
    expect((await other.session.get('/me')).status).toBe(401);
  });

  test('changes a user only in the version of If-Match, and answers 404 for an unknown user', async () => {
    const user = await opened.fixture.newUser();
    const stale = { headers: { 'if-match': '9' } };
    const reply = await administrator.session.patch(`/me/users/${user.id}`, {}, stale);
    expect(reply).toMatchObject({ status: 409, body: { code: 'rest_conflict' } });
    expect((await change({ id: 999_999 }, {})).status).toBe(404);
  });

  test('has rights that the session of a member and a switched session lack', async () => {
    const { fixture } = opened;
    const member = await fixture.newUser();
    const switched = fixture.store.switchedBy(administrator.id);
    for (const session of [
      await fixture.store.session(member.id),
      await fixture.store.session(member.id, switched),
    ]) {
      expect(await change(member, { roles: ['administrator'] }, session)).toMatchObject(forbidden);
    }
  });
});

test("A session loses the administrator's rights together with the role, at once", async () => {
  const other = await opened.fixture.newAdministrator();
  const switched = await other.session.post('/me/switch-user', {
    user_id: (await opened.fixture.newUser()).id,
  });
  expect((await other.session.get('/me/users')).status).toBe(200);
  await change(other, { roles: ['member'] });
  expect(await other.session.get('/me/users')).toMatchObject(forbidden);
  expect(await change(other, { roles: ['administrator'] }, other.session)).toMatchObject(forbidden);
  expect((await other.session.get('/me')).body.data).toMatchObject({ is_admin: false });
  const app = opened.fixture.store.client({ authorization: `Bearer ${switched.body.data.token}` });
  expect((await app.get('/me')).status).toBe(401);
});

describe('The last administrator', () => {
  test.each([
    ['keeps the role', { roles: ['member'] }],
    ['is not blocked', { status: 'blocked' }],
  ])('%s', async (_, fields) => {
    expect(await change(administrator, fields)).toMatchObject(last);
    const other = await opened.fixture.newAdministrator();
    expect((await change(administrator, fields, other.session)).status).toBe(200);
  });

  test.each([
    ['blocked', `status = 'blocked'`],
    ['deleted', `status = 'anonymised', roles = '{}'`],
    ['deleted, whatever roles are left', `status = 'anonymised'`],
  ])('stays when all others are %s', async (_, set) => {
    const other = await opened.fixture.newAdministrator();
    await opened.fixture.store.database.query(`update users set ${set} where id = ${other.id}`);
    expect(await change(administrator, { roles: ['member'] })).toMatchObject(last);
  });

  test('may take the role of a blocked administrator', async () => {
    const other = await opened.fixture.newAdministrator();
    expect((await change(other, { status: 'blocked' })).status).toBe(200);
    expect((await change(other, { roles: ['member'] })).status).toBe(200);
  });
});

describe('The command line', () => {
  const keys = async <T>(work: (keys: Keys) => Promise<T>) => {
    const { API_KEY_PEPPERS = '' } = await opened.fixture.store.environment;
    return withDatabase(opened.fixture.store.databaseUrl, (client) =>
      work(new Keys(client, API_KEY_PEPPERS)),
    );
  };

  test('makes an administrator, and takes the role back', async () => {
    const user = await opened.fixture.newUser({
      email: 'chief@mail.example',
      roles: ['affiliate'],
    });
    const earlier = await opened.fixture.store.session(user.id);
    expect(await keys((k) => k.makeAdministrator('Chief@mail.example'))).toBe(true);
    expect((await earlier.get('/me')).status).toBe(401);
    // The command goes by the clock of the database.
    const { rows } = await opened.fixture.store.database.query(
      `select now() + interval '1 second' as later`,
    );
    opened.fixture.store.clock.set(rows[0].later.toISOString());
    const session = await opened.fixture.store.session(user.id, { admin: true });
    expect((await session.get('/me/users')).status).toBe(200);
    expect(await keys((k) => k.unmakeAdministrator('chief@mail.example'))).toBe(true);
    expect((await opened.fixture.user(user.id)).roles).toEqual(['affiliate']);
    expect(await session.get('/me/users')).toMatchObject(forbidden);
  });

  long(
    'leaves a removed administrator a member, takes nothing from other users, and keeps the last administrator',
    async () => {
      const { email, id } = administrator;
      await expect(keys((k) => k.unmakeAdministrator(email))).rejects.toThrow('only administrator');
      await opened.fixture.newAdministrator();
      expect(await keys((k) => k.unmakeAdministrator(email))).toBe(true);
      expect((await opened.fixture.user(id)).roles).toEqual(['member']);
      expect(await keys((k) => k.unmakeAdministrator(email))).toBe(false);
      expect(await keys((k) => k.unmakeAdministrator('nobody@mail.example'))).toBe(false);
    },
  );

  long(
    'gives a console role by its name, with the user role that belongs to it, and removes it',
    async () => {
      const { id, email } = await opened.fixture.newUser({ roles: ['affiliate'] });
      const shown = async () => {
        const { staff_role_id, roles } = await opened.fixture.user(id);
        return [staff_role_id, roles];
      };
      const given = async (name: string | null) => {
        expect(await keys((k) => k.giveRole(email, name))).toBe(true);
        return shown();
      };
      expect(await given('shop MANAGER')).toEqual([5, ['affiliate', 'shop-manager']]);
      expect(await keys((k) => k.roles())).toMatchObject([
        ...['Orders', 'Affiliates', 'Support', 'Accounting'].map((name) => ({ name, people: 0 })),
        { name: 'Shop manager', people: 1 },
      ]);
      expect(await given('Support')).toEqual([3, ['affiliate']]);
      await expect(keys((k) => k.giveRole(email, 'Night shift'))).rejects.toThrow('no role');
      expect(await shown()).toEqual([3, ['affiliate']]);
      expect(await given(null)).toEqual([null, ['affiliate']]);
      await given('Support');
      await opened.fixture.store.database.query(
        "update users set status = 'blocked' where id = $1",
        [id],
      );
      expect(await given(null)).toEqual([null, ['affiliate']]);
      expect(await keys((k) => k.giveRole(email, 'Support'))).toBe(false);
      expect(await keys((k) => k.giveRole('nobody@mail.example', 'Support'))).toBe(false);
    },
  );
});
