import { beforeEach, expect, test } from 'vitest';
import type { User } from '../../../src/domain/user/schemas.ts';
import { long } from '../../harness/long.ts';
import type { ApiClient, Reply } from '../../harness/client.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';

const opened = useStoreFixture();
let administrator: User & { session: ApiClient };
let member: User;

const ended = { status: 401, body: { code: 'svc_session_invalid_token' } };

beforeEach(async () => {
  const { fixture } = opened;
  administrator = await fixture.newAdministrator();
  member = await fixture.newUser();
});

const clientOf = ({ body }: Reply) =>
  opened.fixture.store.client({ authorization: `Bearer ${body.data.token}` });

const issue = (fields: object = {}) =>
  opened.fixture.api.post('/sessions', { user_id: administrator.id, ...fields });

const switchTo = (session: ApiClient) => session.post('/me/switch-user', { user_id: member.id });

long('Switching back returns to the former session, with the rest of its time', async () => {
  const { clock } = opened.fixture.store;
  const first = await issue();
  const before = (await clientOf(first).get('/me')).body.session;
  clock.advance(600);
  const app = clientOf(await switchTo(clientOf(first)));
  clock.advance(1700);
  const back = await app.post('/me/switch-back');
  expect(back).toMatchObject({ status: 200, trips: 2 });
  expect(back.body.data).toMatchObject({
    expires_in: 43_200 - 2300,
    user: { id: administrator.id },
    session: before,
  });
  const own = clientOf(back);
  expect(await own.get('/me')).toMatchObject({ trips: 1, body: { data: { is_admin: true } } });
  expect((await own.get('/me/users')).status).toBe(200);
});

test('Switching back restores the id at the provider', async () => {
  const first = await issue({ provider: 'mobile_app', provider_user_id: 'ext-77' });
  const there = await switchTo(clientOf(first));
  expect(there.body.data.session).toMatchObject({
    provider: 'mobile_app',
    provider_user_id: String(member.id),
  });
  const back = await clientOf(there).post('/me/switch-back');
  expect(back.body.data.session).toMatchObject({
    provider: 'mobile_app',
    provider_user_id: 'ext-77',
  });
});

test('A switched token is refused after switching back, while others of the session stay valid', async () => {
  const first = clientOf(await issue());
  const app = clientOf(await switchTo(first));
  const other = clientOf(await switchTo(first));
  expect((await app.get('/me')).status).toBe(200);
  const own = clientOf(await app.post('/me/switch-back'));
  expect(await app.get('/me')).toMatchObject(ended);
  expect(await app.post('/me/switch-back')).toMatchObject(ended);
  for (const session of [first, own, other]) expect((await session.get('/me')).status).toBe(200);
});

long('Switching back and forth for 99 hours never outlives the first token', async () => {
  const { clock } = opened.fixture.store;
  const first = await issue();
  const end = clock.now().getTime() + 43_200_000;
  let own = clientOf(first);
  let usedUntil = 0;
  for (let minutes = 0; minutes < 99 * 60; minutes += 20) {
    const there = await switchTo(own);
    if (there.status !== 200) {
      expect(there).toMatchObject(ended);
      break;
    }
    usedUntil = clock.now().getTime();
    expect(Date.parse(there.body.data.session.expires_at)).toBeLessThanOrEqual(end);
    clock.advance(1200);
    const back = await clientOf(there).post('/me/switch-back');
    if (back.status === 200) {
      expect(Date.parse(back.body.data.session.expires_at)).toBe(end);
      own = clientOf(back);
    }
  }
  expect(end - usedUntil).toBeLessThanOrEqual(1_200_000);
  expect(usedUntil).toBeLessThanOrEqual(end);
  expect(await own.get('/me/users')).toMatchObject(ended);
});

test('A switch near the end of the session ends with it', async () => {
  const { clock } = opened.fixture.store;
  const first = clientOf(await issue());
  clock.advance(43_200 - 100);
  const there = await switchTo(first);
  expect(there.body.data.expires_in).toBe(100);
  clock.advance(106);
  expect(await clientOf(there).get('/me')).toMatchObject(ended);
});

test('The audit log names the same session for the switch, what was written and the way back', async () => {
  const { database } = opened.fixture.store;
  const first = await issue();
  const app = clientOf(await switchTo(clientOf(first)));
  await app.patch('/me/profile', { phone: '1' });
  await app.post('/me/switch-back');
  const { rows } = await database.query('select sid from audit_log where actor_id = $1', [
    administrator.id,
  ]);
  const { sid } = first.body.data;
  expect(rows).toEqual([{ sid }, { sid }, { sid }]);
});
