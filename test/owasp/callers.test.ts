import { describe, expect, test } from 'vitest';
import { type Endpoint, keepsAnswers } from '../../src/kernel/endpoint/endpoint.ts';
import { endpoints } from '../../src/endpoints.ts';
import { endpointsFor, mainRoute, pathParameters } from '../contract/routes.ts';
import { shapeOf } from '../contract/schemas.ts';
import { useScene } from '../contract/scene.ts';
import { provedElsewhere } from './elsewhere.ts';

const stage = useScene();
const own = endpointsFor('session');

describe('API1:2023 Broken object level authorization', () => {
  provedElsewhere({
    'operations/me/orders.test.ts': [
      "contains a member's purchases and sales, and every order for an administrator",
    ],
    'operations/me/authorisation.test.ts': ['GET /me/orders/:id of another', 'of a proof'],
    'contract/routing.test.ts': ['an unknown id is the documented 404'],
    'contract/idempotency.test.ts': ["a caller's key means nothing for another caller"],
  });

  const named = (endpoint: Endpoint) =>
    (['id', 'text'] as const).flatMap((kind) => pathParameters(mainRoute(endpoint), kind));
  const ofRecords = own.filter((endpoint) => named(endpoint).length > 0);

  test.each(ofRecords)(
    "$id: another member's record is not found, like an unknown one",
    async (endpoint) => {
      const { scene } = stage;
      const route = mainRoute(endpoint);
      const example = await scene.example(endpoint);
      const stranger = await scene.session(await scene.newUser());
      const before = await scene.contents();
      const none = {
        params: Object.fromEntries(named(endpoint).map((name) => [name, 999_999_999])),
      };
      const [theirs, missing] = [
        await scene.call(stranger, route, example),
        await scene.call(stranger, route, example, none),
      ];
      expect(theirs).toMatchObject({ status: 404, body: { code: 'rest_not_found' } });
      expect(theirs.body).toEqual(missing.body);
      expect(await scene.contents()).toEqual(before);
      expect((await scene.call(await scene.caller(endpoint, example), route, example)).status).toBe(
        endpoint.reply[0],
      );
    },
  );

  const reads = own.filter(
    (endpoint) => endpoint.effect === 'read' && !ofRecords.includes(endpoint),
  );
  const identities = ['user_id', 'affiliate_id', 'effective_user_id', 'buyer_id', 'sub'];

  test.each(reads)('$id: no parameter makes a caller act as somebody else', async (endpoint) => {
    const { scene } = stage;
    const route = mainRoute(endpoint);
    const example = await scene.example(endpoint);
    const stranger = await scene.session(await scene.newUser());
    const known = Object.keys(shapeOf(endpoint.query));
    const claimed = identities.filter((name) => !known.includes(name));
    const plain = await scene.call(stranger, route, example);
    for (const other of [scene.buyer, scene.affiliate, scene.administrator]) {
      const query = Object.fromEntries(claimed.map((name) => [name, String(other)]));
      const { body } = await scene.call(stranger, route, example, { query });
      // The replies may differ in the unknown parameters that they name.
      if (body.meta) delete body.meta.ignored_parameters;
      if (body.meta && !plain.body.meta) delete body.meta;
      expect(body).toEqual(plain.body);
    }
    expect(JSON.stringify(plain.body)).not.toContain('@people.example');
  });
});

describe('API2:2023 Broken authentication', () => {
  provedElsewhere({
    'kernel/auth/secret-token.test.ts': ['is refused with any one character changed'],
    'kernel/auth/session-token.test.ts': [
      'a token that differs from those of the service is refused',
      'never pass as one another, whatever they claim',
    ],
    'contract/keys.test.ts': [
      'a malformed key: 401, and the database is not queried',
      'an invalid key: 401, the same for every reason',
      'a key that is revoked between the trips of a write stops the second',
      'a key for some IP addresses is accepted from these only',
    ],
    'contract/sessions.test.ts': [
      'a token that the service has not issued: 401, and the database is not queried',
      'a session that has ended, or whose user may not have it any more: 401',
    ],
    'worker/worker.test.ts': [
      'a key or session that is revoked is refused on its very next request',
    ],
  });

  test('credentials are accepted in their headers only, never in an address, a cookie or a body', async () => {
    const { scene } = stage;
    const { token } = await scene.store.createKey();
    const session = await scene.store.token(scene.buyer);
    for (const name of ['api_key', 'access_token', 'token', 'key', 'Authorization', 'x-svc-key']) {
      const nobody = scene.client({ cookie: `${name}=${token}` });
      expect((await nobody.get(`/orders?${name}=${token}`)).status, name).toBe(401);
      const guest = scene.client({ cookie: `${name}=${session}` });
      expect((await guest.get(`/me?${name}=${session}`)).status, name).toBe(401);
      expect((await guest.patch('/me/profile', { [name]: session })).status, name).toBe(401);
    }
  });

  test('answers with a secret are never stored for a repeat', () => {
    const secret = /^(sessions\.create|me\.switch\w+|webhooks\.(create|rotate))$/;
    const kept = endpoints.filter((endpoint) => secret.test(endpoint.id) && keepsAnswers(endpoint));
    expect(kept).toEqual([]);
  });
});

describe('API5:2023 Broken function level authorization', () => {
  provedElsewhere({
    'contract/authorisation.test.ts': ['everybody is answered as the declaration says'],
    'contract/operations.test.ts': [
      'an operation of the contract takes the credentials and the scope it says',
      'only these operations are open to everybody',
    ],
    'contract/keys.test.ts': [
      'a request with several mistakes: the credentials first, then the input',
    ],
    'operations/me/authorisation.test.ts': ['the table has every operation of /me'],
    'operations/me/switching.test.ts': ['to everybody but administrators'],
    'operations/users/administrators.test.ts': ['is neither given nor taken with an API key'],
  });

  test('no method can be overridden', async () => {
    const { scene } = stage;
    const { token } = await scene.store.createKey({ scopes: ['orders:read'] });
    const before = await scene.contents();
    for (const name of ['x-http-method-override', 'x-method-override', 'x-http-method']) {
      const reader = scene.client({ authorization: `Bearer ${token}`, [name]: 'DELETE' });
      expect((await reader.get(`/orders/${scene.order}?_method=DELETE`)).status, name).toBe(200);
      expect((await reader.post(`/orders/${scene.order}`, {})).status, name).toBe(403);
    }
    expect(await scene.contents()).toEqual(before);
  });
});
