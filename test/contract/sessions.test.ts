import { beforeAll, describe, expect, test } from 'vitest';
import { newClaims } from '../../src/resources/sessions/rules.ts';
import type { Endpoint } from '../../src/http/endpoint.ts';
import { hostileTokens } from '../auth/hostile-tokens.ts';
import type { Example } from './examples.ts';
import { typicalMistakes } from './mistakes.ts';
import { type Route, endpointsFor, mainRoute, routesOf } from './routes.ts';
import { type Scene, authorization, useScene } from './scene.ts';

const stage = useScene();
const withSession = endpointsFor('session', 'admin');
const forMembers = endpointsFor('session');
const forAdministrators = endpointsFor('admin');

const noToken = { status: 401, code: 'svc_session_no_token' };
const invalidToken = { status: 401, code: 'svc_session_invalid_token' };
const userGone = { status: 401, code: 'svc_session_user_gone' };
const forbidden = { status: 403, code: 'rest_forbidden' };

type Headers = Record<string, string>;

/** Fails unless every route refuses every one of these callers in `trips`, and nothing is written. */
async function expectRefusal(
  endpoint: Endpoint,
  callers: Record<string, Headers>,
  { status, code, trips }: { status: number; code: string; trips: number },
) {
  const { scene } = stage;
  const example = await scene.example(endpoint);
  const before = await scene.contents();
  for (const route of routesOf(endpoint)) {
    for (const [name, headers] of Object.entries(callers)) {
      const reply = await scene.call(scene.client(headers), route, example);
      expect(reply, `${route.method} ${name}`).toMatchObject({ status, body: { code }, trips });
    }
  }
  expect(await scene.contents()).toEqual(before);
}

/** A user of these roles, changed in the database, and the headers of a session of theirs. */
async function sessionOf(
  scene: Scene,
  { roles = ['member'], change = '', claims = {} }: Person = {},
): Promise<Headers & { authorization: string }> {
  const id = await person(scene, { roles, change });
  return authorization(
    await scene.store.token(id, { admin: roles.includes('administrator'), ...claims }),
  );
}

interface Person {
  readonly roles?: readonly string[];
  /** What becomes of the user: the SET of an UPDATE. */
  readonly change?: string;
  readonly claims?: Record<string, unknown>;
}

async function person(scene: Scene, { roles = ['member'], change = '' }: Person): Promise<number> {
  const id = await scene.newUser();
  const { database } = scene.store;
  await database.query('update users set roles = $2 where id = $1', [id, roles]);
  if (change) await database.query(`update users set ${change} where id = ${id}`);
  return id;
}

/** Roles of someone the endpoint serves. */
const rolesFor = ({ access }: Endpoint) =>
  access.kind === 'admin' ? ['administrator'] : ['member'];

test('there are endpoints for every session, and some for administrators', () => {
  expect(forMembers.length).toBeGreaterThan(0);
  expect(forAdministrators.length).toBeGreaterThan(0);
});

describe('without a token: 401, and the database is not asked', () => {
  test.each(withSession)('$id', async (endpoint) => {
    const { scene } = stage;
    const { token: key } = await scene.store.createKey();
    const token = await scene.store.token(scene.administrator, { admin: true });
    const callers = {
      nothing: {},
      'an empty header': { authorization: '' },
      'a scheme alone': { authorization: 'Bearer ' },
      'another scheme': { authorization: `Basic ${token}` },
      'a token without scheme': { authorization: token },
      'the token in the header of API keys': { 'x-svc-key': token },
      'an API key in its own header': { 'x-svc-key': key },
      'a cookie': { cookie: `token=${token}` },
    };
    await expectRefusal(endpoint, callers, { ...noToken, trips: 0 });
  });
});

describe('with a token that the service has not issued so: 401, and the database is not asked', () => {
  let callers: Record<string, Headers>;
  beforeAll(async () => {
    const { scene } = stage;
    const { store } = scene;
    const { authority, config } = await store.services();
    const now = store.clock.now();
    const claims = newClaims({
      userId: scene.administrator,
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
    const { token: key } = await store.createKey();
    callers = {
      'an API key': authorization(key),
      ...Object.fromEntries(hostile.map(({ name, token }) => [name, authorization(token)])),
    };
  });

  test.each(withSession)('$id', async (endpoint) => {
    await expectRefusal(endpoint, callers, { ...invalidToken, trips: 0 });
  });
});

describe('with a session that has ended: 401', () => {
  test.each(withSession)('$id', async (endpoint) => {
    const { scene } = stage;
    const { database, clock } = scene.store;
    const roles = rolesFor(endpoint);
    const sid = crypto.randomUUID();
    await database.query(
      `insert into revoked_sessions (sid, revoked_at, expires_at) values ($1, $2, $2)`,
      [sid, clock.now()],
    );
    const later = `sessions_valid_after = '${new Date(clock.now().getTime() + 1).toISOString()}'`;
    const callers = {
      'the session revoked': await sessionOf(scene, { roles, claims: { sid } }),
      'all sessions of the user revoked': await sessionOf(scene, { roles, change: later }),
    };
    await expectRefusal(endpoint, callers, { ...invalidToken, trips: 1 });
  });
});

describe('with a session of a user who is gone: 401', () => {
  test.each(withSession)('$id', async (endpoint) => {
    const { scene } = stage;
    const { store } = scene;
    const roles = rolesFor(endpoint);
    const admin = endpoint.access.kind === 'admin';
    const deleted = await scene.newUser();
    await scene.api.delete(`/users/${deleted}`);
    const callers = {
      'never there': authorization(await store.token(999_999_999, { admin })),
      'the largest id': authorization(await store.token(Number.MAX_SAFE_INTEGER, { admin })),
      anonymised: await sessionOf(scene, { roles, change: `status = 'anonymised'` }),
      'deleted over the API': authorization(await store.token(deleted, { admin })),
    };
    await expectRefusal(endpoint, callers, { ...userGone, trips: 1 });
  });
});

describe('with a session of a blocked user: 403', () => {
  test.each(withSession)('$id', async (endpoint) => {
    const roles = rolesFor(endpoint);
    const blocked = await sessionOf(stage.scene, { roles, change: `status = 'blocked'` });
    await expectRefusal(endpoint, { blocked }, { ...forbidden, trips: 1 });
  });
});

describe('with a switched session whose grounds are gone: 401', () => {
  test.each(withSession)('$id', async (endpoint) => {
    const { scene } = stage;
    const { clock } = scene.store;
    const exp = Math.floor(clock.now().getTime() / 1000) + 600;
    const switched = (actor: number) => ({ act: { sub: String(actor) }, admin: false, exp });
    const later = `sessions_valid_after = '${new Date(clock.now().getTime() + 1).toISOString()}'`;
    const from = async (actor: Person) =>
      sessionOf(scene, { claims: switched(await person(scene, actor)) });
    const roles = ['administrator'];
    const callers = {
      'the actor never was an administrator': await from({ roles: ['shop-manager'] }),
      'the actor is blocked': await from({ roles, change: `status = 'blocked'` }),
      'the actor is anonymised': await from({ roles, change: `status = 'anonymised'` }),
      "the actor's sessions are revoked": await from({ roles, change: later }),
      'the actor was never there': await sessionOf(scene, { claims: switched(999_999_999) }),
      'the target became an administrator': await sessionOf(scene, {
        roles,
        claims: switched(scene.administrator),
      }),
    };
    await expectRefusal(endpoint, callers, { ...invalidToken, trips: 1 });
  });
});

describe('what is for administrators is refused to everybody else: 403', () => {
  test.each(forAdministrators)('$id', async (endpoint) => {
    const { scene } = stage;
    const exp = Math.floor(scene.store.clock.now().getTime() / 1000) + 600;
    const act = { sub: String(scene.administrator) };
    const callers = {
      'a member': await sessionOf(scene),
      'an affiliate': await sessionOf(scene, { roles: ['affiliate'] }),
      'a shop manager': await sessionOf(scene, { roles: ['shop-manager', 'affiliate'] }),
      'somebody without a role': await sessionOf(scene, { roles: [] }),
      'an administrator as another user': await sessionOf(scene, { claims: { act, exp } }),
      'a token that still says administrator': await sessionOf(scene, { claims: { admin: true } }),
    };
    await expectRefusal(endpoint, callers, { ...forbidden, trips: 1 });
  });
});

describe('a token that is out of date about administrators', () => {
  const roles = ['administrator', 'member'] as const;

  /** What a user of this role is answered with a token that is right, and with one that isn't. */
  async function answers(endpoint: Endpoint, route: Route, role: (typeof roles)[number]) {
    const { scene } = stage;
    const id = await person(scene, { roles: [role] });
    const ask = async (admin: boolean, example: Example) =>
      scene.call(await scene.session(id, { admin }), route, example);
    const example = await scene.example(endpoint);
    const right = await ask(role === 'administrator', example);
    const own = endpoint.effect === 'write' ? await scene.example(endpoint) : example;
    return { right, stale: await ask(role !== 'administrator', own) };
  }

  test.each(withSession)('is served like a good one, one trip later: $id', async (endpoint) => {
    for (const route of routesOf(endpoint)) {
      for (const role of roles) {
        const { right, stale } = await answers(endpoint, route, role);
        expect(stale.status, role).toBe(right.status);
        // A refusal to whom it isn't for needs no second look.
        expect(stale.trips, role).toBe(right.status === 403 ? 1 : right.trips + 1);
        const comparable = endpoint.effect === 'read' || right.status >= 400;
        expect(comparable ? stale.body : right.body, role).toEqual(right.body);
      }
    }
  });
});

describe('a request with a mistake is refused for its session first', () => {
  test.each(withSession)('$id', async (endpoint) => {
    const { scene } = stage;
    const example = await scene.example(endpoint);
    const roles = rolesFor(endpoint);
    const blocked = await sessionOf(scene, { roles, change: `status = 'blocked'` });
    const unfit = endpoint.access.kind === 'admin' ? [blocked, await sessionOf(scene)] : [blocked];
    const before = await scene.contents();
    for (const route of routesOf(endpoint)) {
      for (const mistake of typicalMistakes(endpoint, example)) {
        const ask = (headers: Headers) =>
          scene.call(scene.client(headers), route, example, mistake);
        const { name } = mistake;
        expect((await ask({})).body, name).toMatchObject({ code: noToken.code });
        const nonsense = await ask(authorization('nonsense'));
        expect(nonsense.body, name).toMatchObject({ code: invalidToken.code });
        for (const headers of unfit) {
          expect((await ask(headers)).body, name).toMatchObject({ code: forbidden.code });
        }
      }
    }
    expect(await scene.contents()).toEqual(before);
  });
});

describe('a session that is revoked between the trips of a write stops the second', () => {
  test.each(withSession.filter(({ effect }) => effect === 'write'))('$id', async (endpoint) => {
    const { scene } = stage;
    const { database, clock } = scene.store;
    const sid = crypto.randomUUID();
    const headers = await sessionOf(scene, { roles: rolesFor(endpoint), claims: { sid } });
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
    // A write that needs no reading is one trip, authorised when it began.
    if (reply.trips === 1) return;
    expect(reply).toMatchObject({ status: 401, body: { code: invalidToken.code }, trips: 2 });
    expect(await scene.contents()).toMatchObject(before);
  });
});
