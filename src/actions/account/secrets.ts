import type { Authority } from '../../kernel/auth/principals.ts';
import { generateToken, hashToken, parseToken } from '../../kernel/auth/secret-token.ts';
import type { HashedSecret } from '../../queries/accounts.ts';

/** The sign-in link, and the session that it opens. */
type AccountSecret = 'svcenter' | 'svcacc';

/** Returns the secret and its stored part. */
export async function newSecret(kind: AccountSecret, { peppers }: Authority) {
  const { token, prefix } = generateToken(kind);
  const [kept] = await hashToken(token, peppers);
  return { token, kept: { prefix, hash: kept?.hash ?? '' } };
}

/** The lookup key of a secret; undefined if malformed. */
export async function hashedSecret(
  kind: AccountSecret,
  text: string,
  { peppers }: Authority,
): Promise<HashedSecret | undefined> {
  const secret = parseToken(kind, text);
  if (!secret) return undefined;
  const hashes = (await hashToken(secret.token, peppers)).map(({ hash }) => hash);
  return { prefix: secret.prefix, hashes };
}
