import type { CryptoKey } from 'jose';
import { base62Of, encodeBase62, randomBase62 } from '../../lib/base62.ts';
import { decodeBase64url, encodeBase64url, encodeHex } from '../../lib/bytes.ts';
import { crc32 } from '../../lib/crc32.ts';

/** A secret in plain text. Its prefix is public and identifies the record. */
export interface SecretToken {
  readonly prefix: string;
  readonly token: string;
}

/** Prefixes that name the kind of a secret: API keys, console links and sessions, account links and sessions. */
type Kind = 'svcapi' | 'svclink' | 'svcses' | 'svcenter' | 'svcacc';

/** A secret that stored hashes depend on, so a copy of the database alone lets nobody in. */
export interface Pepper {
  readonly version: number;
  readonly key: CryptoKey;
}

/** The current pepper, and the one before it while keys hashed with it are in use. */
export type Peppers = readonly [Pepper, ...Pepper[]];

const PREFIX_LENGTH = 12;
const SECRET_LENGTH = 43;
/** Digits of 2³² − 1 in base62. */
const CHECK_LENGTH = 6;
const SHAPE = /^([a-z]+)_([0-9A-Za-z]{12})_[0-9A-Za-z]{49}$/;

const PEPPER_BYTES = 32;
const MAX_PEPPERS = 2;
/** The largest value of a PostgreSQL integer. */
const MAX_VERSION = 2 ** 31 - 1;

const checkOf = (body: string) => encodeBase62(crc32(body), CHECK_LENGTH);

/** Returns a new random secret, `<kind>_<prefix>_<secret>`. Its end is a checksum of the rest. */
export const generateToken = (kind: Kind): SecretToken =>
  tokenOf(kind, randomBase62(PREFIX_LENGTH + SECRET_LENGTH));

function tokenOf(kind: Kind, characters: string): SecretToken {
  const prefix = characters.slice(0, PREFIX_LENGTH);
  const body = `${kind}_${prefix}_${characters.slice(PREFIX_LENGTH)}`;
  return { prefix, token: body + checkOf(body) };
}

/** Derives a secret from a seed and the pepper. It is never stored: every repeat of a message derives it again. */
export async function derivedToken(
  kind: Kind,
  seed: string,
  [pepper]: Peppers,
): Promise<SecretToken> {
  const halves = [
    await bytesOf(`${kind} ${seed} 1`, pepper),
    await bytesOf(`${kind} ${seed} 2`, pepper),
  ];
  return tokenOf(
    kind,
    halves
      .map(base62Of)
      .join('')
      .slice(0, PREFIX_LENGTH + SECRET_LENGTH),
  );
}

/** Derives six digits from a seed. */
export async function derivedCode(seed: string, [pepper]: Peppers): Promise<string> {
  const bytes = await bytesOf(`code ${seed}`, pepper);
  return String(new DataView(bytes.buffer).getUint32(0) % 1_000_000).padStart(6, '0');
}

const bytesOf = async (text: string, { key }: Pepper) =>
  new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text)));

/**
 * Parses a secret of a kind. Null for a wrong shape or checksum: mistyped and invented secrets are refused without a
 * trip. Never throws, and takes the same time for a text of any length.
 */
export function parseToken(kind: Kind, text: string): SecretToken | null {
  const bodyLength = `${kind}_`.length + PREFIX_LENGTH + '_'.length + SECRET_LENGTH;
  // The regular expression would read all of a long text.
  if (text.length !== bodyLength + CHECK_LENGTH) return null;
  const [, said, prefix] = SHAPE.exec(text) ?? [];
  if (said !== kind || prefix === undefined) return null;
  const genuine = text.slice(bodyLength) === checkOf(text.slice(0, bodyLength));
  return genuine ? { prefix, token: text } : null;
}

/**
 * Reads the secret API_KEY_PEPPERS: one or two of `<version>:<base64url of at least 32 bytes>`, separated by commas or
 * blanks, the current one first.
 * @throws Error saying which pepper is wrong and how, without showing it
 */
export async function readPeppers(text: string): Promise<Peppers> {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  if (parts.length > MAX_PEPPERS) {
    throw new Error(`API_KEY_PEPPERS holds ${parts.length} peppers; two at most.`);
  }
  const [current, ...others] = await Promise.all(parts.map(readPepper));
  if (!current) throw new Error('API_KEY_PEPPERS is empty.');
  if (others.some(({ version }) => version === current.version)) {
    throw new Error(`API_KEY_PEPPERS holds version ${current.version} twice.`);
  }
  return [current, ...others];
}

async function readPepper(part: string, index: number): Promise<Pepper> {
  const refuse = (reason: string) =>
    new Error(`API_KEY_PEPPERS: pepper ${index + 1} ${reason}; write <version>:<base64url>.`);
  const [, digits, encoded] = /^([1-9]\d{0,9}):(.*)$/.exec(part) ?? [];
  const version = Number(digits);
  if (encoded === undefined || version > MAX_VERSION) throw refuse('has no valid version');
  const bytes = decodeBase64url(encoded);
  if (!bytes) throw refuse('is not base64url without padding');
  if (bytes.length < PEPPER_BYTES) throw refuse(`has fewer than ${PEPPER_BYTES} bytes`);
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return { version, key: await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign']) };
}

/** Returns a new random pepper in the form of API_KEY_PEPPERS. */
export function generatePepper(version: number): string {
  return `${version}:${encodeBase64url(crypto.getRandomValues(new Uint8Array(PEPPER_BYTES)))}`;
}

/**
 * Returns the HMAC-SHA-256 of a whole secret under each pepper, in hexadecimal, the current pepper's first. The first
 * is stored; all are searched for.
 */
export function hashToken(
  token: string,
  peppers: Peppers,
): Promise<{ version: number; hash: string }[]> {
  const bytes = new TextEncoder().encode(token);
  return Promise.all(
    peppers.map(async ({ version, key }) => ({
      version,
      hash: encodeHex(new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes))),
    })),
  );
}
