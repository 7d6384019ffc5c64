import { decodeJwt } from 'jose';
import * as z from 'zod';
import type { Authority } from '../../kernel/auth/principals.ts';
import { TokenClaims, signToken, verifyToken } from '../../kernel/auth/session-token.ts';
import { CartInput } from './schemas.ts';

/** Seconds for which a quote is honoured. */
export const quoteLifetime = 900;

const quoteType = 'svc-quote+jwt';

const QuoteClaims = TokenClaims.extend({
  cart: CartInput,
  grand_total: z.int(),
  /** A digest of what the checkout said. The API's quotes have none, nor those of a page from before an upgrade. */
  terms: z.string().optional(),
});
export type QuoteClaims = z.output<typeof QuoteClaims>;

export function signQuote(
  offer: Pick<QuoteClaims, 'cart' | 'grand_total' | 'terms'>,
  { issuer, audience, sessionKeys }: Authority,
  now: Date,
): Promise<string> {
  const iat = Math.floor(now.getTime() / 1000);
  const times = { iat, nbf: iat, exp: iat + quoteLifetime };
  const claims: QuoteClaims = { iss: issuer, aud: audience, ...times, ...offer };
  return signToken(quoteType, claims, sessionKeys);
}

/** Returns null for a token that isn't ours. */
export async function readQuote(
  token: string,
  authority: Authority,
  now: Date,
): Promise<QuoteClaims | 'expired' | null> {
  const { issuer, audience, sessionKeys } = authority;
  const expected = { issuer, audience, claims: QuoteClaims };
  const current = await verifyToken(quoteType, token, sessionKeys, { ...expected, now });
  if (current) return current;
  // The token was valid before it expired.
  return (await readSeenQuote(token, authority)) ? 'expired' : null;
}

/** Reads our own quote, also an expired one: the price that the buyer saw. */
export async function readSeenQuote(
  token: string,
  { issuer, audience, sessionKeys }: Authority,
): Promise<QuoteClaims | null> {
  const now = new Date(issuedAt(token) * 1000);
  const expected = { issuer, audience, claims: QuoteClaims, now };
  return verifyToken(quoteType, token, sessionKeys, expected);
}

function issuedAt(token: string): number {
  try {
    return decodeJwt(token).iat ?? 0;
  } catch {
    return 0;
  }
}
