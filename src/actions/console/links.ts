import type { Authority } from '../../kernel/auth/principals.ts';
import { type SecretToken, hashToken, parseToken } from '../../kernel/auth/secret-token.ts';

/** Returns the key to the record of a link; undefined for a text that can't be one. */
export const hashedLink = (link: string, authority: Authority) =>
  hashed(parseToken('svclink', link), authority);

/** Returns the key to the record of a secret; undefined where there is none. */
export async function hashed(secret: SecretToken | null, { peppers }: Authority) {
  if (!secret) return undefined;
  const hashes = (await hashToken(secret.token, peppers)).map(({ hash }) => hash);
  return { prefix: secret.prefix, hashes };
}
