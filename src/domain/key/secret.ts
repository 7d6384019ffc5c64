import { type Peppers, generateToken, hashToken } from '../../kernel/auth/secret-token.ts';

/** A stored secret: the part that finds it, and an HMAC of the whole. */
export interface StoredSecret {
  readonly prefix: string;
  readonly hash: string;
  readonly pepper_version: number;
}

/** Makes a new secret of an API key: the token, which is shown once, and its stored form. */
export async function newSecret(peppers: Peppers): Promise<{ token: string; kept: StoredSecret }> {
  const { token, prefix } = generateToken('svcapi');
  const [{ hash, version } = { hash: '', version: 0 }] = await hashToken(token, peppers);
  return { token, kept: { prefix, hash, pepper_version: version } };
}
