import { CompactSign, base64url, exportJWK, exportSPKI, importJWK } from 'jose';
import { generateToken } from '../../../src/kernel/auth/secret-token.ts';
import {
  type SessionClaims,
  type SessionKeys,
  publicJwks,
  signToken,
} from '../../../src/kernel/auth/session-token.ts';
import { type Forger, type Parts, forger, malleated, withStrayBits } from './forger.ts';

/** A token that must be refused, with the reason. */
export interface HostileToken {
  readonly name: string;
  readonly token: string;
}

type Tokens = Record<string, string | Promise<string>>;

/**
 * Tokens that an attacker could send: valid ones with one change. Where possible they are signed with the service's own
 * key, so that the signature is not the reason for the refusal. All are visible ASCII without blanks, so that a header
 * can carry them, except for its length.
 * @param claims of a valid session at the moment `now`
 */
export async function hostileTokens(options: {
  keys: SessionKeys;
  claims: SessionClaims;
  now: Date;
}): Promise<HostileToken[]> {
  const forge = await forger(options.keys, options.claims);
  const groups = [
    await algorithmTricks(forge),
    await keyTricks(forge),
    headerTricks(forge),
    payloadTricks(forge),
    encodingTricks(forge),
    subjects(forge),
    times(forge, Math.floor(options.now.getTime() / 1000)),
    otherClaims(forge),
    switches(forge),
    signatures(forge),
    shapes(forge),
  ];
  const tokens = groups.flatMap((group) => Object.entries(group));
  return Promise.all(tokens.map(async ([name, token]) => ({ name, token: await token })));
}

async function algorithmTricks({ good, keys, header }: Forger): Promise<Tokens> {
  const [goodHeader = '', payload = '', signature = ''] = good.parts;
  const [jwk] = publicJwks(keys).keys.filter(({ kid }) => kid === keys.signing.jwk.kid);
  if (!jwk) throw new Error('The signing key is not published.');
  const publicKey = await importJWK(jwk, 'EdDSA', { extractable: true });
  const unsigned = (alg: string) => base64url.encode(JSON.stringify({ ...good.header, alg }));
  const hmac = (secret: Uint8Array | string) =>
    new CompactSign(base64url.decode(payload))
      .setProtectedHeader({ ...good.header, alg: 'HS256' })
      .sign(typeof secret === 'string' ? new TextEncoder().encode(secret) : secret);
  return {
    'alg none, no signature': `${unsigned('none')}.${payload}.`,
    'alg none, two parts': `${unsigned('none')}.${payload}`,
    'alg none, the good signature': `${unsigned('none')}.${payload}.${signature}`,
    'alg NONE': `${unsigned('NONE')}.${payload}.`,
    'alg nOnE': `${unsigned('nOnE')}.${payload}.`,
    'alg empty': `${unsigned('')}.${payload}.`,
    'good header, no signature': `${goodHeader}.${payload}.`,
    'HMAC with the public key': hmac(base64url.decode(jwk.x)),
    'HMAC with the text of the public key': hmac(jwk.x),
    'HMAC with the PEM of the public key': hmac(await exportSPKI(publicKey)),
    'HMAC with the JWK of the public key': hmac(JSON.stringify(jwk)),
    'alg HS256 over an EdDSA signature': header({ alg: 'HS256' }),
    'alg ES256 over an EdDSA signature': header({ alg: 'ES256' }),
    'alg Ed25519, another name of the same': header({ alg: 'Ed25519' }),
    'alg in lower case': header({ alg: 'eddsa' }),
    'alg missing': header({ alg: undefined }),
    'alg a list': header({ alg: ['EdDSA'] }),
  };
}

async function keyTricks({ good, foreign, signedParts, header }: Forger): Promise<Tokens> {
  const [goodHeader = '', payload = ''] = good.parts;
  const jwk = await exportJWK(foreign.publicKey);
  const foreignHeader = (changes: Parts) =>
    signedParts(
      base64url.encode(JSON.stringify({ ...good.header, ...changes })),
      payload,
      foreign.privateKey,
    );
  return {
    'a foreign key under the good kid': signedParts(goodHeader, payload, foreign.privateKey),
    'a foreign key and kid': foreignHeader({ kid: 'foreign' }),
    'a foreign kid on the good key': header({ kid: 'foreign' }),
    'kid missing': header({ kid: undefined }),
    'kid empty': header({ kid: '' }),
    'kid a number': header({ kid: 0 }),
    'kid a path': header({ kid: '../../../../dev/null' }),
    'kid SQL': header({ kid: "x' UNION SELECT 'k" }),
    'kid __proto__': header({ kid: '__proto__' }),
    'jwk of a foreign key': foreignHeader({ jwk }),
    'jwk of a foreign key, no kid': foreignHeader({ jwk, kid: undefined }),
    'jwk beside a good signature': header({ jwk }),
    'jku of a foreign set': foreignHeader({ jku: 'https://attacker.example/jwks.json' }),
    'jku beside a good signature': header({ jku: 'https://attacker.example/jwks.json' }),
    'x5u of a foreign certificate': foreignHeader({ x5u: 'https://attacker.example/cert.pem' }),
    'x5u beside a good signature': header({ x5u: 'https://attacker.example/cert.pem' }),
    'x5c beside a good signature': header({ x5c: ['MIIB'] }),
  };
}

function headerTricks({ good, keys, claims, header, headerText }: Forger): Tokens {
  const text = JSON.stringify(good.header);
  return {
    'crit of an unknown member': header({ crit: ['x'], x: 1 }),
    'crit of exp': header({ crit: ['exp'], exp: claims.exp }),
    'crit empty': header({ crit: [] }),
    'crit b64': header({ crit: ['b64'], b64: true }),
    'b64 false': header({ b64: false }),
    zip: header({ zip: 'DEF' }),
    'cty JWT': header({ cty: 'JWT' }),
    'alg twice': headerText(text.replace('{', '{"alg":"none",')),
    'kid twice': headerText(text.replace('{', '{"kid":"foreign",')),
    'typ twice': headerText(text.replace('}', `,"typ":"${String(good.header['typ'])}"}`)),
    'typ JWT': header({ typ: 'JWT' }),
    'typ in capitals': header({ typ: String(good.header['typ']).toUpperCase() }),
    'typ missing': header({ typ: undefined }),
    'typ of a quote': signToken('svc-quote+jwt', claims, keys),
    'typ of no type': signToken('', claims, keys),
    'header members in another order': headerText(
      JSON.stringify(Object.fromEntries(Object.entries(good.header).toReversed())),
    ),
    'blanks in the header': headerText(JSON.stringify(good.header, null, 1)),
    'header with an escape': headerText(text.replace('EdDSA', String.raw`\u0045dDSA`)),
    'header a list': headerText(JSON.stringify([good.header])),
    'header null': headerText('null'),
    'header not JSON': headerText('EdDSA'),
  };
}

function payloadTricks({ good, payload }: Forger): Tokens {
  const text = JSON.stringify(good.claims);
  const named = new TextEncoder().encode(JSON.stringify({ ...good.claims, provider: '~' }));
  const twice = (member: string, value: unknown) =>
    payload(text.replace('{', `{"${member}":${JSON.stringify(value)},`));
  return {
    'sub twice, the other first': twice('sub', '1'),
    'sub twice, the other last': payload(text.replace(/\}$/, ',"sub":"1"}')),
    'sub twice, the same': twice('sub', good.claims['sub']),
    'sub twice, once escaped': payload(text.replace('{', String.raw`{"\u0073ub":"1",`)),
    'exp twice': twice('exp', 1),
    'admin twice': twice('admin', true),
    'blanks in the payload': payload(JSON.stringify(good.claims, null, 1)),
    'a line break after the payload': payload(`${text}\n`),
    'a byte order mark': payload(`\uFEFF${text}`),
    'not UTF-8': payload(named.map((byte) => (byte === 0x7e ? 0xff : byte))),
    'a NUL byte after the payload': payload(`${text}\0`),
    'two objects': payload(text + text),
    'half an object': payload(text.slice(0, -1)),
    'payload a list': payload(`[${text}]`),
    'payload a string': payload(JSON.stringify(text)),
    'payload null': payload('null'),
    'payload a number': payload('1'),
    'payload empty': payload(''),
    'payload an empty object': payload('{}'),
    'payload nested deeply': payload('['.repeat(1400) + ']'.repeat(1400)),
    'member __proto__': payload(text.replace('{', '{"__proto__":{"admin":true},')),
  };
}

function encodingTricks({ good, signedParts }: Forger): Tokens {
  const [header = '', payload = '', signature = ''] = good.parts;
  // A payload whose last character has unused bits.
  const provider_user_ids = ['a', 'aa', 'aaa'];
  const uneven = provider_user_ids
    .map((provider_user_id) =>
      base64url.encode(JSON.stringify({ ...good.claims, provider_user_id })),
    )
    .find((text) => text.length % 4 === 2);
  if (uneven === undefined) throw new Error('One of three lengths leaves two characters over.');
  return {
    'stray bits in the payload': signedParts(header, withStrayBits(uneven)),
    'stray bits in the signature': `${header}.${payload}.${withStrayBits(signature)}`,
    'padding after the header': signedParts(`${header}=`, payload),
    'padding after the payload': signedParts(header, `${uneven}==`),
    'padding after the signature': `${header}.${payload}.${signature}==`,
    'base64 in place of base64url': signedParts(
      header,
      btoa(JSON.stringify({ ...good.claims, provider: '>>>???' })),
    ),
    'a percent escape': `${header}.${payload}.%${signature.slice(1)}`,
    'a comma in the payload': signedParts(header, `${payload},`),
    'a signature in hexadecimal': `${header}.${payload}.${Array.from(
      base64url.decode(signature),
      (byte) => byte.toString(16).padStart(2, '0'),
    ).join('')}`,
  };
}

/** Spellings of user ids that are not canonical, out of range or no numbers. */
const spellings =
  '0 -1 +1 1.5 1.0 1e3 01 007 0x1 1n 1_0 1,2 1;2 1/2 [1] １ ١ NaN Infinity null true admin ' +
  '9007199254740992 9007199254740993 9223372036854775808 18446744073709551617';

function subjects({ claim }: Forger): Tokens {
  const texts = [...spellings.split(' '), '9'.repeat(400), '', ' 1', '1 ', '1\0', '1\n', "1' OR 1"];
  const values = [...texts, 0, -1, 1, 1.5, 1e3, 2 ** 53, null, true, ['1'], { id: '1' }, undefined];
  const named = (value: unknown) => `sub ${JSON.stringify(value) ?? 'missing'}`;
  return Object.fromEntries(values.map((sub) => [named(sub).slice(0, 40), claim({ sub })]));
}

function times({ good, claim, payload }: Forger, now: number): Tokens {
  const text = JSON.stringify(good.claims);
  const expWritten = (as: string) => payload(text.replace(/"exp":\d+/, `"exp":${as}`));
  return {
    expired: claim({ iat: now - 60, nbf: now - 60, exp: now - 5 }),
    'expired in 1970': claim({ iat: 0, nbf: 0, exp: 1 }),
    'exp text': claim({ exp: String(now + 600) }),
    'exp an instant': claim({ exp: new Date((now + 600) * 1000).toISOString() }),
    'exp missing': claim({ exp: undefined }),
    'exp null': claim({ exp: null }),
    'exp true': claim({ exp: true }),
    'exp a list': claim({ exp: [now + 600] }),
    'exp with a fraction': claim({ exp: now + 600.5 }),
    'exp written as 1.0': expWritten(`${now + 600}.0`),
    'exp written with an exponent': expWritten(`${now + 600}e0`),
    'exp infinite': expWritten('1e999'),
    'exp negative': claim({ exp: -1 }),
    'exp after the year 9999': claim({ exp: 253_402_300_800 }),
    'exp above 2^53': expWritten('9007199254740993'),
    'nbf in an hour': claim({ nbf: now + 3600, exp: now + 7200 }),
    'nbf text': claim({ nbf: String(now) }),
    'nbf missing': claim({ nbf: undefined }),
    'iat in an hour': claim({ iat: now + 3600, exp: now + 7200 }),
    'iat text': claim({ iat: String(now) }),
    'iat negative': claim({ iat: -1 }),
    'iat with a fraction': claim({ iat: now - 0.5 }),
    'iat missing': claim({ iat: undefined }),
  };
}

function otherClaims({ claims, claim }: Forger): Tokens {
  return {
    'iss of another service': claim({ iss: 'https://attacker.example' }),
    'iss with one more slash': claim({ iss: `${claims.iss}/` }),
    'iss a list': claim({ iss: [claims.iss] }),
    'iss missing': claim({ iss: undefined }),
    'aud of another service': claim({ aud: 'https://attacker.example' }),
    'aud a list': claim({ aud: [claims.aud] }),
    'aud in capitals': claim({ aud: claims.aud.toUpperCase() }),
    'aud missing': claim({ aud: undefined }),
    'sid no UUID': claim({ sid: '1' }),
    'sid missing': claim({ sid: undefined }),
    'sid null': claim({ sid: null }),
    'jti no UUID': claim({ jti: 'x' }),
    'jti missing': claim({ jti: undefined }),
    'provider missing': claim({ provider: undefined }),
    'provider empty': claim({ provider: '' }),
    'provider with NUL': claim({ provider: 'a\0b' }),
    'provider with half a character': claim({ provider: '\uD800' }),
    'provider_user_id a number': claim({ provider_user_id: 1 }),
    'provider_user_id too long': claim({ provider_user_id: 'a'.repeat(256) }),
    'admin text': claim({ admin: 'true' }),
    'admin a number': claim({ admin: 1 }),
    'admin missing': claim({ admin: undefined }),
    'a claim nobody writes': claim({ user_id: 1 }),
    'a scope claim': claim({ scope: 'orders:read' }),
  };
}

function switches({ claims: { iat }, claim }: Forger): Tokens {
  const own = { sub: '2', sid: crypto.randomUUID(), iat, exp: iat + 3600, provider_user_id: '2' };
  const switched = (act: unknown, changes: Parts = {}) =>
    claim({ admin: false, exp: iat + 600, act, ...changes });
  return {
    'act of user 0': switched({ ...own, sub: '0' }),
    'act of a number': switched({ ...own, sub: 2 }),
    'act of nobody': switched({}),
    'act null': switched(null),
    'act text': switched('2'),
    'act a list': switched([own]),
    'act nested': switched({ ...own, act: own }),
    'act with more members': switched({ ...own, admin: true }),
    'act without the session it is made from': switched({ sub: '2' }),
    'act of a session that is none': switched({ ...own, sid: '1' }),
    'act of a session that never ends': switched({ ...own, exp: undefined }),
    'act of a session older than time': switched({ ...own, iat: -1 }),
    'switched to an administrator': switched(own, { admin: true }),
    'switched for too long': switched(own, { exp: iat + 1801 }),
    'switched for longer than the own session': switched({ ...own, exp: iat + 599 }),
  };
}

function signatures({ good, signedParts, foreign }: Forger): Tokens {
  const [header = '', payload = '', signature = ''] = good.parts;
  const bytes = base64url.decode(signature);
  const signed = (signature: Uint8Array) => `${header}.${payload}.${base64url.encode(signature)}`;
  const other = base64url.encode(JSON.stringify({ ...good.claims, sub: '1', admin: true }));
  // The neutral point as R and 0 as S satisfy the equation for a key of small order.
  const neutral = Uint8Array.of(1, ...new Uint8Array(63));
  return {
    'signature of another payload': `${header}.${other}.${signature}`,
    'signature of another payload by another key': signedParts(header, other, foreign.privateKey),
    'signature of zeros': signed(new Uint8Array(64)),
    'signature of ones': signed(new Uint8Array(64).fill(255)),
    'signature of the neutral point': signed(neutral),
    'signature S + L, the same modulo the order': signed(malleated(bytes)),
    'signature one byte short': signed(bytes.slice(0, 63)),
    'signature one byte long': signed(Uint8Array.of(...bytes, 0)),
    'signature twice': signed(Uint8Array.of(...bytes, ...bytes)),
  };
}

function shapes({ good, claim }: Forger): Tokens {
  const [header = '', payload = '', signature = ''] = good.parts;
  const flattened = { protected: header, payload, signature };
  const long = (length: number) => claim({ provider: 'a'.repeat(length) });
  return {
    'the header only': header,
    'no signature': `${header}.${payload}`,
    'truncated by one character': good.token.slice(0, -1),
    'truncated by half': good.token.slice(0, good.token.length / 2),
    'without its first character': good.token.slice(1),
    'without header': `.${payload}.${signature}`,
    'without payload': `${header}..${signature}`,
    'a dot more at the end': `${good.token}.`,
    'a dot more at the start': `.${good.token}`,
    'four parts': `${good.token}.${signature}`,
    'five parts, like JWE': `${header}.${payload}.${signature}.${payload}.${signature}`,
    'dots only': '..',
    'JSON serialisation': JSON.stringify(flattened),
    'two tokens': `${good.token},${good.token}`,
    'a word': 'null',
    'an API key': generateToken('svcapi').token,
    'in capitals': good.token.toUpperCase(),
    'in quotes': `"${good.token}"`,
    'longer than 6 KiB': long(6144),
    '1 MB long': long(750_000),
    '1 MB of dots': '.'.repeat(1_000_000),
    '1 MB of one part': `${header}.${'A'.repeat(1_000_000)}.${signature}`,
  };
}
