import {
  CompactSign,
  type CryptoKey,
  calculateJwkThumbprint,
  compactVerify,
  exportJWK,
  generateKeyPair,
  importJWK,
} from 'jose';
import * as z from 'zod';
import { decodeBase64url, encodeBase64url } from '../../lib/bytes.ts';
import { textUpTo } from '../../lib/storable.ts';

const ALGORITHM = 'EdDSA';
const SESSION_TYPE = 'svc-session+jwt';
/** In characters. */
const MAX_TOKEN_LENGTH = 6144;
const CLOCK_TOLERANCE_SECONDS = 5;
const MAX_ISSUED_AHEAD_SECONDS = 60;
/** The longest time that an administrator can act as another user with one token. */
export const MAX_SWITCHED_SECONDS = 30 * 60;
/** The end of the year 9999, in seconds since 1970. */
const LAST_SECOND = 253_402_300_799;

const keyBytes = z
  .string('must be text')
  .refine((text) => decodeBase64url(text)?.length === 32, 'must be 32 bytes in base64url');

const SessionJwk = z.object(
  {
    kty: z.literal('OKP', 'must be "OKP"'),
    crv: z.literal('Ed25519', 'must be "Ed25519"'),
    kid: z.string('must be text').regex(/^[!-~]{1,128}$/, 'must be 1 to 128 visible characters'),
    x: keyBytes,
    d: keyBytes.optional(),
    alg: z.literal(ALGORITHM, `must be "${ALGORITHM}"`).optional(),
    use: z.literal('sig', 'must be "sig"').optional(),
  },
  'must be an object',
);
/** An Ed25519 key as a JWK; private when it has `d`. */
export type SessionJwk = z.output<typeof SessionJwk>;

const SessionJwks = z.object(
  { keys: z.array(SessionJwk, 'must be a list of keys') },
  'must be an object',
);

interface ImportedKey {
  readonly jwk: SessionJwk;
  readonly publicKey: CryptoKey;
  readonly privateKey?: CryptoKey;
}
type SigningKey = Required<ImportedKey>;

/** The keys that sign and verify tokens, imported once. */
export class SessionKeys {
  readonly all: readonly ImportedKey[];
  readonly signing: SigningKey;
  readonly #byHeader = new Map<string, ReadonlyMap<string, CryptoKey>>();

  constructor(all: readonly ImportedKey[], signing: SigningKey) {
    this.all = all;
    this.signing = signing;
  }

  /** Returns the key that a token's encoded header names. The header must be exactly as the service writes it. */
  verifying(type: string, encodedHeader: string): CryptoKey | undefined {
    let keys = this.#byHeader.get(type);
    if (!keys) {
      keys = new Map(this.all.map(({ jwk, publicKey }) => [encodedHeaderOf(type, jwk), publicKey]));
      this.#byHeader.set(type, keys);
    }
    return keys.get(encodedHeader);
  }
}

const headerOf = (typ: string, { kid }: SessionJwk) => ({ alg: ALGORITHM, typ, kid });
const encodedHeaderOf = (type: string, jwk: SessionJwk) =>
  encodeBase64url(new TextEncoder().encode(JSON.stringify(headerOf(type, jwk))));

/**
 * Reads the secret SESSION_KEYS: a JWK set of Ed25519 keys with different `kid`s. The first private key signs; all keys
 * verify, including those without a private part.
 * @throws Error saying which key is wrong and how, without showing it
 */
export async function readSessionKeys(json: string): Promise<SessionKeys> {
  const jwks = parseJwks(json);
  if (new Set(jwks.map(({ kid }) => kid)).size < jwks.length) {
    throw new Error('SESSION_KEYS holds two keys with the same kid.');
  }
  const keys = await Promise.all(jwks.map(importKey));
  const signing = keys.find((key): key is SigningKey => key.privateKey !== undefined);
  if (!signing) throw new Error('SESSION_KEYS holds no private key to sign with.');
  return new SessionKeys(keys, signing);
}

function parseJwks(json: string): SessionJwk[] {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    // The parser's own message would quote the secret.
    throw new Error('SESSION_KEYS is not JSON.');
  }
  const result = SessionJwks.safeParse(value);
  if (result.success) return result.data.keys;
  const problems = result.error.issues.map(
    ({ path, message }) => `${['SESSION_KEYS', ...path].join('.')} ${message}.`,
  );
  throw new Error(problems.join(' '));
}

async function importKey(jwk: SessionJwk, index: number): Promise<ImportedKey> {
  const { kty, crv, x, d } = jwk;
  const publicKey = await importJWK({ kty, crv, x }, ALGORITHM);
  if (d === undefined) return { jwk, publicKey };
  try {
    const key = { jwk, publicKey, privateKey: await importJWK({ kty, crv, x, d }, ALGORITHM) };
    // Some runtimes accept two parts that don't match; a signature shows it.
    await compactVerify(await sign('probe', '{}', key), publicKey);
    return key;
  } catch {
    throw new Error(`SESSION_KEYS.keys.${index}.x is not the public part of d.`);
  }
}

const sign = (type: string, payload: string, { jwk, privateKey }: SigningKey) =>
  new CompactSign(new TextEncoder().encode(payload))
    .setProtectedHeader(headerOf(type, jwk))
    .sign(privateKey);

/** A new private key for SESSION_KEYS; its `kid` is its thumbprint (RFC 7638). */
export async function generateSessionKey(): Promise<SessionJwk> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  return SessionJwk.parse({ ...jwk, kid, alg: ALGORITHM, use: 'sig' });
}

/** The public parts of all keys, as /.well-known/jwks.json shows them. */
export const publicJwks = ({ all }: SessionKeys) => ({
  keys: all.map(({ jwk: { kty, crv, x, kid } }) => {
    return { kty, crv, x, kid, alg: ALGORITHM, use: 'sig' };
  }),
});

const second = z.int().min(0).max(LAST_SECOND);

/** The claims every token carries; times are whole seconds since 1970, UTC. */
export const TokenClaims = z.strictObject({
  iss: z.string(),
  aud: z.string(),
  iat: second,
  nbf: second,
  exp: second,
});
export type TokenClaims = z.output<typeof TokenClaims>;

const UserId = z
  .string()
  .regex(/^[1-9]\d{0,15}$/)
  .refine((text) => Number.isSafeInteger(Number(text)));

const ProviderUserId = textUpTo(255).min(1);

export const SessionClaims = TokenClaims.extend({
  /** The user that the session is for. */
  sub: UserId,
  sid: z.uuid(),
  jti: z.uuid(),
  /** The system that the session was issued for, and the user's id there. */
  provider: textUpTo(100).min(1),
  provider_user_id: ProviderUserId,
  /** True if the user was an administrator when the token was issued. */
  admin: z.boolean(),
  /**
   * Set while switched: the administrator who acts as `sub`, and the parts of the administrator's own session that are
   * needed to return to it. `sub` is no administrator.
   */
  act: z
    .strictObject({
      sub: UserId,
      sid: z.uuid(),
      iat: second,
      exp: second,
      provider_user_id: ProviderUserId,
    })
    .optional(),
}).refine(
  ({ act, admin, iat, exp }) =>
    !act || (!admin && exp - iat <= MAX_SWITCHED_SECONDS && exp <= act.exp),
);
export type SessionClaims = z.output<typeof SessionClaims>;

/** The expected issuer and audience, and the time at which the token must be valid. */
export interface Expectation {
  readonly issuer: string;
  readonly audience: string;
  readonly now: Date;
}

/**
 * Signs a token. The type in its header (`typ`) keeps it from being accepted as another type.
 * @throws Error if it would be too long to be accepted
 */
export async function signToken(
  type: string,
  claims: TokenClaims,
  keys: SessionKeys,
): Promise<string> {
  const token = await sign(type, JSON.stringify(claims), keys.signing);
  if (token.length > MAX_TOKEN_LENGTH) throw new Error('The token would be too long.');
  return token;
}

/**
 * Returns the claims of a token of this type; null if the token is not exactly as the service writes it, or is not
 * valid at that time. Never throws.
 */
export async function verifyToken<C extends TokenClaims>(
  type: string,
  token: string,
  keys: SessionKeys,
  { claims, ...expectation }: Expectation & { readonly claims: z.ZodType<C> },
): Promise<C | null> {
  if (token.length > MAX_TOKEN_LENGTH) return null;
  const [header = '', payload = '', signature = ''] = token.split('.');
  const key = keys.verifying(type, header);
  const bytes = decodeBase64url(payload);
  if (!key || !bytes || !decodeBase64url(signature)) return null;
  try {
    await compactVerify(token, key);
    const result = claims.safeParse(parseCanonicalJson(bytes));
    return result.success && isAsExpected(result.data, expectation) ? result.data : null;
  } catch {
    return null;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @throws Error unless the bytes are exactly what `JSON.stringify` writes: no repeated member, no blanks */
function parseCanonicalJson(bytes: Uint8Array): unknown {
  const text = utf8.decode(bytes);
  const value: unknown = JSON.parse(text);
  if (JSON.stringify(value) !== text) throw new SyntaxError('not canonical JSON');
  return value;
}

function isAsExpected(claims: TokenClaims, { issuer, audience, now }: Expectation): boolean {
  const seconds = now.getTime() / 1000;
  return (
    claims.iss === issuer &&
    claims.aud === audience &&
    claims.exp > seconds - CLOCK_TOLERANCE_SECONDS &&
    claims.nbf <= seconds + CLOCK_TOLERANCE_SECONDS &&
    claims.iat <= seconds + MAX_ISSUED_AHEAD_SECONDS
  );
}

/** @throws Error for claims that would not be accepted back */
export const signSession = async (claims: SessionClaims, keys: SessionKeys): Promise<string> =>
  signToken(SESSION_TYPE, SessionClaims.parse(claims), keys);

export const verifySession = (
  token: string,
  keys: SessionKeys,
  expectation: Expectation,
): Promise<SessionClaims | null> =>
  verifyToken(SESSION_TYPE, token, keys, { ...expectation, claims: SessionClaims });
