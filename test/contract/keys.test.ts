import { beforeAll, describe, expect, test } from 'vitest';
import { generateApiKey } from '../../src/auth/api-key.ts';
import { type Scope, scopes } from '../../src/auth/scopes.ts';
import type { Endpoint } from '../../src/http/endpoint.ts';
import { encodeBase62, randomBase62 } from '../../src/lib/base62.ts';
import { crc32 } from '../../src/lib/crc32.ts';
import { typicalMistakes } from './mistakes.ts';
import { endpointsFor, mainRoute, routesOf } from './routes.ts';
import { type Scene, authorization, useScene } from './scene.ts';

const stage = useScene();
const withKey = endpointsFor('key');

const missing = 'Authorization header missing.';
const invalid = 'Invalid API key.';

const scopesOf = ({ access }: Endpoint): readonly Scope[] =>
  access.kind === 'key' ? access.scopes : [];

/** Every scope that is of no use on the endpoint. */
const otherScopes = (endpoint: Endpoint) =>
  scopes.map(({ name }) => name).filter((name) => !scopesOf(endpoint).includes(name));

/** A key in the right form for this prefix, with another secret. */
function withAnotherSecret(prefix: string): string {
  const body = `svcapi_${prefix}_${randomBase62(43)}`;
  return body + encodeBase62(crc32(body), 6);
}

/** Fails unless every route refuses every one of these callers, and nothing is written. */
async function expectRefusal(
  endpoint: Endpoint,
  callers: Record<string, Record<string, string>>,
  expected: { status: number; message: string; trips: number },
) {
  const { scene } = stage;
  const { status, message, trips } = expected;
  const example = await scene.example(endpoint);
  const before = await scene.contents();
  for (const route of routesOf(endpoint)) {
    for (const [name, headers] of Object.entries(callers)) {
      const reply = await scene.call(scene.client(headers), route, example);
      expect(reply, `${route.method} ${name}`).toMatchObject({
        status,
        body: { code: 'rest_forbidden', message, data: { status } },
        trips,
      });
    }
  }
  expect(await scene.contents()).toEqual(before);
}

async function expectSuccess(
  scene: Scene,
  endpoint: Endpoint,
  headers: Record<string, string>,
): Promise<void> {
  for (const route of routesOf(endpoint)) {
    const reply = await scene.call(scene.client(headers), route, await scene.example(endpoint));
    expect(reply).toMatchObject({ status: endpoint.reply[0] });
  }
}

test('there are endpoints for API keys', () => {
  expect(withKey.length).toBeGreaterThan(0);
});

describe('without a key: 401, and the database is not asked', () => {
  test.each(withKey)('$id', async (endpoint) => {
    await expectRefusal(endpoint, { none: {} }, { status: 401, message: missing, trips: 0 });
  });
});

describe('with something that is no key: 401, and the database is not asked', () => {
  test.each(withKey)('$id', async (endpoint) => {
    const { scene } = stage;
    const { token } = await scene.store.createKey();
    const session = await scene.store.token(scene.administrator, { admin: true });
    const [, prefix] = token.split('_');
    const callers = {
      'a session token': authorization(session),
      'a session token as X-Svc-Key': { 'x-svc-key': session },
      'no token': { authorization: 'Bearer' },
      'an empty header': { authorization: '' },
      'an empty X-Svc-Key': { 'x-svc-key': '' },
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
    await expectRefusal(endpoint, callers, { status: 401, message: invalid, trips: 0 });
  });
});

describe('with a key that is not good: 401, the same for every reason', () => {
  let callers: Record<string, Record<string, string>>;
  beforeAll(async () => {
    const { store } = stage.scene;
    const now = store.clock.now();
    const [good, revoked, rotated] = await Promise.all([
      store.createKey(),
      store.createKey(),
      store.createKey(),
    ]);
    const expired = await store.createKey({ expires_at: now.toISOString() });
    await store.database.query('update api_keys set revoked_at = $2 where id = $1', [
      revoked.id,
      now,
    ]);
    await store.database.query('update api_key_secrets set expires_at = $2 where api_key_id = $1', [
      rotated.id,
      now,
    ]);
    callers = {
      unknown: authorization(generateApiKey().token),
      'another secret': authorization(withAnotherSecret(good.prefix)),
      revoked: authorization(revoked.token),
      expired: authorization(expired.token),
      'rotated away': authorization(rotated.token),
      'revoked, as X-Svc-Key': { 'x-svc-key': revoked.token },
    };
  });

  test.each(withKey)('$id', async (endpoint) => {
    await expectRefusal(endpoint, callers, { status: 401, message: invalid, trips: 1 });
  });
});

describe('with every scope but its own: 403', () => {
  test.each(withKey)('$id', async (endpoint) => {
    const { token } = await stage.scene.store.createKey({ scopes: otherScopes(endpoint) });
    const callers = { bearer: authorization(token), header: { 'x-svc-key': token } };
    const message = 'Insufficient scope.';
    await expectRefusal(endpoint, callers, { status: 403, message, trips: 1 });
  });
});

describe('with any one of its scopes alone: served, by either header', () => {
  test.each(withKey)('$id', async (endpoint) => {
    const { scene } = stage;
    for (const scope of scopesOf(endpoint)) {
      const { token } = await scene.store.createKey({ scopes: [scope] });
      await expectSuccess(scene, endpoint, { authorization: `bearer  ${token}` });
      await expectSuccess(scene, endpoint, { 'x-svc-key': token });
    }
  });
});

describe('with a key for some addresses: served there only', () => {
  const from = (ip: string) => ({ 'cf-connecting-ip': ip });
  let key: ReturnType<typeof authorization>;
  beforeAll(async () => {
    const ip_allow = ['203.0.113.0/24', '2001:db8::/32'];
    key = authorization((await stage.scene.store.createKey({ ip_allow })).token);
  });

  test.each(withKey)('$id', async (endpoint) => {
    const { scene } = stage;
    const example = await scene.example(endpoint);
    const caller = scene.client({ ...key, ...from('203.0.113.7') });
    const reply = await scene.call(caller, mainRoute(endpoint), example);
    expect(reply.status).toBe(endpoint.reply[0]);
    const callers = {
      'another address': { ...key, ...from('198.51.100.1') },
      'an unknown address': { ...key, 'x-forwarded-for': '203.0.113.7' },
    };
    const message = 'This API key may not be used from this address.';
    await expectRefusal(endpoint, callers, { status: 403, message, trips: 1 });
  });

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
  ])('%j is %d', async (address, status) => {
    const caller = stage.scene.client({ ...key, ...from(address) });
    expect((await caller.get('/users')).status).toBe(status);
  });
});

describe('a request with a mistake is refused for its credentials first', () => {
  test.each(withKey)('$id', async (endpoint) => {
    const { scene } = stage;
    const example = await scene.example(endpoint);
    const { token } = await scene.store.createKey({ scopes: otherScopes(endpoint) });
    const before = await scene.contents();
    for (const route of routesOf(endpoint)) {
      for (const mistake of typicalMistakes(endpoint, example)) {
        const ask = (headers: Record<string, string>) =>
          scene.call(scene.client(headers), route, example, mistake);
        expect((await ask({})).body, mistake.name).toMatchObject({ message: missing });
        expect((await ask(authorization(token))).body, mistake.name).toMatchObject({
          message: 'Insufficient scope.',
        });
      }
    }
    expect(await scene.contents()).toEqual(before);
  });
});

describe('a key that is revoked between the trips of a write stops the second', () => {
  test.each(withKey.filter(({ effect }) => effect === 'write'))('$id', async (endpoint) => {
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
    // A write that needs no reading is one trip, authorised when it began.
    if (reply.trips === 1) return;
    expect(reply).toMatchObject({ status: 401, body: { message: invalid }, trips: 2 });
    const { api_keys: _, ...after } = await scene.contents();
    expect(before).toMatchObject(after);
  });
});
