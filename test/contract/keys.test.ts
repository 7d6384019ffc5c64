import { beforeAll, describe, expect, test } from 'vitest';
import { generateToken } from '../../src/kernel/auth/secret-token.ts';
import { type Scope, scopes } from '../../src/schema/scopes.ts';
import type { Endpoint } from '../../src/kernel/endpoint/endpoint.ts';
import { encodeBase62, randomBase62 } from '../../src/lib/base62.ts';
import { crc32 } from '../../src/lib/crc32.ts';
import { askedOf } from './kinds.ts';
import { type Headers, useRefused } from './refusals.ts';
import { endpointsFor, mainRoute } from './routes.ts';
import { type Scene, authorization, useScene } from './scene.ts';

// Invalid keys, and valid ones in every spelling; authorisation.test.ts has the scopes.
const stage = useScene();
const withKey = endpointsFor('key');

const missing = {
  status: 401,
  code: 'rest_forbidden',
  message: 'Authorization header missing.',
  trips: 0,
};
const malformed = {
  status: 401,
  code: 'rest_forbidden',
  message: expect.stringMatching(/^Invalid API key\./) as string,
  trips: 0,
};
const invalid = { ...malformed, message: 'Invalid API key.', trips: 1 };
const insufficient = {
  status: 403,
  code: 'rest_forbidden',
  message: 'Insufficient scope.',
  trips: 1,
};
const elsewhere = { ...insufficient, message: 'This API key may not be used from this address.' };

const scopesOf = ({ access }: Endpoint): readonly Scope[] =>
  access.kind === 'key' ? access.scopes : [];

const keyWith = async (names: Scope[]): Promise<string> =>
  (await stage.scene.store.createKey({ scopes: names })).token;

/** All scopes that don't open the endpoint. */
const uselessFor = (endpoint: Endpoint) =>
  scopes.map(({ name }) => name).filter((name) => !scopesOf(endpoint).includes(name));

/** Callers whose credential is no key. */
let strangers: Record<string, Headers>;
/** Callers whose key is refused, by the reason. */
let outsiders: Record<string, Headers>;
/** A key for two networks. */
let local: string;

beforeAll(async () => {
  strangers = await strangersOf(stage.scene);
  outsiders = await outsidersOf(stage.scene);
  const ip_allow = ['203.0.113.0/24', '2001:db8::/32'];
  local = (await stage.scene.store.createKey({ ip_allow })).token;
});

async function strangersOf({ store, administrator }: Scene): Promise<Record<string, Headers>> {
  const { token, prefix } = await store.createKey();
  const session = await store.token(administrator, { admin: true });
  return {
    'a session token as X-Svc-Key': { 'x-svc-key': session },
    'no token': { authorization: 'Bearer' },
    'the key without a scheme': { authorization: token },
    'another scheme': { authorization: `Basic ${token}` },
    'the key twice': { authorization: `Bearer ${token}, Bearer ${token}` },
    'the prefix alone': authorization(`svcapi_${prefix}`),
    'a character less': authorization(token.slice(0, -1)),
    'a character more': authorization(`${token}0`),
    capitals: authorization(token.toUpperCase()),
    'a wrong checksum': authorization(token.slice(0, -1) + (token.endsWith('0') ? '1' : '0')),
    'a wrong Authorization beside a good X-Svc-Key': {
      authorization: 'Bearer nonsense',
      'x-svc-key': token,
    },
  };
}

async function outsidersOf({ store }: Scene): Promise<Record<string, Headers>> {
  const now = store.clock.now();
  const good = await store.createKey();
  const revoked = await store.createKey();
  const expired = await store.createKey({ expires_at: now.toISOString() });
  const { database } = store;
  await database.query('update api_keys set revoked_at = $2 where id = $1', [revoked.id, now]);
  return {
    unknown: authorization(generateToken('svcapi').token),
    'another secret': authorization(withAnotherSecret(good.prefix)),
    revoked: authorization(revoked.token),
    expired: authorization(expired.token),
  };
}

/** A well-formed key with this prefix and another secret. */
function withAnotherSecret(prefix: string): string {
  const body = `svcapi_${prefix}_${randomBase62(43)}`;
  return body + encodeBase62(crc32(body), 6);
}

test('there are endpoints for API keys', () => {
  expect(withKey.length).toBeGreaterThan(0);
});

describe.each(askedOf(withKey))('$id refuses, and writes nothing,', (endpoint) => {
  const refused = useRefused(endpoint, stage);

  test('a malformed key: 401, and the database is not queried', async () => {
    await refused.expectRefusal(strangers, malformed);
  });

  test('an invalid key: 401, the same for every reason', async () => {
    await refused.expectRefusal(outsiders, invalid);
  });

  test('a key for other IP addresses: 403', async () => {
    const outsider = { ...authorization(local), 'cf-connecting-ip': '198.51.100.1' };
    await refused.expectRefusal({ outsider }, elsewhere);
  });

  test('a request with several mistakes: the credentials first, then the input', async () => {
    await refused.expectPrecedence({}, missing);
    const useless = uselessFor(endpoint);
    // No key lacks the scope if the endpoint accepts every scope.
    if (useless.length === 0) return;
    await refused.expectPrecedence(authorization(await keyWith(useless)), insufficient);
  });
});

describe('a key is accepted in either header,', () => {
  test('in its own header', async () => {
    const caller = stage.scene.client({ 'x-svc-key': await keyWith(['users:read']) });
    expect((await caller.get('/users')).status).toBe(200);
    expect(await caller.get('/orders')).toMatchObject({ status: 403, trips: 1 });
  });

  test('in its own header, beside an Authorization header for a proxy in between', async () => {
    const key = { 'x-svc-key': await keyWith(['users:read']) };
    const caller = stage.scene.client({ ...key, authorization: 'Basic dXNlcjpwYXNz' });
    expect((await caller.get('/users')).status).toBe(200);
  });

  test.each(['Bearer ', 'bearer ', 'BEARER   '])('after %j', async (scheme) => {
    const token = await keyWith(['users:read']);
    const caller = stage.scene.client({ authorization: scheme + token });
    expect((await caller.get('/users')).status).toBe(200);
  });
});

test('a secret from before a rotation is refused, in either header', async () => {
  const { scene } = stage;
  const { store } = scene;
  const { id, token } = await store.createKey();
  await store.database.query('update api_key_secrets set expires_at = $2 where api_key_id = $1', [
    id,
    store.clock.now(),
  ]);
  for (const headers of [authorization(token), { 'x-svc-key': token }]) {
    const { status, body, trips } = await scene.client(headers).get('/users');
    expect({ status, code: body.code, message: body.message, trips }).toEqual(invalid);
  }
});

describe('a key for some IP addresses is accepted from these only', () => {
  test.each([
    ['203.0.113.255', 200],
    ['203.0.114.0', 403],
    ['2001:db8:ffff::1', 200],
    ['2001:db9::1', 403],
    ['::ffff:203.0.113.7', 403],
    ['localhost', 403],
    ['203.0.113.7/32', 403],
    ["203.0.113.7' or true", 403],
    ['', 403],
    [undefined, 403],
  ])('a request from the address %j is answered with %d', async (address, status) => {
    const from = address === undefined ? {} : { 'cf-connecting-ip': address };
    const caller = stage.scene.client({ ...authorization(local), ...from });
    expect((await caller.get('/users')).status).toBe(status);
  });
});

describe('a key that is revoked between the trips of a write stops the second trip', () => {
  test.each(askedOf(withKey.filter(({ effect }) => effect === 'write')))(
    '$id',
    async (endpoint) => {
      const { scene } = stage;
      const { store } = scene;
      const example = await scene.example(endpoint);
      const { id, token } = await store.createKey();
      const before = await scene.contents();
      const held = await scene.inTheWay({ hold: true });
      const caller = scene.client(authorization(token));
      const asked = scene.call(caller, mainRoute(endpoint), example);
      await held.reached;
      await store.database.query('update api_keys set revoked_at = created_at where id = $1', [id]);
      held.release();
      const reply = await asked;
      // A write that loads nothing is one trip, authorised at its start.
      if (reply.trips === 1) return;
      expect(reply).toMatchObject({ status: 401, body: { message: invalid.message }, trips: 2 });
      expect(await scene.contents()).toEqual(before);
    },
  );
});
