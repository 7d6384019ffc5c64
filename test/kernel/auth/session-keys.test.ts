import { describe, expect, test } from 'vitest';
import {
  type SessionJwk,
  generateSessionKey,
  publicJwks,
  readSessionKeys,
} from '../../../src/kernel/auth/session-token.ts';

const [jwk, otherJwk] = [await generateSessionKey(), await generateSessionKey()];
const publicPart = ({ kty, crv, x, kid }: SessionJwk): SessionJwk => {
  return { kty, crv, x, kid, alg: 'EdDSA', use: 'sig' };
};

describe('readSessionKeys', () => {
  const { kty, crv, x, d, kid } = jwk;
  const refusal = (json: string) =>
    readSessionKeys(json).then(
      () => 'none',
      (error: Error) => error.message,
    );

  test('never shows a private key it refuses', async () => {
    const keys = [
      { ...jwk, kid: '' },
      { ...jwk, d: `${d}=` },
      { ...jwk, x: otherJwk.x },
    ];
    const texts = [
      d ?? '',
      `{"keys":[{"d":"${d}"`,
      ...keys.map((key) => JSON.stringify({ keys: [key] })),
    ];
    for (const json of texts) {
      expect(await refusal(json)).toMatch(/^SESSION_KEYS/);
      expect(await refusal(json)).not.toContain(d?.slice(0, 6));
    }
  });

  test.each<[string, string, string]>([
    ['nothing', '', 'SESSION_KEYS is not JSON.'],
    ['a PEM', `-----BEGIN PRIVATE KEY----- ${d}`, 'SESSION_KEYS is not JSON.'],
    ['a cut text', JSON.stringify({ keys: [jwk] }).slice(0, -2), 'SESSION_KEYS is not JSON.'],
    ['a text', JSON.stringify(d), 'SESSION_KEYS must be an object.'],
    ['a single key', JSON.stringify(jwk), 'SESSION_KEYS.keys must be a list of keys.'],
    ['no keys', JSON.stringify({ keys: [] }), 'holds no private key'],
    ['a null key', JSON.stringify({ keys: [null] }), 'SESSION_KEYS.keys.0 must be an object.'],
  ])('refuses %s', async (_, json, message) => {
    expect(await refusal(json)).toContain(message);
  });

  test.each<[string, unknown[], string]>([
    ['public keys only', [publicPart(jwk)], 'holds no private key'],
    ['a kid twice', [jwk, { ...otherJwk, kid }], 'two keys with the same kid'],
    ['a key without kid', [{ kty, crv, x, d }], 'keys.0.kid must be text'],
    ['a kid with a blank before it', [{ ...jwk, kid: ` ${kid}` }], 'must be 1 to 128 visible'],
    ['a kid with a blank after it', [{ ...jwk, kid: `${kid} ` }], 'must be 1 to 128 visible'],
    ['a part in numbers', [{ ...jwk, x: 1 }], 'SESSION_KEYS.keys.0.x must be text.'],
    [
      'several mistakes',
      [{ ...jwk, kty: 'RSA', use: 'enc' }],
      'SESSION_KEYS.keys.0.kty must be "OKP". SESSION_KEYS.keys.0.use must be "sig".',
    ],
    ['an empty kid', [{ ...jwk, kid: '' }], 'keys.0.kid must be 1 to 128 visible characters'],
    [
      'an RSA key',
      [jwk, { kty: 'RSA', kid: 'r', n: 'AQAB', e: 'AQAB' }],
      'keys.1.kty must be "OKP"',
    ],
    ['a shared secret', [{ kty: 'oct', kid: 'h', k: d }], 'keys.0.kty must be "OKP"'],
    ['another curve', [{ ...jwk, crv: 'X25519' }], 'keys.0.crv must be "Ed25519"'],
    ['another algorithm', [{ ...jwk, alg: 'HS256' }], 'keys.0.alg must be "EdDSA"'],
    ['a key for encryption', [{ ...jwk, use: 'enc' }], 'keys.0.use must be "sig"'],
    ['a short public part', [{ ...jwk, x: x.slice(2) }], 'keys.0.x must be 32 bytes'],
    ['a private part with padding', [{ ...jwk, d: `${d}=` }], 'keys.0.d must be 32 bytes'],
    ['parts of different keys', [{ ...jwk, x: otherJwk.x }], 'keys.0.x is not the public part'],
  ])('refuses %s', async (_, keys, message) => {
    expect(await refusal(JSON.stringify({ keys }))).toContain(message);
  });

  test('accepts a key without optional members, and makes it impossible to extract', async () => {
    const keys = await readSessionKeys(JSON.stringify({ keys: [{ kty, crv, x, d, kid }] }));
    expect(keys.signing.privateKey.extractable).toBe(false);
    expect(publicJwks(keys)).toEqual({ keys: [publicPart(jwk)] });
  });

  test('a generated key is new each time and named by its thumbprint', () => {
    expect(jwk).toEqual({ kty: 'OKP', crv: 'Ed25519', x, d, kid, alg: 'EdDSA', use: 'sig' });
    expect(kid).toMatch(/^[\w-]{43}$/);
    expect(otherJwk.kid).not.toBe(kid);
    expect(otherJwk.d).not.toBe(d);
  });
});
