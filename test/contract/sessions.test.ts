import { beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '../../src/kernel/endpoint/endpoint.ts';
import { newClaims } from '../../src/domain/session/rules.ts';
import { hostileTokens } from '../kernel/auth/hostile-tokens.ts';
import type { Example } from './examples.ts';
import { askedOf } from './kinds.ts';
import { type Person, newPerson, sessionOf } from './people.ts';
import { type Headers, useRefused } from './refusals.ts';
import { type Route, endpointsFor, mainRoute, routesOf } from './routes.ts';
import { type Scene, authorization, useScene } from './scene.ts';

// Invalid tokens, and ended sessions; authorisation.test.ts has the roles.
const stage = useScene();
const withSession = endpointsFor('session', 'admin');

const noToken = { status: 401, code: 'svc_session_no_token', trips: 0 };
const invalidToken = { status: 401, code: 'svc_session_invalid_token', trips: 0 };
const endedSession = { ...invalidToken, trips: 1 };
const userGone = { status: 401, code: 'svc_session_user_gone', trips: 1 };
const forbidden = { status: 403, code: 'rest_forbidden', trips: 1 };

type Callers = Record<string, Headers>;

/** Callers without a readable token, or with one that the service did not issue. */
let strangers: Callers;
let forgers: Callers;
/** Callers with a valid token who are refused, by their role. */
let outsiders: Record<'member' | 'administrator', Outsiders>;
/** A member where administrators are required, and a blocked administrator. */
let unwelcome: Headers[];

interface Outsiders {
  readonly ended: Callers;
  readonly gone: Callers;
}

beforeAll(async () => {
  const { scene } = stage;
  strangers = await strangersOf(scene);
  forgers = await forgersOf(scene);
  outsiders = {
    member: await outsidersOf(scene, 'member'),
    administrator: await outsidersOf(scene, 'administrator'),
  };
  const change = `status = 'blocked'`;
  unwelcome = [
    await sessionOf(scene),
    await sessionOf(scene, { roles: ['administrator'], change }),
  ];
});

async function strangersOf({ store, administrator }: Scene): Promise<Callers> {
  const { token: key } = await store.createKey();
  const token = await store.token(administrator, { admin: true });
  return {
    'an empty header': { authorization: '' },
    'a scheme alone': { authorization: 'Bearer ' },
    'another scheme': { authorization: `Basic ${token}` },
    'a token without scheme': { authorization: token },
    'the token in the header of API keys': { 'x-svc-key': token },
    'an API key in its own header': { 'x-svc-key': key },
    'a cookie': { cookie: `token=${token}` },
  };
}

async function forgersOf({ store, administrator }: Scene): Promise<Callers> {
  const { authority, config } = await store.services();
  const now = store.clock.now();
  const claims = newClaims({
    sid: crypto.randomUUID(),
    jti: crypto.randomUUID(),
    userId: administrator,
    isAdmin: true,
    issuer: config.BASE_URL,
    audience: authority.audience,
    provider: 'svc',
    providerUserId: '1',
    lifetime: 3600,
    notBefore: 0,
    now,
  });
  const hostile = await hostileTokens({ keys: authority.sessionKeys, claims, now });
  return Object.fromEntries(hostile.map(({ name, token }) => [name, authorization(token)]));
}

async function outsidersOf(scene: Scene, role: string): Promise<Outsiders> {
  const { store } = scene;
  const roles = [role];
  const claims = { admin: role === 'administrator' };
  const sid = crypto.randomUUID();
  await store.database.query(
    `insert into revoked_sessions (sid, revoked_at, expires_at) values ($1, $2, $2)`,
    [sid, store.clock.now()],
  );
  const deleted = await scene.newUser();
  await scene.api.delete(`/users/${deleted}`);
  return {
    ended: {
      'the session revoked': await sessionOf(scene, { roles, claims: { sid } }),
      'all sessions of the user revoked': await sessionOf(scene, { roles, change: revoked(scene) }),
      ...(await switchedOf(scene)),
    },
    gone: {
      'never there': authorization(await store.token(999_999_999, claims)),
      'the largest id': authorization(await store.token(Number.MAX_SAFE_INTEGER, claims)),
      anonymised: await sessionOf(scene, { roles, change: `status = 'anonymised'` }),
      'deleted over the API': authorization(await store.token(deleted, claims)),
    },
  };
}

function revoked({ store }: Scene): string {
  const later = new Date(store.clock.now().getTime() + 1);
  return `sessions_valid_after = '${later.toISOString()}'`;
}

/** Sessions in which somebody acts as another person without the right to. */
async function switchedOf(scene: Scene): Promise<Callers> {
  const by = async (actor: Person) =>
    sessionOf(scene, { claims: scene.store.switchedBy(await newPerson(scene, actor)) });
  const roles = ['administrator'];
  const own = scene.store.switchedBy(scene.administrator);
  return {
    'by somebody who never was an administrator': await by({ roles: ['shop-manager'] }),
    'by a blocked administrator': await by({ roles, change: `status = 'blocked'` }),
    'by an anonymised administrator': await by({ roles, change: `status = 'anonymised'` }),
    'by an administrator whose sessions ended': await by({ roles, change: revoked(scene) }),
    'by nobody': await sessionOf(scene, { claims: scene.store.switchedBy(999_999_999) }),
    'as a user who became an administrator': await sessionOf(scene, { roles, claims: own }),
  };
}

const roleFor = ({ access }: Endpoint) => (access.kind === 'admin' ? 'administrator' : 'member');

test('there are endpoints for every session, and some for administrators', () => {
  expect(endpointsFor('session').length).toBeGreaterThan(0);
  expect(endpointsFor('admin').length).toBeGreaterThan(0);
});

describe.each(askedOf(withSession))('$id refuses, and writes nothing,', (endpoint) => {
  const refused = useRefused(endpoint, stage);
  const role = roleFor(endpoint);

  test('a request without a token: 401, and the database is not queried', async () => {
    await refused.expectRefusal(strangers, noToken);
  });

  test('a token that the service has not issued: 401, and the database is not queried', async () => {
    await refused.expectRefusal(forgers, invalidToken);
  });

  test('a session that has ended, or whose user may not have it any more: 401', async () => {
    await refused.expectRefusal(outsiders[role].ended, endedSession);
  });

  test('a session of a deleted user: 401', async () => {
    await refused.expectRefusal(outsiders[role].gone, userGone);
  });

  test('a request with several mistakes: the session first, then the input', async () => {
    await refused.expectPrecedence({}, noToken);
    await refused.expectPrecedence(authorization('nonsense'), invalidToken);
    for (const headers of endpoint.access.kind === 'admin' ? unwelcome : unwelcome.slice(1)) {
      await refused.expectPrecedence(headers, forbidden);
    }
  });
});

describe('a token with out-of-date administrator rights', () => {
  const roles = ['administrator', 'member'] as const;

  /** The answers to a user of this role, with a correct and with an outdated token. */
  async function answers(endpoint: Endpoint, route: Route, role: (typeof roles)[number]) {
    const { scene } = stage;
    const id = await newPerson(scene, { roles: [role] });
    const ask = async (admin: boolean, example: Example) =>
      scene.call(await scene.session(id, { admin }), route, example);
    const example = await scene.example(endpoint);
    const right = await ask(role === 'administrator', example);
    const own = endpoint.effect === 'write' ? await scene.example(endpoint) : example;
    return { right, stale: await ask(role !== 'administrator', own) };
  }

  test.each(askedOf(withSession))(
    'is served like a good one, one trip later: $id',
    async (endpoint) => {
      for (const route of routesOf(endpoint)) {
        for (const role of roles) {
          const { right, stale } = await answers(endpoint, route, role);
          expect(stale.status, role).toBe(right.status);
          // Endpoints for certain users refuse the others without a second trip.
          const unfit = endpoint.access.kind !== 'session' || 'capability' in endpoint.access;
          const refused = unfit && right.status === 403;
          expect(stale.trips, role).toBe(refused ? 1 : right.trips + 1);
          const comparable = endpoint.effect === 'read' || right.status >= 400;
          expect(comparable ? stale.body : right.body, role).toEqual(right.body);
        }
      }
    },
  );

  test('decides nothing before the database was queried', async () => {
    const { scene } = stage;
    const administrator = await scene.session(scene.administrator, { admin: false });
    const all = await administrator.get('/me/orders?scope=all');
    expect(all).toMatchObject({ status: 200, trips: 2 });
    const wrong = await administrator.patch('/me/settings', { session_ttl: 0 });
    expect(wrong).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
  });
});

describe('a write of an administrator who acts as another user leaves an audit row', () => {
  const writes = endpointsFor('session').filter(({ effect }) => effect === 'write');
  test.each(writes)('$id', async (endpoint) => {
    const { scene } = stage;
    const { store, administrator } = scene;
    const example = await scene.example(endpoint);
    const user = example.user ?? scene.buyer;
    const switched = await scene.session(user, store.switchedBy(administrator));
    const reply = await scene.call(switched, mainRoute(endpoint), example);
    expect(reply.status).toBe(endpoint.reply[0]);
    const { rows } = await store.database.query(
      'select actor_id::int, user_id::int, operation, at from audit_log where request_id = $1',
      [reply.headers.get('x-request-id')],
    );
    expect(rows).toEqual([
      { actor_id: administrator, user_id: user, operation: endpoint.id, at: store.clock.now() },
    ]);
  });
});

describe('a session that is revoked between the trips of a write stops the second trip', () => {
  test.each(askedOf(withSession.filter(({ effect }) => effect === 'write')))(
    '$id',
    async (endpoint) => {
      const { scene } = stage;
      const { database, clock } = scene.store;
      const sid = crypto.randomUUID();
      const headers = await sessionOf(scene, { roles: [roleFor(endpoint)], claims: { sid } });
      const example = await scene.example(endpoint);
      const { revoked_sessions: _, ...before } = await scene.contents();
      const held = await scene.inTheWay({ hold: true });
      const asked = scene.call(scene.client(headers), mainRoute(endpoint), example);
      await held.reached;
      await database.query(
        `insert into revoked_sessions (sid, revoked_at, expires_at) values ($1, $2, $2)`,
        [sid, clock.now()],
      );
      held.release();
      const reply = await asked;
      // A write that loads nothing is one trip, authorised at its start.
      if (reply.trips === 1) return;
      const { status, code } = endedSession;
      expect(reply).toMatchObject({ status, body: { code }, trips: 2 });
      expect(await scene.contents()).toMatchObject(before);
    },
  );
});
