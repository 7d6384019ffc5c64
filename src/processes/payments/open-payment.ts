import { type Refusal, refuse } from '../../kernel/errors/errors.ts';
import type { Outbound } from '../../kernel/events/outbound.ts';
import { changed, failedSession, openedSession } from '../../domain/payment/sessions.ts';
import { ProviderError } from '../../providers/http.ts';
import type { Gateway, NewPayment } from '../../providers/payments/gateway.ts';
import type { SessionRow } from '../../schema/payments.ts';

interface OpeningResult {
  readonly session: SessionRow;
  /** Why there is no page. */
  readonly refusal?: Refusal<'payment_refused' | 'gateway_unavailable'>;
}

/** The next try may open a page. */
export const unavailable = refuse('gateway_unavailable', { retryAfter: 5 });

/** The caller must record the outcome, whatever it is. */
export async function openAtProvider(
  session: SessionRow,
  payment: NewPayment,
  gateway: Gateway,
  http: Outbound,
  now: Date,
): Promise<OpeningResult> {
  try {
    return { session: openedSession(session, await gateway.open(payment, http, now), now) };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const { kind, code } = error;
    if (kind === 'unknown' && gateway.replays) {
      const doubtful = { ...changed(session, now), checked_at: now.toISOString() };
      return { session: doubtful, refusal: unavailable };
    }
    // Only a first request is refused for good. A repeat may be refused because it differs, for example if the buyer's
    // name has changed.
    const isRefused = kind === 'permanent' && session.checked_at === null;
    const refusal = isRefused ? refuse('payment_refused', { data: { reason: code } }) : unavailable;
    return { session: failedSession(session, now), refusal };
  }
}
