import * as fc from 'fast-check';
import { CompactSign, createLocalJWKSet, jwtVerify } from 'jose';
import { describe, expect, test } from 'vitest';
import { ZodError } from 'zod';
import {
  MAX_SWITCHED_SECONDS,
  type SessionClaims,
  type SessionJwk,
  type SessionKeys,
  TokenClaims,
  generateSessionKey,
  publicJwks,
  readSessionKeys,
  signSession,
  signToken,
  verifySession,
  verifyToken,
} from '../../../src/kernel/auth/session-token.ts';
import { hostileTokens } from './hostile-tokens.ts';

const issuer = 'https://store.example';
const audience = 'https://store.example/api/svc/v1';
const now = new Date('2026-01-31T17:00:00.400Z');
const seconds = Math.floor(now.getTime() / 1000);
const expectation = { issuer, audience, now };

const claims: SessionClaims = {
  iss: issuer,
  aud: audience,
  sub: '42',
  sid: '6f3a1f0e-8a53-4c0e-9f2e-2d8f6c1b7a10',
  jti: '0d9b7c52-3f7e-4a51-b1d4-5a0c6e2f9b31',
  iat: seconds,
  nbf: seconds,
  exp: seconds + 43_200,
  provider: 'svc',
  provider_user_id: '42',
  admin: false,
};
const act = {
  sub: '7',
  sid: 'b8a1f3f2-5d0c-4a53-9e0c-1f6a4d2c7e55',
  iat: seconds - 60,
  exp: seconds + 43_140,
  provider_user_id: '7',
};
const switched: SessionClaims = { ...claims, exp: seconds + MAX_SWITCHED_SECONDS, act };

const keySet = (...keys: SessionJwk[]) => readSessionKeys(JSON.stringify({ keys }));
const publicPart = ({ kty, crv, x, kid }: SessionJwk): SessionJwk => {
  return { kty, crv, x, kid, alg: 'EdDSA', use: 'sig' };
};
const [jwk, otherJwk] = [await generateSessionKey(), await generateSessionKey()];
const keys = await keySet(jwk);

const userId = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).map(String);
const text = (maxLength: number) =>
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength })
    .filter((s) => s.length <= maxLength && !s.includes('\0'));
const anyClaims: fc.Arbitrary<SessionClaims> = fc.record(
  {
    iss: fc.constant(issuer),
    aud: fc.constant(audience),
    sub: userId,
    sid: fc.uuid({ version: 4 }),
    jti: fc.uuid({ version: 4 }),
    iat: fc.integer({ min: seconds - 60, max: seconds }),
    nbf: fc.integer({ min: seconds - 60, max: seconds }),
    exp: fc.integer({ min: seconds, max: seconds + MAX_SWITCHED_SECONDS - 60 }),
    provider: text(100),
    provider_user_id: text(255),
    admin: fc.constant(false),
    act: fc.record({
      sub: userId,
      sid: fc.uuid({ version: 4 }),
      iat: fc.integer({ min: seconds - 3600, max: seconds }),
      exp: fc.integer({ min: seconds + MAX_SWITCHED_SECONDS, max: seconds + 43_200 }),
      provider_user_id: text(255),
    }),
  },
  {
    requiredKeys: [
      'iss',
      'aud',
      'sub',
      'sid',
      'jti',
      'iat',
      'nbf',
      'exp',
      'provider',
      'provider_user_id',
      'admin',
    ],
  },
);

/** Any text, including half characters. */
const anyText = fc.uint16Array({ maxLength: 200 }).map((codes) => String.fromCharCode(...codes));

describe('a session token', () => {
  test('is read back with the claims that were signed', async () => {
    await fc.assert(
      fc.asyncProperty(anyClaims, async (claims) => {
        const token = await signSession(claims, keys);
        expect(await verifySession(token, keys, expectation)).toEqual(claims);
      }),
    );
  });

  test('is a JWT that others can verify with the published keys', async () => {
    const published = createLocalJWKSet(publicJwks(keys));
    const { payload, protectedHeader } = await jwtVerify(
      await signSession(claims, keys),
      published,
      {
        issuer,
        audience,
        currentDate: now,
      },
    );
    expect(payload).toEqual(claims);
    expect(protectedHeader).toEqual({ alg: 'EdDSA', typ: 'svc-session+jwt', kid: jwk.kid });
  });

  test('carries the largest user id that JSON numbers hold exactly', async () => {
    const token = await signSession({ ...claims, sub: '9007199254740991' }, keys);
    expect(await verifySession(token, keys, expectation)).toMatchObject({
      sub: '9007199254740991',
    });
  });

  test('fits its size limit with the longest names', async () => {
    const longest = { provider: '\u0001'.repeat(100), provider_user_id: '\u0001'.repeat(255) };
    const sub = '9007199254740991';
    const { provider_user_id } = longest;
    const ids = { sub, act: { ...act, sub, provider_user_id } };
    const token = await signSession({ ...switched, ...longest, ...ids }, keys);
    expect(await verifySession(token, keys, expectation)).toMatchObject(longest);
  });

  test('of a switch may last as long as the session it is made from', async () => {
    const ends = { ...switched, act: { ...act, exp: switched.exp } };
    const token = await signSession(ends, keys);
    expect(await verifySession(token, keys, expectation)).toEqual(ends);
  });

  test.each<[string, Partial<SessionClaims>]>([
    ['user 0', { sub: '0' }],
    ['a session id that is no UUID', { sid: '1' }],
    ['a fraction of a second', { exp: seconds + 0.5 }],
    ['an administrator switched to', { ...switched, admin: true }],
    ['a switch of more than 30 minutes', { ...switched, exp: seconds + MAX_SWITCHED_SECONDS + 1 }],
    [
      'a switch longer than the session it is made from',
      { ...switched, act: { ...act, exp: seconds + MAX_SWITCHED_SECONDS - 1 } },
    ],
    ['a provider id of 256 characters', { provider_user_id: 'a'.repeat(256) }],
  ])('is not signed for %s, which would not be accepted back', async (_, changes) => {
    await expect(signSession({ ...claims, ...changes }, keys)).rejects.toThrow(ZodError);
  });
});

describe('a token that differs from those of the service is refused', async () => {
  const hostile = await hostileTokens({ keys, claims, now });

  test('control: the original of these tokens is accepted', async () => {
    expect(await verifySession(await signSession(claims, keys), keys, expectation)).toEqual(claims);
  });

  test.each(hostile)('$name', async ({ token }) => {
    expect(await verifySession(token, keys, expectation)).toBeNull();
  });

  test('control: each of these tokens has its own name and can be sent in a header', () => {
    expect(new Set(hostile.map(({ name }) => name)).size).toBe(hostile.length);
    for (const { token } of hostile) expect(token).toMatch(/^[!-~]+$/);
  });

  test('with any one character changed', async () => {
    const token = await signSession(claims, keys);
    const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ \0é';
    await fc.assert(
      fc.asyncProperty(
        fc.nat(token.length - 1),
        fc.constantFrom(...Array.from(characters)),
        async (at, character) => {
          fc.pre(token[at] !== character);
          const mutated = token.slice(0, at) + character + token.slice(at + 1);
          expect(await verifySession(mutated, keys, expectation)).toBeNull();
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('with a last character of any other kind', async () => {
    const token = await signSession(claims, keys);
    for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=') {
      if (token.endsWith(character)) continue;
      expect(await verifySession(token.slice(0, -1) + character, keys, expectation)).toBeNull();
    }
  });

  test('whatever the text is', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        expect(await verifySession(text, keys, expectation)).toBeNull();
      }),
    );
  });
});

describe('the time of a session', () => {
  const at = (offset: number) => new Date((seconds + offset) * 1000);
  const accepted = async (changes: Partial<SessionClaims>, now: Date) => {
    const token = await signSession({ ...claims, ...changes }, keys);
    return (await verifySession(token, keys, { ...expectation, now })) !== null;
  };

  test.each([
    [-5.001, false],
    [-5, true],
    [0, true],
    [600, true],
    [604.999, true],
    [605, false],
  ])('valid from 0 to 600 with 5 s of tolerance: at %d it is %s', async (offset, expected) => {
    expect(await accepted({ exp: seconds + 600 }, at(offset))).toBe(expected);
  });

  test.each([
    [60, true],
    [61, false],
  ])('issued %d s ahead: %s', async (ahead, expected) => {
    expect(await accepted({ iat: seconds + ahead }, at(0))).toBe(expected);
  });

  test('a clock without a valid time lets nobody in', async () => {
    expect(await accepted({}, new Date(Number.NaN))).toBe(false);
  });

  test('a token of another issuer or audience is refused', async () => {
    const token = await signSession(claims, keys);
    const elsewhere = { ...expectation, issuer: 'https://other.example' };
    expect(await verifySession(token, keys, elsewhere)).toBeNull();
    expect(await verifySession(token, keys, { ...expectation, audience: issuer })).toBeNull();
  });
});

describe('rotation of the session keys', () => {
  const verifies = async (token: string, keys: SessionKeys) =>
    (await verifySession(token, keys, expectation)) !== null;

  test('the first private key signs, the old one still verifies until it is removed', async () => {
    const before = await signSession(claims, keys);
    for (const rotated of [await keySet(otherJwk, jwk), await keySet(otherJwk, publicPart(jwk))]) {
      const after = await signSession(claims, rotated);
      expect(await verifies(before, rotated)).toBe(true);
      expect(await verifies(after, rotated)).toBe(true);
      expect(await verifies(after, keys)).toBe(false);
    }
    expect(await verifies(before, await keySet(otherJwk))).toBe(false);
  });

  test('a public key that is announced ahead of its use does not sign, even in first place', async () => {
    const announced = await keySet(publicPart(otherJwk), jwk);
    expect(await verifies(await signSession(claims, announced), keys)).toBe(true);
  });

  test('a token names the key that must verify it', async () => {
    const token = await signSession(claims, keys);
    const exchanged = await keySet({ ...otherJwk, kid: jwk.kid }, { ...jwk, kid: otherJwk.kid });
    expect(await verifies(token, exchanged)).toBe(false);
  });

  test('all public parts are published, and nothing else', async () => {
    const { keys: published } = publicJwks(await keySet(otherJwk, publicPart(jwk)));
    expect(published).toEqual([publicPart(otherJwk), publicPart(jwk)]);
  });
});

describe('tokens of different types', () => {
  // Its length is one with which a token can have 6,144 characters exactly.
  const type = 'svc-quotes+jwt';
  const { iss, aud, iat, nbf, exp } = claims;

  test('never pass as one another, whatever they claim', async () => {
    const session = await signSession(claims, keys);
    const quote = await signToken(type, claims, keys);
    const options = {
      ...expectation,
      claims: TokenClaims.catchall(TokenClaims.shape.iss.or(TokenClaims.shape.iat)),
    };
    expect(await verifySession(quote, keys, expectation)).toBeNull();
    expect(await verifyToken(type, session, keys, options)).toBeNull();
  });

  test('follow the same rules', async () => {
    const token = await signToken(type, { iss, aud, iat, nbf, exp }, keys);
    const options = { ...expectation, claims: TokenClaims };
    expect(await verifyToken(type, token, keys, options)).toEqual({ iss, aud, iat, nbf, exp });
    const late = { ...options, now: new Date((exp + 5) * 1000) };
    expect(await verifyToken(type, token, keys, late)).toBeNull();
    expect(await verifyToken(type, token, keys, { ...options, issuer: audience })).toBeNull();
  });

  test('are at most 6 KiB long, in both directions', async () => {
    const schema = TokenClaims.extend({ note: TokenClaims.shape.iss });
    const options = { ...expectation, claims: schema };
    const noted = (length: number) => ({ iss, aud, iat, nbf, exp, note: 'a'.repeat(length) });
    const [header = '', , signature = ''] = (await signToken(type, noted(0), keys)).split('.');
    const room = 6144 - `${header}..${signature}`.length;
    const most = Math.floor((room * 3) / 4) - JSON.stringify(noted(0)).length;
    const token = await signToken(type, noted(most), keys);
    expect(token).toHaveLength(6144);
    expect(await verifyToken(type, token, keys, options)).toEqual(noted(most));
    await expect(signToken(type, noted(most + 1), keys)).rejects.toThrow('too long');
    const tooLong = await new CompactSign(new TextEncoder().encode(JSON.stringify(noted(most + 1))))
      .setProtectedHeader({ alg: 'EdDSA', typ: type, kid: jwk.kid })
      .sign(keys.signing.privateKey);
    expect(await verifyToken(type, tooLong, keys, options)).toBeNull();
  });
});
