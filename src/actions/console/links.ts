import type { Authority } from '../../kernel/auth/principals.ts';
import {
  type SecretToken,
  derivedCode,
  derivedToken,
  hashToken,
  parseToken,
} from '../../kernel/auth/secret-token.ts';

/** Returns the key to the record of a link; undefined for a text that can't be one. */
export const hashedLink = (link: string, authority: Authority) =>
  hashed(parseToken('svclink', link), authority);

/** Returns the key to the record of a secret; undefined for a malformed secret. */
export async function hashed(secret: SecretToken | null, { peppers }: Authority) {
  if (!secret) return undefined;
  const hashes = (await hashToken(secret.token, peppers)).map(({ hash }) => hash);
  return { prefix: secret.prefix, hashes };
}

/** Returns the stored part of the link in a mail with this key. */
export async function linkOf(key: string, { peppers }: Pick<Authority, 'peppers'>) {
  const { token, prefix } = await derivedToken('svclink', key, peppers);
  const [kept] = await hashToken(token, peppers);
  if (!kept) throw new Error('There is a pepper.');
  return { prefix, ...kept };
}

/** Returns the stored part of the code in a mail with this key, for the session of a cookie. */
export async function codeOf(key: string, cookie: string, { peppers }: Pick<Authority, 'peppers'>) {
  const code = await derivedCode(key, peppers);
  const [hash = ''] = await hashesOfCode(code, cookie, { peppers });
  return hash;
}

/** Hashes under which a code may be stored. */
export const hashesOfCode = async (
  code: string,
  cookie: string,
  { peppers }: Pick<Authority, 'peppers'>,
) => (await hashToken(codeText(cookie, code), peppers)).map(({ hash }) => hash);

const codeText = (cookie: string, code: string) => `code ${cookie} ${code}`;
