import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runJobs } from '../../../src/jobs/index.ts';
import type { User } from '../../../src/domain/user/schemas.ts';
import type { ApiClient, Reply } from '../../harness/client.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';

const opened = useStoreFixture();
let administrator: User & { session: ApiClient };
let member: User;

const forbidden = { status: 403, body: { code: 'rest_forbidden' } };
const ended = { status: 401, body: { code: 'svc_session_invalid_token' } };

beforeAll(async () => {
  await opened.fixture.newProduct();
});

beforeEach(async () => {
  const { fixture } = opened;
  administrator = await fixture.newAdministrator();
  member = await fixture.newUser({ display_name: 'Mel' });
});

const switchTo = (user_id: number, reason?: string, session = administrator.session) =>
  session.post('/me/switch-user', { user_id, reason });

const clientOf = ({ body }: Reply) =>
  opened.fixture.store.client({ authorization: `Bearer ${body.data.token}` });

const switched = async () => clientOf(await switchTo(member.id));

/** Changes a user in a way that no session may. */
const change = (user: User, set: string) =>
  opened.fixture.store.database.query(`update users set ${set} where id = ${user.id}`);

async function audit(actor: User) {
  const { rows } = await opened.fixture.store.database.query(
    `select user_id::int, operation, reason, request_id, at from audit_log
      where actor_id = $1 order by id`,
    [actor.id],
  );
  return rows;
}

describe('An administrator acts as a member', () => {
  test('with a short token that acts for the member and names the administrator', async () => {
    await opened.fixture.api.patch(`/users/${member.id}`, { external_ids: { svc: 'mel-77' } });
    const reply = await switchTo(member.id, 'Asked for help.');
    expect(reply).toMatchObject({ status: 200, trips: 2 });
    const { token: _, ...data } = reply.body.data;
    expect(data).toEqual({
      token_type: 'Bearer',
      expires_in: 1800,
      user: { id: member.id, display_name: 'Mel', email: member.email },
      session: {
        user_id: member.id,
        effective_user_id: member.id,
        switched: true,
        actor_user_id: administrator.id,
        provider: 'svc',
        provider_user_id: 'mel-77',
        issued_at: '2026-03-10T09:00:00.000Z',
        expires_at: '2026-03-10T09:30:00.000Z',
      },
    });
    const me = await clientOf(reply).get('/me');
    expect(me).toMatchObject({ status: 200, trips: 1 });
    expect(me.body.data).toMatchObject({ id: member.id, effective_user_id: member.id });
    expect(me.body.session).toEqual(data.session);
  });

  test('for no longer than a session may last', async () => {
    await opened.fixture.set('session_ttl', 600);
    expect((await switchTo(member.id)).body.data.expires_in).toBe(600);
    await opened.fixture.set('session_ttl', 43_200);
  });

  test('and sees and does exactly what the member can', async () => {
    const { fixture } = opened;
    const mine = await fixture.newOrder({ product_id: 1, user_id: member.id });
    const foreign = await fixture.newOrder({ product_id: 1 });
    const app = await switched();
    const { body } = await app.get('/me/orders');
    expect(body.data.map(({ id }: { id: number }) => id)).toEqual([mine.id]);
    expect(body.meta.effective_user_id).toBe(member.id);
    expect((await app.get(`/me/orders/${foreign.id}`)).status).toBe(404);
    expect((await app.get('/me/orders?scope=all')).status).toBe(403);
    for (const path of ['users', 'coupons', 'licenses', 'coupon-products', 'settings']) {
      expect(await app.get(`/me/${path}`), path).toMatchObject(forbidden);
    }
    const status = { status: 'completed' };
    expect(await app.post(`/me/orders/${mine.id}/status`, status)).toMatchObject(forbidden);
  });
});

describe('A switch is refused', () => {
  test('to everybody but administrators', async () => {
    const session = await opened.fixture.store.session(member.id);
    expect(await switchTo(administrator.id, '', session)).toMatchObject(forbidden);
  });

  test('to another administrator, and to oneself', async () => {
    const other = await opened.fixture.newAdministrator();
    expect(await switchTo(other.id)).toMatchObject(forbidden);
    expect(await switchTo(administrator.id)).toMatchObject(forbidden);
  });

  test("to users who can't get a token anyway: blocked, deleted, unknown", async () => {
    const { api, newUser } = opened.fixture;
    await api.patch(`/users/${member.id}`, { status: 'blocked' });
    expect(await switchTo(member.id)).toMatchObject(forbidden);
    const gone = await newUser();
    await api.delete(`/users/${gone.id}`);
    for (const id of [gone.id, 999_999]) {
      const unknown = { status: 404, body: { code: 'rest_user_not_found' } };
      expect(await switchTo(id)).toMatchObject(unknown);
    }
  });

  test('while already switched, to anybody', async () => {
    const app = await switched();
    const other = await opened.fixture.newUser();
    expect(await switchTo(other.id, '', app)).toMatchObject({
      status: 409,
      body: { code: 'svc_session_switched' },
    });
  });

  test('back, in a session that was not switched', async () => {
    const notSwitched = { status: 400, body: { code: 'svc_session_not_switched' } };
    for (const session of [administrator.session, await opened.fixture.store.session(member.id)]) {
      expect(await session.post('/me/switch-back')).toMatchObject(notSwitched);
    }
  });

  test('and leaves no trace', async () => {
    const other = await opened.fixture.newAdministrator();
    await switchTo(other.id);
    await switchTo(999_999);
    expect(await audit(administrator)).toEqual([]);
  });
});

describe('The conditions of a switched session are checked on every use', () => {
  test('the member becomes an administrator', async () => {
    const app = await switched();
    await change(member, `roles = '{administrator}'`);
    expect(await app.get('/me')).toMatchObject(ended);
    expect(await app.post('/me/switch-back')).toMatchObject(ended);
  });

  test.each([
    ['is none any more', `roles = '{member}'`],
    ['is blocked', `status = 'blocked'`],
    ['is gone', `status = 'anonymised'`],
    ['had all sessions revoked', `sessions_valid_after = '2030-01-01'`],
  ])('the administrator %s', async (_, set) => {
    const app = await switched();
    await change(administrator, set);
    expect(await app.get('/me')).toMatchObject(ended);
    expect(await app.post('/me/switch-back')).toMatchObject(ended);
  });

  test('the member is blocked: the refusal is the one a member gets', async () => {
    const app = await switched();
    await change(member, `status = 'blocked'`);
    expect(await app.get('/me')).toMatchObject(forbidden);
  });

  test("the administrator's session is revoked, which ends every session switched from it", async () => {
    const { fixture } = opened;
    const issued = await fixture.api.post('/sessions', { user_id: administrator.id });
    const app = clientOf(await switchTo(member.id, '', clientOf(issued)));
    const other = clientOf(await switchTo(member.id, '', clientOf(issued)));
    const own = clientOf(await other.post('/me/switch-back'));
    await fixture.api.delete(`/sessions/${issued.body.data.sid}`);
    for (const session of [app, own]) expect(await session.get('/me')).toMatchObject(ended);
    expect(await app.post('/me/switch-back')).toMatchObject(ended);
  });

  test('half an hour has passed', async () => {
    const app = await switched();
    opened.fixture.store.clock.advance(1800 + 6);
    expect(await app.get('/me')).toMatchObject(ended);
  });

  test('sessions revoked in the very second before the switch do not end it', async () => {
    const { fixture } = opened;
    await fixture.api.post(`/users/${member.id}/sessions/revoke`);
    await administrator.session.post(`/me/users/${administrator.id}/sessions/revoke`);
    const own = clientOf(await fixture.api.post('/sessions', { user_id: administrator.id }));
    const app = clientOf(await switchTo(member.id, '', own));
    expect((await app.get('/me')).status).toBe(200);
  });
});

describe('The audit log', () => {
  test('has the switch with its reason, the writes, and the way back, but no reads', async () => {
    const { clock } = opened.fixture.store;
    const there = await switchTo(member.id, 'Asked for help.');
    const app = clientOf(there);
    await app.get('/me');
    await app.get('/me/orders');
    clock.advance(60);
    const written = await app.patch('/me/profile', { phone: '+62 811' });
    const back = await app.post('/me/switch-back');
    const row = (reply: Reply, operation: string, reason: string | null, secondsAgo: number) => ({
      user_id: member.id,
      operation,
      reason,
      request_id: reply.headers.get('x-request-id'),
      at: new Date(clock.now().getTime() - secondsAgo * 1000),
    });
    expect(await audit(administrator)).toEqual([
      row(there, 'me.switchUser', 'Asked for help.', 60),
      row(written, 'me.profile.update', null, 0),
      row(back, 'me.switchBack', null, 0),
    ]);
  });

  test("has no entry for an administrator's own writes, nor for refused writes", async () => {
    await administrator.session.patch('/me/profile', { phone: '1' });
    const app = await switched();
    await app.patch('/me/profile', { phone: '2' }, { headers: { 'if-match': '99' } });
    expect(await audit(administrator)).toMatchObject([{ operation: 'me.switchUser' }]);
  });

  test('has one row for a write that is repeated under its Idempotency-Key', async () => {
    const app = await switched();
    const headers = { 'idempotency-key': 'the-same' };
    for (const replayed of [null, 'true']) {
      const reply = await app.patch('/me/profile', { phone: '3' }, { headers });
      expect(reply.headers.get('idempotency-replayed')).toBe(replayed);
    }
    expect(await audit(administrator)).toHaveLength(2);
  });

  test('is kept for a year', async () => {
    const { store } = opened.fixture;
    await switched();
    store.clock.advance(365 * 86_400);
    await runJobs(await store.services(), () => {});
    expect(await audit(administrator)).toHaveLength(1);
    store.clock.advance(1);
    await runJobs(await store.services(), () => {});
    expect(await audit(administrator)).toEqual([]);
  });
});

test('a read in a switched session has both ids in its log line', async () => {
  const { logs } = opened.fixture.store;
  await (await switched()).get('/me/orders');
  expect(logs.at(-1)).toMatchObject({
    operation: 'me.orders.list',
    user_id: member.id,
    actor_user_id: administrator.id,
  });
});

test("An administrator's Idempotency-Key is separate from that of the member they act as", async () => {
  const { fixture } = opened;
  const { id } = await fixture.newUser();
  const { id: chief } = await fixture.newAdministrator();
  const { id: other } = await fixture.newAdministrator();
  const headers = { 'idempotency-key': 'the-same' };
  const write = (session: ApiClient, phone: string) =>
    session.patch('/me/profile', { phone }, { headers });
  const acting = await fixture.store.session(id, fixture.store.switchedBy(chief));
  expect((await write(acting, '+62811')).status).toBe(200);
  const again = await write(acting, '+62811');
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  for (const session of [
    await fixture.store.session(id),
    await fixture.store.session(id, fixture.store.switchedBy(other)),
  ]) {
    const reply = await write(session, '+62811');
    expect(reply.status).toBe(200);
    expect(reply.headers.get('idempotency-replayed')).toBeNull();
  }
});
