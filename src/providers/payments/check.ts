import type { Outbound } from '../../kernel/events/outbound.ts';
import { addSeconds } from '../../lib/instant.ts';
import { ProviderError } from '../http.ts';
import type { Gateway } from './gateway.ts';

/**
 * Asks a provider about a payment that it never opened: that it knows no such payment says that it took the credentials.
 * @returns the code of what is wrong, or null
 */
export async function problemAt(
  gateway: Gateway,
  currency: string,
  http: Outbound,
  now: Date,
): Promise<string | null> {
  const name = `check-${crypto.randomUUID().replaceAll('-', '')}`;
  const attempt = {
    reference: name,
    provider_id: name,
    payment_ref: null,
    amount: 1,
    currency,
    expires_at: addSeconds(now.toISOString(), 600),
    wanted: false,
  };
  try {
    await gateway.look(attempt, http, now);
    return null;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    // One without a code of its own isn't about the payment: it is another address, or no account of theirs.
    return error.kind === 'permanent' && error.code !== '404' ? null : error.code;
  }
}
