import { beforeEach, describe, expect, test } from 'vitest';
import { long } from '../../harness/long.ts';
import { type ApiClient, type Reply, fromConsole } from '../../harness/client.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';
import { behindLock, transaction } from '../../races/queue.ts';

const opened = useStoreFixture();
const address = '//console/api/v1/keys';
let administrator: { id: number; display_name: string };
let client: ApiClient;

beforeEach(async () => {
  administrator = await opened.fixture.newAdministrator();
  client = await signedIn(administrator.id);
});

const signedIn = async (userId: number) => {
  const { store } = opened.fixture;
  return store.client(fromConsole(await store.consoleSession(userId)));
};

const create = (fields: object = {}) =>
  client.post(address, { name: 'Shop backend', scopes: ['orders:read'], ...fields });

const change = (id: number, fields: object) => client.patch(`${address}/${id}`, fields);
const rotate = (id: number, overlap: number) => client.post(`${address}/${id}/rotate`, { overlap });
const revoke = (id: number, by = client) => by.post(`${address}/${id}/revoke`);

async function called(token: string, path = '/orders', headers: Record<string, string> = {}) {
  const caller = opened.fixture.store.client({ authorization: `Bearer ${token}`, ...headers });
  return (await caller.get(path)).status;
}

const prefixesOf = ({ body }: Reply): string[] =>
  body.data.secrets.map(({ prefix }: { prefix: string }) => prefix);

const ended = { status: 409, body: { code: 'svc_key_ended' } };

describe('A key', () => {
  test('is created, works, and is shown without its secret', async () => {
    const reply = await create();
    const { token, ...key } = reply.body.data;
    expect(reply).toMatchObject({ status: 201, trips: 2 });
    expect(key).toMatchObject({
      scopes: ['orders:read'],
      status: 'active',
      ip_allow: null,
      expires_at: null,
      signs_in_administrators: false,
      secrets: [{ prefix: token.split('_')[1], expires_at: null }],
      created_by: { id: administrator.id, display_name: administrator.display_name },
      last_used_at: null,
    });
    expect(await called(token)).toBe(200);
    expect(await called(token, '/products')).toBe(403);
    const { store } = opened.fixture;
    await store.settled();
    const shown = await client.get(`${address}/${key.id}`);
    expect(shown).toMatchObject({ status: 200, trips: 1 });
    expect(shown.body.data).toEqual({ ...key, last_used_at: store.clock.now().toISOString() });
    const list = await client.get(address);
    expect(list.body.data[0]).toEqual(shown.body.data);
    const secret = token.split('_')[2];
    expect(JSON.stringify([list.body, store.logs])).not.toContain(secret);
    for (const table of ['api_key_secrets', 'audit_log']) {
      const { rows } = await store.database.query(`select * from ${table}`);
      expect(rows).not.toEqual([]);
      expect(JSON.stringify(rows)).not.toContain(secret);
    }
  });

  test('can get and lose scopes, from its next request on', async () => {
    const { id, token } = (await create()).body.data;
    const reply = await change(id, { name: 'Books', scopes: ['products:read', 'products:read'] });
    expect(reply).toMatchObject({
      status: 200,
      trips: 2,
      body: { data: { name: 'Books', scopes: ['products:read'] } },
    });
    expect([await called(token), await called(token, '/products')]).toEqual([403, 200]);
    const { rows } = await opened.fixture.store.database.query(
      `select actor_id, before, after from audit_log
        where operation = 'keys.update' and subject_id = $1`,
      [String(id)],
    );
    expect(rows).toEqual([
      {
        actor_id: String(administrator.id),
        before: { name: 'Shop backend', scopes: ['orders:read'] },
        after: { name: 'Books', scopes: ['products:read'] },
      },
    ]);
  });

  test('works only from its IP addresses, which are stored as networks', async () => {
    const addresses = ['203.0.113.7', '198.51.100.9/24', '2001:DB8::1/32'];
    const { id, token, ip_allow } = (await create({ ip_allow: addresses })).body.data;
    expect(ip_allow).toEqual(['203.0.113.7/32', '198.51.100.0/24', '2001:db8::/32']);
    expect((await client.get(`${address}/${id}`)).body.data.ip_allow).toEqual(ip_allow);
    const from = (ip: string) => called(token, '/orders', { 'cf-connecting-ip': ip });
    expect([await from('198.51.100.77'), await from('192.0.2.1')]).toEqual([200, 403]);
    expect((await change(id, { ip_allow: null })).body.data.ip_allow).toBeNull();
    expect(await from('192.0.2.1')).toBe(200);
  });

  test.each([
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['keys:write'] }, 'scopes'],
    [{ name: '  ' }, 'name'],
    [{ ip_allow: ['10.0.0.0/33'] }, 'ip_allow'],
    [{ ip_allow: [] }, 'ip_allow'],
    [{ expires_at: '2026-03-10T09:00:00Z' }, 'expires_at'],
  ])('can not have %j', async (fields, param) => {
    const { id } = (await create()).body.data;
    for (const reply of [await create(fields), await change(id, fields)]) {
      expect(reply).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
      expect(Object.keys(reply.body.data.params).join()).toContain(param);
    }
  });

  test('expires at its end date, which can be extended', async () => {
    const { clock } = opened.fixture.store;
    const inFive = new Date(clock.now().getTime() + 300_000).toISOString();
    const { id, token } = (await create({ expires_at: inFive })).body.data;
    expect(await called(token)).toBe(200);
    clock.advance(300);
    expect(await called(token)).toBe(401);
    expect((await client.get(`${address}/${id}`)).body.data.status).toBe('expired');
    expect(await rotate(id, 0)).toMatchObject(ended);
    expect((await change(id, { expires_at: null })).body.data.status).toBe('active');
    expect(await called(token)).toBe(200);
  });

  test('is revoked permanently, and revoking it again changes nothing', async () => {
    const { id, token } = (await create()).body.data;
    const reply = await revoke(id);
    expect(reply).toMatchObject({ status: 200, trips: 2, body: { data: { status: 'revoked' } } });
    expect(await called(token)).toBe(401);
    expect((await revoke(id)).body).toEqual(reply.body);
    expect(await change(id, { name: 'Again' })).toMatchObject(ended);
    expect(await rotate(id, 900)).toMatchObject(ended);
  });

  test('that does not exist is not found', async () => {
    const missing = { status: 404, body: { code: 'rest_not_found' } };
    expect(await client.get(`${address}/987`)).toMatchObject(missing);
    expect(await client.get(`${address}/987/use`)).toMatchObject(missing);
    for (const reply of [await change(987, {}), await rotate(987, 0), await revoke(987)])
      expect(reply).toMatchObject(missing);
  });
});

describe('A rotation', () => {
  test('keeps the former secret valid for the given time', async () => {
    const { clock } = opened.fixture.store;
    const { id, token } = (await create()).body.data;
    const reply = await rotate(id, 900);
    const { token: next, secrets } = reply.body.data;
    const end = new Date(clock.now().getTime() + 900_000).toISOString();
    expect(secrets.map(({ expires_at }: { expires_at: string }) => expires_at)).toEqual([
      end,
      null,
    ]);
    expect((await client.get(`${address}/${id}`)).body.data.secrets).toEqual(secrets);
    expect([await called(token), await called(next)]).toEqual([200, 200]);
    clock.advance(900);
    expect([await called(token), await called(next)]).toEqual([401, 200]);
  });

  test('ends all other secrets at once without an overlap', async () => {
    const { id, token } = (await create()).body.data;
    const { token: second } = (await rotate(id, 86_400)).body.data;
    const reply = await rotate(id, 0);
    expect(prefixesOf(reply)).toHaveLength(1);
    const tokens = [token, second, reply.body.data.token];
    expect(await Promise.all(tokens.map((one) => called(one)))).toEqual([401, 401, 200]);
  });

  const endless = async (id: number) => {
    const { rowCount } = await opened.fixture.store.database.query(
      'select from api_key_secrets where api_key_id = $1 and expires_at is null',
      [id],
    );
    return rowCount;
  };
  const lockOf = (id: number) => `select from api_keys where id = ${id} for update`;

  test('by several callers at once leaves one secret without an end', async () => {
    const { id } = (await create()).body.data;
    const rotations = [900, 3600, 0, 900].map((overlap) => () => rotate(id, overlap));
    const replies = await behindLock(opened.fixture.store, lockOf(id), rotations);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await endless(id)).toBe(1);
  });

  long('control: a rotation that does not lock the key leaves several', async () => {
    const { id } = (await create()).body.data;
    const { store } = opened.fixture;
    const rotations = ['a', 'b', 'c'].map((prefix) =>
      transaction(store, async (database) => {
        await database.query('update api_key_secrets set expires_at = $2 where api_key_id = $1', [
          id,
          store.clock.now(),
        ]);
        await database.query(`insert into api_key_secrets values ($1, $2, '', 1, $3, null)`, [
          prefix,
          id,
          store.clock.now(),
        ]);
        return true;
      }),
    );
    const lock = `select from api_key_secrets where api_key_id = ${id} for update`;
    await behindLock(store, lock, rotations);
    expect(await endless(id)).toBe(3);
  });

  test('of a key that is revoked at the same time is refused', async () => {
    const { id } = (await create()).body.data;
    const { store } = opened.fixture;
    const revocation = `update api_keys set revoked_at = '2026-03-10' where id = ${id}`;
    const [reply] = await behindLock(store, revocation, [() => rotate(id, 900)]);
    expect(reply).toMatchObject(ended);
    expect((await client.get(`${address}/${id}`)).body.data.secrets).toHaveLength(1);
  });
});

describe('Only an administrator', () => {
  test('who signed in within ten minutes creates, changes and rotates keys; revoking needs no recent sign-in', async () => {
    const { id } = (await create()).body.data;
    opened.fixture.store.clock.advance(10 * 60 + 1);
    const again = { status: 403, body: { code: 'svc_console_sign_in_again' } };
    for (const reply of [await create(), await change(id, { name: 'B' }), await rotate(id, 0)])
      expect(reply).toMatchObject(again);
    expect((await client.get(address)).status).toBe(200);
    expect((await revoke(id)).status).toBe(200);
  });

  test('who signed in within ten minutes changes the address of a webhook and gives roles; pausing needs no recent sign-in', async () => {
    const { fixture } = opened;
    const { id } = (await fixture.api.post('/webhooks', { url: 'http://127.0.0.1:9/' })).body.data;
    const { id: person } = await fixture.newUser();
    fixture.store.clock.advance(10 * 60 + 1);
    const again = { status: 403, body: { code: 'svc_console_sign_in_again' } };
    const webhook = `//console/api/v1/webhooks/${id}`;
    const user = `//console/api/v1/users/${person}`;
    for (const reply of [
      await client.post('//console/api/v1/webhooks', { url: 'http://127.0.0.1:9/' }),
      await client.patch(webhook, { url: 'http://127.0.0.1:8/' }),
      await client.patch(webhook, { name: 'Mine', events: ['*'] }),
      await client.patch(user, { roles: ['shop-manager'] }),
      await client.patch(user, { bank_info: 'BCA 1' }),
    ])
      expect(reply).toMatchObject(again);
    expect((await client.patch(webhook, { status: 'paused' })).status).toBe(200);
    expect((await client.patch(user, { display_name: 'Renamed' })).status).toBe(200);
  });

  test('and no shop manager sees or changes keys', async () => {
    const { fixture } = opened;
    const { id } = (await create()).body.data;
    const manager = await fixture.newUser();
    await fixture.store.database.query(
      `update users set roles = '{shop-manager}', staff_role_id = 5 where id = $1`,
      [manager.id],
    );
    const theirs = await signedIn(manager.id);
    for (const reply of [
      await theirs.get(address),
      await theirs.get(`${address}/${id}/use`),
      await theirs.post(address, { name: 'Mine', scopes: ['orders:read'] }),
      await revoke(id, theirs),
    ])
      expect(reply).toMatchObject({ status: 403, body: { code: 'rest_forbidden' } });
  });
});

test("two changes of a key at once don't undo each other", async () => {
  const { id } = (await create()).body.data;
  const changes = [{ name: 'Books' }, { scopes: ['products:read'] }];
  const replies = await behindLock(
    opened.fixture.store,
    `select from api_keys where id = ${id} for update`,
    changes.map((fields) => () => change(id, fields)),
  );
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  const { data } = (await client.get(`${address}/${id}`)).body;
  expect(data).toMatchObject({ name: 'Books', scopes: ['products:read'] });
});
