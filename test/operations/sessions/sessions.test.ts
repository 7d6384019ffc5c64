import { beforeAll, describe, expect, test } from 'vitest';
import type { ApiClient } from '../../harness/client.ts';
import { useStore } from '../../harness/store.ts';

const opened = useStore();
let api: ApiClient;
let user: number;

beforeAll(async () => {
  api = await opened.store.key();
  const { body } = await api.post('/users', { email: 'member@x.example', display_name: 'Mel' });
  user = body.data.id;
});

/** A session from POST /sessions, and a client that uses its token. */
async function issued(body: object = {}) {
  const { body: reply } = await api.post('/sessions', { user_id: user, ...body });
  const app = opened.store.client({ authorization: `Bearer ${reply.data.token}` });
  return { app, ...reply.data };
}

test('a token contains its user, its provider and its expiry', async () => {
  const { app, token_type, expires_in, user: owner } = await issued({ provider: 'mobile_app' });
  expect({ token_type, expires_in, owner }).toEqual({
    token_type: 'Bearer',
    expires_in: 43_200,
    owner: { id: user, display_name: 'Mel', email: 'member@x.example' },
  });
  const { body } = await app.get('/me');
  expect(body.session).toEqual({
    user_id: user,
    effective_user_id: user,
    switched: false,
    actor_user_id: null,
    provider: 'mobile_app',
    provider_user_id: String(user),
    issued_at: '2026-03-10T09:00:00.000Z',
    expires_at: '2026-03-10T21:00:00.000Z',
  });
});

test("a token that names no provider has the platform as its provider, with the user's own id", async () => {
  const { app } = await issued({ provider: '', provider_user_id: '' });
  const { body } = await app.get('/me');
  expect(body.session).toMatchObject({ provider: 'svc', provider_user_id: String(user) });
});

test.each([
  [{}, 400, 'rest_missing_callback_param'],
  [{ user_id: null }, 400, 'rest_invalid_param'],
  [{ user_id: '' }, 400, 'rest_invalid_param'],
  [{ user_id: 0 }, 400, 'rest_invalid_param'],
  [{ user_id: 'abc' }, 400, 'rest_invalid_param'],
  [{ user_id: 999_999 }, 404, 'rest_user_not_found'],
])('POST /sessions %j answers %i %s', async (body, status, code) => {
  expect(await api.post('/sessions', body)).toMatchObject({ status, body: { code } });
});

test('a blocked user gets no token, and an existing one stops at once', async () => {
  const { body } = await api.post('/users', { email: 'blocked@x.example' });
  const app = await opened.store.session(body.data.id);
  await api.patch(`/users/${body.data.id}`, { status: 'blocked' });
  const forbidden = { status: 403, body: { code: 'rest_forbidden' } };
  expect(await api.post('/sessions', { user_id: body.data.id })).toMatchObject(forbidden);
  expect(await app.get('/me')).toMatchObject(forbidden);
});

test('a revoked session is refused on its next request, others go on', async () => {
  const one = await issued();
  const other = await issued();
  expect((await one.app.get('/me')).status).toBe(200);
  expect((await api.delete(`/sessions/${one.sid}`)).status).toBe(200);
  expect(await one.app.get('/me')).toMatchObject({
    status: 401,
    body: { code: 'svc_session_invalid_token' },
  });
  expect((await other.app.get('/me')).status).toBe(200);
  expect((await api.delete(`/sessions/${one.sid}`)).status).toBe(200);
});

test('all sessions of a user end together, and a new one works at once', async () => {
  const before = await issued();
  expect((await api.post(`/users/${user}/sessions/revoke`)).status).toBe(200);
  expect(await before.app.get('/me')).toMatchObject({
    status: 401,
    body: { code: 'svc_session_invalid_token' },
  });
  const after = await issued();
  expect((await after.app.get('/me')).status).toBe(200);
  expect(await api.post('/users/999999/sessions/revoke')).toMatchObject({
    status: 404,
    body: { code: 'rest_user_not_found' },
  });
});

test('a session ends at its expiry', async () => {
  const { app } = await issued();
  opened.store.clock.advance(43_200 + 6);
  expect((await app.get('/me')).status).toBe(401);
});

test('a session issued between two revocations ends with the second, however fast they come', async () => {
  for (let revocation = 1; revocation <= 4; revocation++) {
    const between = await issued();
    expect((await between.app.get('/me')).status).toBe(200);
    await api.post(`/users/${user}/sessions/revoke`);
    expect((await between.app.get('/me')).status, `revocation ${revocation}`).toBe(401);
  }
  for (let more = 0; more < 10; more++) await api.post(`/users/${user}/sessions/revoke`);
  expect((await (await issued()).app.get('/me')).status).toBe(200);
});

describe('Administrators are signed in', () => {
  let administrator: number;
  const issue = async (administrators: boolean, user_id: number) => {
    const { token } = await opened.store.createKey({ scopes: ['sessions:write'], administrators });
    const key = opened.store.client({ authorization: `Bearer ${token}` });
    return key.post('/sessions', { user_id });
  };

  beforeAll(async () => {
    administrator = (await api.post('/users', { email: 'chief@x.example' })).body.data.id;
    await opened.store.database.query(`update users set roles = '{administrator}' where id = $1`, [
      administrator,
    ]);
  });

  test('not with an ordinary key, which signs in everybody else', async () => {
    expect(await issue(false, administrator)).toMatchObject({
      status: 403,
      trips: 1,
      body: {
        code: 'rest_forbidden',
        message: 'This API key may not issue sessions for people with a role in the console.',
      },
    });
    expect(await issue(false, user)).toMatchObject({ status: 200, trips: 1 });
  });

  test('with a key made for it, in a second trip that writes a row of the audit log', async () => {
    const { body, trips } = await issue(true, administrator);
    expect(trips).toBe(2);
    const app = opened.store.client({ authorization: `Bearer ${body.data.token}` });
    expect((await app.get('/me/users')).status).toBe(200);
  });

  test('not with a key that was made without naming this right', async () => {
    const { rows } = await opened.store.database.query<{ id: string }>(
      `insert into api_keys (name, scopes, created_at)
       values ('plain', '{sessions:write}', now()) returning signs_in_administrators as may`,
    );
    expect(rows).toEqual([{ may: false }]);
  });
});
