import type { Authority } from '../../kernel/auth/principals.ts';
import {
  type SecretToken,
  derivedCode,
  derivedToken,
  hashToken,
  parseToken,
} from '../../kernel/auth/secret-token.ts';

/** The lookup key of a link; undefined if malformed. */
export const hashedLink = (link: string, authority: Authority) =>
  hashed(parseToken('svclink', link), authority);

/** The lookup key of a secret; undefined if malformed. */
export async function hashed(secret: SecretToken | null, { peppers }: Authority) {
  if (!secret) return undefined;
  const hashes = (await hashToken(secret.token, peppers)).map(({ hash }) => hash);
  return { prefix: secret.prefix, hashes };
}

/** The stored part of a mailed link. */
export async function linkOf(key: string, { peppers }: Pick<Authority, 'peppers'>) {
  const { token, prefix } = await derivedToken('svclink', key, peppers);
  const [kept] = await hashToken(token, peppers);
  if (!kept) throw new Error('There is a pepper.');
  return { prefix, ...kept };
}

/** The stored part of a mailed code, for the session of a cookie. */
export async function codeOf(key: string, cookie: string, { peppers }: Pick<Authority, 'peppers'>) {
  const code = await derivedCode(key, peppers);
  const [hash = ''] = await hashesOfCode(code, cookie, { peppers });
  return hash;
}

export const hashesOfCode = async (
  code: string,
  cookie: string,
  { peppers }: Pick<Authority, 'peppers'>,
) => (await hashToken(codeText(cookie, code), peppers)).map(({ hash }) => hash);

const codeText = (cookie: string, code: string) => `code ${cookie} ${code}`;
