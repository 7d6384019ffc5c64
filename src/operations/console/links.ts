import type { Authority } from '../../kernel/auth/principals.ts';
import { hashToken, parseToken } from '../../kernel/auth/secret-token.ts';

/** What finds the record of a link; undefined for what can't be one. */
export async function hashedLink(link: string, { peppers }: Authority) {
  const parsed = parseToken('svclink', link);
  if (!parsed) return undefined;
  const hashes = (await hashToken(parsed.token, peppers)).map(({ hash }) => hash);
  return { prefix: parsed.prefix, hashes };
}
