import { beforeEach, describe, expect, test } from 'vitest';
import { encodeBase62 } from '../../../src/lib/base62.ts';
import { crc32 } from '../../../src/lib/crc32.ts';
import { ConsoleLinks } from '../../../src/cli/console-links.ts';
import type { User } from '../../../src/domain/user/schemas.ts';
import { long } from '../../harness/long.ts';
import { type ApiClient, type Reply, fromConsole } from '../../harness/client.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';

const opened = useStoreFixture();
let person: User;

const anybody = () => opened.fixture.store.client(fromConsole());
const withCookie = (cookie: string) => opened.fixture.store.client(fromConsole(cookie));

beforeEach(async () => {
  person = await opened.fixture.newAdministrator();
});

async function newLink({ email }: Pick<User, 'email'> = person): Promise<string> {
  const { store } = opened.fixture;
  const { API_KEY_PEPPERS = '' } = await store.environment;
  const links = new ConsoleLinks(store.database, API_KEY_PEPPERS);
  const link = await links.create(email, 'https://shop.example', store.clock.now());
  expect(link ?? '').toMatch(/^https:\/\/shop\.example\/console\/#link=svclink_/);
  return link?.split('#link=')[1] ?? '';
}

const signIn = (link: string, client = anybody()) => client.post('//console/api/session', { link });

/** Returns the cookie of an answer as a browser sends it. */
const cookieOf = ({ headers }: Reply) => /^[^;]*/.exec(headers.get('set-cookie') ?? '')?.[0] ?? '';

const session = (client: ApiClient) => client.get('//console/api/session');

const signedOut = { status: 401, body: { code: 'svc_console_signed_out' } };
const invalid = { status: 401, body: { code: 'svc_console_link_invalid' } };

describe('A link', () => {
  test('names its person on every request, and signs in once', async () => {
    const link = await newLink();
    const look = () => anybody().post('//console/api/links/look', { link });
    const said = { user: { id: person.id, email: person.email, role: 'administrator' } };
    expect(await look()).toMatchObject({ status: 200, trips: 1, body: { data: said } });
    expect((await look()).status).toBe(200);
    const reply = await signIn(link);
    expect(reply).toMatchObject({ status: 201, trips: 2, body: { data: said } });
    expect(reply.headers.get('set-cookie')).toMatch(
      /^__Host-console=svcses_\w+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=604800; Secure$/,
    );
    expect(await session(withCookie(cookieOf(reply)))).toMatchObject({
      status: 200,
      trips: 1,
      body: { data: { ...said, store: { currency: 'USD', dialling: null } } },
    });
    expect(await signIn(link)).toMatchObject(invalid);
    expect(await look()).toMatchObject(invalid);
  });

  test('signs in only one of ten who open it at once', async () => {
    const link = await newLink();
    const replies = await Promise.all(Array.from({ length: 10 }, () => signIn(link)));
    const refused = replies.filter(({ status }) => status === 401);
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(refused).toHaveLength(9);
  });

  test('expires after ten minutes', async () => {
    const link = await newLink();
    opened.fixture.store.clock.advance(10 * 60);
    expect(await signIn(link)).toMatchObject(invalid);
  });

  test('expires when all sessions of its user are ended', async () => {
    const { fixture } = opened;
    const link = await newLink();
    const other = await fixture.newAdministrator();
    fixture.store.clock.advance(60);
    const ended = await other.session.post(`/me/users/${person.id}/sessions/revoke`);
    expect(ended.status).toBe(200);
    fixture.store.clock.advance(60);
    expect(await anybody().post('//console/api/links/look', { link })).toMatchObject(invalid);
    expect(await signIn(link)).toMatchObject(invalid);
    expect((await signIn(await newLink())).status).toBe(201);
  });

  test('is for administrators and shop managers who are not blocked', async () => {
    const { fixture } = opened;
    const { API_KEY_PEPPERS = '' } = await fixture.store.environment;
    const links = new ConsoleLinks(fixture.store.database, API_KEY_PEPPERS);
    const { email } = await fixture.newUser();
    expect(await links.create(email, 'https://shop.example')).toBeUndefined();
    const link = await newLink();
    await fixture.store.database.query(`update users set status = 'blocked' where id = $1`, [
      person.id,
    ]);
    expect(await signIn(link)).toMatchObject(invalid);
  });

  test.each(['nonsense', 'svclink_0123456789AB_x', 'x'.repeat(200)])(
    'can not be %s',
    async (link) => {
      expect(await signIn(link)).toMatchObject({ ...invalid, trips: 0 });
    },
  );

  test('with one changed character signs nobody in', async () => {
    const link = await newLink();
    const other = link.slice(0, 30) + (link[30] === 'a' ? 'b' : 'a') + link.slice(31);
    expect(await signIn(other)).toMatchObject(invalid);
    expect((await signIn(link)).status).toBe(201);
  });
});

test('A store without a sender says so, and sends nothing', async () => {
  const { fixture } = opened;
  expect((await anybody().get('//console/api/sign-in')).body.data).toEqual({ by_mail: false });
  const { email } = person;
  expect((await anybody().post('//console/api/links/request', { email })).status).toBe(202);
  const client = withCookie(await fixture.store.consoleSession(person.id));
  const refused = { status: 409, body: { code: 'message_no_sender' } };
  expect(await client.post('//console/api/session/code')).toMatchObject(refused);
  expect(await client.post('//console/api/links', { user_id: person.id })).toMatchObject(refused);
  await fixture.store.settled();
  const { rows } = await fixture.store.database.query(
    'select from messages union all select from console_codes',
  );
  expect(rows).toEqual([]);
});

describe('A session', () => {
  let client: ApiClient;
  beforeEach(async () => {
    client = withCookie(await opened.fixture.store.consoleSession(person.id));
  });

  test('reaches the operations of API keys, at its own path only', async () => {
    expect(await client.get('//console/api/v1/orders')).toMatchObject({ status: 200, trips: 1 });
    expect(await client.get('/orders')).toMatchObject({ status: 401 });
    const { store } = opened.fixture;
    const { token } = await store.createKey();
    const key = store.client({ ...fromConsole(), authorization: `Bearer ${token}` });
    expect(await key.get('//console/api/v1/orders')).toMatchObject({ ...signedOut, trips: 0 });
  });

  test('writes in the name of its user, once per Idempotency-Key', async () => {
    const body = { title: 'Course', price: 100 };
    const options = { headers: { 'idempotency-key': 'a-course' } };
    const first = await client.post('//console/api/v1/products', body, options);
    const second = await client.post('//console/api/v1/products', body, options);
    expect(first).toMatchObject({ status: 201, trips: 2 });
    expect(second.body).toEqual(first.body);
    const { fixture } = opened;
    const order = await fixture.newOrder({ product_id: first.body.data.id });
    await client.patch(`//console/api/v1/orders/${order.id}`, { status: 'in-progress' });
    const { history } = await fixture.order(order.id);
    expect(history.at(-1)).toMatchObject({ actor_type: 'user', actor_id: person.id });
  });

  test('ends when its user signs out, and its cookie is deleted', async () => {
    const reply = await client.delete('//console/api/session');
    expect(reply.headers.get('set-cookie')).toMatch(/^__Host-console=; .*Max-Age=0/);
    expect(await session(client)).toMatchObject(signedOut);
  });

  test('ends when the browser signs in again', async () => {
    expect((await signIn(await newLink(), client)).status).toBe(201);
    expect(await session(client)).toMatchObject(signedOut);
  });

  test('continues when somebody signs in with a cookie that only begins like its own', async () => {
    const cookie = await opened.fixture.store.consoleSession(person.id);
    const [, prefix = ''] = /svcses_([^_]+)_/.exec(cookie) ?? [];
    const body = `svcses_${prefix}_${'0'.repeat(43)}`;
    const forged = `__Host-console=${body}${encodeBase62(crc32(body), 6)}`;
    expect((await signIn(await newLink(), withCookie(forged))).status).toBe(201);
    expect((await session(withCookie(cookie))).status).toBe(200);
  });

  long('ends after eight hours without a request, and after seven days with them', async () => {
    const { store } = opened.fixture;
    for (let hours = 0; hours < 7 * 24; hours += 7) {
      expect((await session(client)).status).toBe(200);
      await store.settled();
      store.clock.advance(7 * 3600);
    }
    expect(await session(client)).toMatchObject(signedOut);
    const idle = withCookie(await store.consoleSession(person.id));
    store.clock.advance(8 * 3600);
    expect(await session(idle)).toMatchObject(signedOut);
  });

  test.each([
    ['is blocked', `status = 'blocked'`, signedOut],
    ['has all sessions ended', `sessions_valid_after = 'infinity'`, signedOut],
    ['has lost the role', `roles = '{member}'`, { status: 403, body: { code: 'rest_forbidden' } }],
  ])('stops at once when its user %s', async (_, change, answer) => {
    await opened.fixture.store.database.query(`update users set ${change} where id = $1`, [
      person.id,
    ]);
    expect(await session(client)).toMatchObject(answer);
  });

  test('is listed, and ended by its user and by administrators only', async () => {
    const { fixture } = opened;
    const manager = await fixture.newUser();
    await fixture.store.database.query(
      `update users set roles = '{shop-manager}', staff_role_id = 5 where id = $1`,
      [manager.id],
    );
    const theirs = withCookie(await fixture.store.consoleSession(manager.id));
    const own = await theirs.get('//console/api/sessions');
    expect(own.body.data).toMatchObject([{ user: { id: manager.id }, current: true }]);
    const all = await client.get('//console/api/sessions');
    const mine = all.body.data.find(({ current }: { current: boolean }) => current);
    expect(mine).toMatchObject({ user: { id: person.id } });
    const ending = (id: number) => `//console/api/sessions/${id}`;
    expect((await theirs.delete(ending(mine.id))).status).toBe(404);
    expect((await client.delete(ending(own.body.data[0].id))).status).toBe(200);
    expect(await session(theirs)).toMatchObject(signedOut);
  });

  test.each([
    ['all sessions of its person are ended', "sessions_valid_after = now() + interval '1 day'"],
    ['its person is blocked', "status = 'blocked'"],
  ])('is no longer listed once %s', async (_, change) => {
    const { fixture } = opened;
    const other = await fixture.newAdministrator();
    await fixture.store.consoleSession(other.id);
    const listed = async () =>
      (await client.get(`//console/api/sessions?user_id=${other.id}`)).body.data;
    expect(await listed()).toHaveLength(1);
    await fixture.store.database.query(`update users set ${change} where id = $1`, [other.id]);
    expect(await listed()).toEqual([]);
  });

  test('of a shop manager reads, and changes nothing', async () => {
    const { fixture } = opened;
    const manager = await fixture.newUser();
    await fixture.store.database.query(
      `update users set roles = '{shop-manager}', staff_role_id = 5 where id = $1`,
      [manager.id],
    );
    const theirs = withCookie(await fixture.store.consoleSession(manager.id));
    expect((await theirs.get('//console/api/v1/orders')).status).toBe(200);
    const reply = await theirs.post('//console/api/v1/products', { title: 'Course', price: 1 });
    expect(reply).toMatchObject({ status: 403, body: { code: 'rest_forbidden' } });
  });
});

describe('Only pages of the console may call it', () => {
  const forbidden = { status: 403, trips: 0, body: { code: 'rest_forbidden' } };
  const asked = async (headers: Record<string, string>, method = 'GET') => {
    const cookie = await opened.fixture.store.consoleSession(person.id);
    return opened.fixture.store
      .client({ cookie, ...headers })
      .request(method, method === 'GET' ? '//console/api/session' : '//console/api/v1/products', {
        ...(method === 'POST' && { body: { title: 'Course', price: 1 } }),
      });
  };

  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another host of the same site', { 'sec-fetch-site': 'same-site' }],
    ['an address that somebody typed', { 'sec-fetch-site': 'none' }],
    ['another origin, by a browser of old', { origin: 'https://evil.example' }],
    ['nowhere in particular', {}],
  ])('not those of %s', async (_, headers) => {
    expect(await asked(headers)).toMatchObject(forbidden);
    expect(await asked({ ...headers, 'x-console': '1' }, 'POST')).toMatchObject(forbidden);
  });

  test('writes require a header that no form can send', async () => {
    expect(await asked({ 'sec-fetch-site': 'same-origin' }, 'POST')).toMatchObject(forbidden);
    const own = { 'sec-fetch-site': 'same-origin', 'x-console': '1' };
    expect((await asked(own, 'POST')).status).toBe(201);
  });

  test('and so does a GET that changes something, because a link could lead to it', async () => {
    const cookie = await opened.fixture.store.consoleSession(person.id);
    const headers = { cookie, 'sec-fetch-site': 'same-origin' };
    const followed = opened.fixture.store.client(headers);
    const reset = '//console/api/v1/licenses/reset?license=A-CODE';
    expect(await followed.get(reset)).toMatchObject(forbidden);
    expect((await followed.with({ 'x-console': '1' }).get(reset)).status).toBe(404);
  });

  test('a browser that does not send the site is recognised by the origin', async () => {
    expect((await asked({ origin: 'https://shop.example' })).status).toBe(200);
  });
});
