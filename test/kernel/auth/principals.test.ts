import { beforeAll, describe, expect, test } from 'vitest';
import {
  admin,
  adminOrSwitched,
  administrator,
  anyScope,
  apiKey,
  capable,
  consoleSession,
  open,
  session,
} from '../../../src/kernel/auth/access.ts';
import {
  generateToken,
  generatePepper,
  hashToken,
  readPeppers,
} from '../../../src/kernel/auth/secret-token.ts';
import {
  type Authority,
  KeyPrincipal,
  SessionPrincipal,
  authenticate,
  authenticateSession,
} from '../../../src/kernel/auth/principals.ts';
import {
  generateSessionKey,
  readSessionKeys,
  signSession,
} from '../../../src/kernel/auth/session-token.ts';
import { isInConsole, isOfStaff, rolesWith } from '../../../src/domain/user/capabilities.ts';
import { newClaims } from '../../../src/domain/session/rules.ts';

const now = new Date('2026-03-10T09:00:00.000Z');
const seconds = now.getTime() / 1000;
let authority: Authority;

beforeAll(async () => {
  authority = {
    peppers: await readPeppers(`${generatePepper(2)} ${generatePepper(1)}`),
    sessionKeys: await readSessionKeys(JSON.stringify({ keys: [await generateSessionKey()] })),
    issuer: 'https://shop.example',
    audience: 'https://shop.example/api/svc/v1',
    rolesWith,
    isOfStaff,
    isInConsole,
  };
});

const nothing = { authorization: undefined, apiKey: undefined, ip: undefined };
const { token, prefix } = generateToken('svcapi');

const asked = async (access: Parameters<typeof authenticate>[0], credentials: object) =>
  authenticate(access, { ...nothing, ...credentials }, authority, now);

const values = ({ authorising }: Awaited<ReturnType<typeof authenticate>>) =>
  authorising?.values ?? [];

const claims = (fields: object = {}) => ({
  ...newClaims({
    sid: crypto.randomUUID(),
    jti: crypto.randomUUID(),
    userId: 4,
    isAdmin: false,
    issuer: authority.issuer,
    audience: authority.audience,
    provider: 'svc',
    providerUserId: '4',
    lifetime: 3600,
    notBefore: 0,
    now,
  }),
  ...fields,
});
const ownSession = {
  sid: 'b8a1f3f2-5d0c-4a53-9e0c-1f6a4d2c7e55',
  iat: seconds - 60,
  exp: seconds + 3540,
  provider_user_id: '9',
};
const switched = () => claims({ act: { sub: '9', ...ownSession }, exp: seconds + 600 });
const bearer = async (fields: object = {}) => ({
  authorization: `Bearer ${await signSession(claims(fields), authority.sessionKeys)}`,
});

test('an open endpoint makes no query, and has no caller', async () => {
  const { principal, authorising } = await asked(open('everybody may'), { apiKey: 'nonsense' });
  expect(authorising).toBeUndefined();
  expect(principal).toMatchObject({ kind: 'anyone', actor: { type: 'system', id: null } });
});

describe('With an API key', () => {
  const access = anyScope('orders:read', 'users:read');

  test('the first trip gets its prefix, its hash under each pepper, the scopes and the address', async () => {
    const hashes = (await hashToken(token, authority.peppers)).map(({ hash }) => hash);
    const scopes = ['orders:read', 'users:read'];
    const ip = '203.0.113.7';
    expect(hashes).toHaveLength(2);
    for (const credentials of [
      { authorization: `Bearer ${token}` },
      { authorization: `bearer   ${token}  ` },
      { apiKey: token },
      { authorization: `Bearer ${token}`, apiKey: 'nonsense' },
    ]) {
      const { authorising } = await asked(access, { ...credentials, ip });
      expect(authorising).toMatchObject({
        kind: 'key',
        values: [prefix, hashes, scopes, ip, now.toISOString()],
      });
    }
  });

  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8::1', '2001:db8::1'],
    ['203.0.113.7/8', null],
    ['localhost', null],
    [undefined, null],
  ])('an address that is %s counts as %j', async (ip, known) => {
    expect(values(await asked(apiKey('orders:read'), { apiKey: token, ip }))[3]).toBe(known);
  });

  test('no trip is made without one', async () => {
    for (const credentials of [{}, { authorization: '' }, { apiKey: '' }]) {
      await expect(asked(access, credentials)).rejects.toMatchObject({
        code: 'rest_forbidden',
        status: 401,
        message: 'Authorization header missing.',
      });
    }
  });

  const unsent = ' Send it as Authorization: Bearer <API key>.';

  // The titles don't contain the key, which differs in each run.
  test.each([
    ['a scheme alone', { authorization: 'Bearer' }, unsent],
    ['another scheme', { authorization: `Basic ${token}` }, unsent],
    ['no scheme', { authorization: token }, unsent],
    ['the key twice', { authorization: `Bearer ${token} ${token}` }, unsent],
    ['something before the scheme', { authorization: `x Bearer ${token}` }, unsent],
    ['no blank after the scheme', { authorization: `Bearer${token}` }, unsent],
    ['a wrong one beside a good one', { authorization: 'Bearer nonsense', apiKey: token }, ''],
    ['a scheme in the header of its own', { apiKey: `Bearer ${token}` }, ''],
    [
      'the token of a session',
      { authorization: 'Bearer eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiI0In0.c2ln' },
      ' A user-session token is for /me alone.',
    ],
    [
      'an encrypted token, which no session has',
      { authorization: 'Bearer eyJhbGciOiJkaXIifQ.a2V5.aXY.Y2lwaGVy.dGFn' },
      '',
    ],
  ])('no trip is made with %s', async (_, credentials, hint) => {
    const message = `Invalid API key.${hint}`;
    await expect(asked(access, credentials)).rejects.toMatchObject({
      code: 'rest_forbidden',
      status: 401,
      message,
    });
  });

  test('the caller is known once the first trip says who it is', async () => {
    const { principal, authorising } = await asked(access, { apiKey: token });
    if (!(principal instanceof KeyPrincipal)) throw new Error('It is a key.');
    expect(principal.kind).toBe('key');
    expect(() => principal.row).toThrow('The key is known only after the first trip.');
    authorising?.accept({ id: 3, scopes: ['orders:read'], last_used_at: null });
    expect(principal.actor).toEqual({ type: 'key', id: 3 });
    expect([principal.has('orders:read'), principal.has('users:read')]).toEqual([true, false]);
  });

  test('the caller signs in administrators only if the key may', () => {
    const signsIn = (signs_in_administrators: boolean) => {
      const principal = new KeyPrincipal();
      principal.accept({ id: 3, scopes: [], last_used_at: null, signs_in_administrators });
      return principal.signsInAdministrators;
    };
    expect([signsIn(true), signsIn(false)]).toEqual([true, false]);
  });
});

describe('With a session', () => {
  test('the first trip gets the user, the session and when it was issued', async () => {
    const checked = await asked(session(), await bearer({ sid: crypto.randomUUID(), admin: true }));
    const { principal } = checked;
    if (!(principal instanceof SessionPrincipal)) throw new Error('It is a session.');
    const own = [4, principal.claims.sid, now.toISOString()];
    expect(checked.authorising).toMatchObject({
      kind: 'session',
      values: [...own, null, null, null, true, null, false],
    });
    expect(principal).toMatchObject({ kind: 'session', userId: 4, actorId: null, isAdmin: true });
    expect(principal.actor).toEqual({ type: 'user', id: 4 });
    expect(checked.authorising?.accept({})).toBeUndefined();
  });

  test('the actor of a switched session is the administrator who switched', async () => {
    const { authorization } = await bearer(switched());
    const checked = await asked(session(), { authorization });
    const issued = new Date(ownSession.iat * 1000).toISOString();
    expect(values(checked).slice(3)).toEqual([9, ownSession.sid, issued, false, null, false]);
    expect(checked.principal.actor).toEqual({ type: 'user', id: 9 });
  });

  const administrators = ['administrator'];
  const staff = ['administrator', 'shop-manager'];
  test.each([
    ['every user', session(), null, null],
    ['who reads the administration', capable('read_admin'), staff, staff],
    ['administrators', admin(), administrators, administrators],
    ['them, and who acts as another', adminOrSwitched(), administrators, null],
  ] as const)('an endpoint for %s asks for these roles', (_, access, own, acting) => {
    const asks = (its: ReturnType<typeof claims>) =>
      values(authenticateSession(access, new SessionPrincipal(its), authority))[7];
    expect(asks(claims())).toEqual(own);
    expect(asks(switched())).toEqual(acting);
  });

  test('an endpoint for the capability read_admin takes every role in the console', () => {
    const isForStaff = (access: Parameters<typeof authenticateSession>[0]) =>
      values(authenticateSession(access, new SessionPrincipal(claims()), authority))[8];
    expect(isForStaff(capable('read_admin'))).toBe(true);
    expect(isForStaff(capable('manage_options'))).toBe(false);
  });

  test("the token's statement about administrators can be corrected", () => {
    const corrected = new SessionPrincipal(claims({ admin: true }), false);
    expect(corrected.isAdmin).toBe(false);
    expect(values(authenticateSession(session(), corrected, authority))[6]).toBe(false);
  });

  test('no trip is made without a token, or with an invalid one', async () => {
    for (const access of [session(), admin()]) {
      for (const credentials of [{}, { authorization: 'Bearer' }, { apiKey: token }]) {
        await expect(asked(access, credentials)).rejects.toMatchObject({
          code: 'svc_session_no_token',
          status: 401,
        });
      }
      const usual = { code: 'svc_session_invalid_token', status: 401, message: '' };
      const key = { ...usual, message: 'This requires a user-session token, not an API key.' };
      await expect(asked(access, { authorization: 'Bearer nonsense' })).rejects.toMatchObject(
        usual,
      );
      await expect(asked(access, { authorization: `Bearer ${token}` })).rejects.toMatchObject(key);
    }
  });
});

test('an access declares its callers, and nothing else', () => {
  expect([apiKey('orders:read'), anyScope('orders:read', 'users:read')]).toEqual([
    { kind: 'key', scopes: ['orders:read'] },
    { kind: 'key', scopes: ['orders:read', 'users:read'] },
  ]);
  expect([session(), capable('upload_files'), open('why')]).toEqual([
    { kind: 'session' },
    { kind: 'session', capability: 'upload_files' },
    { kind: 'open', reason: 'why' },
  ]);
  const console = consoleSession('read_admin');
  expect([admin(), adminOrSwitched(), administrator(), console]).toEqual([
    { kind: 'admin' },
    { kind: 'admin', switched: true },
    { kind: 'admin', console: true },
    { kind: 'console', capability: 'read_admin' },
  ]);
});
