import type { Outbound } from '../../kernel/events/outbound.ts';
import { addSeconds } from '../../lib/instant.ts';
import { ProviderError } from '../http.ts';
import type { Gateway } from './gateway.ts';

/**
 * Checks credentials with a look-up of an unknown payment: "no such payment" means that they were accepted.
 * @returns the code of the fault, or null
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
    // An answer without a code is not about the payment: the address is wrong, or the account is unknown.
    return error.kind === 'permanent' && error.code !== '404' ? null : error.code;
  }
}
