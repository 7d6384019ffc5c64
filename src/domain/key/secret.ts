import { type Peppers, generateToken, hashToken } from '../../kernel/auth/secret-token.ts';

/** The lookup prefix of a secret, and the HMAC of the whole. */
export interface StoredSecret {
  readonly prefix: string;
  readonly hash: string;
  readonly pepper_version: number;
}

/** The token is shown once. */
export async function newSecret(peppers: Peppers): Promise<{ token: string; kept: StoredSecret }> {
  const { token, prefix } = generateToken('svcapi');
  const [{ hash, version } = { hash: '', version: 0 }] = await hashToken(token, peppers);
  return { token, kept: { prefix, hash, pepper_version: version } };
}
