import type { Authority } from '../../kernel/auth/principals.ts';
import { hashToken } from '../../kernel/auth/secret-token.ts';

/** A daily HMAC of a visitor's address and browser: it identifies nobody on another day. */
export async function visitorOf(
  { address, userAgent, day }: { address: string; userAgent: string; day: string },
  { peppers }: Pick<Authority, 'peppers'>,
): Promise<string> {
  const [current] = await hashToken(`visitor ${day} ${address} ${userAgent}`, peppers);
  return current?.hash ?? '';
}
