import { addSeconds } from '../../lib/instant.ts';
import type { Gateway } from '../../providers/payments/gateway.ts';
import type { OrderColumns } from '../../schema/orders.ts';
import type { SessionRow } from '../../schema/payments.ts';
import { currentSession } from './sessions.ts';

/** Seconds for which a known state is current, and an opening is in progress. */
const fresh = 10;

export type PageStep =
  | { readonly kind: 'show'; readonly session: SessionRow }
  /** A page is open, but its payment may have changed since the last look-up. */
  | { readonly kind: 'ask'; readonly session: SessionRow }
  /** Another request is opening the page. */
  | { readonly kind: 'wait' }
  /** An earlier request may have opened the page. The provider answers a repeat like the first request. */
  | { readonly kind: 'repeat'; readonly session: SessionRow }
  | { readonly kind: 'open' };

/** @param asked true if the provider was just asked */
export function nextStep(
  sessions: readonly SessionRow[],
  order: OrderColumns,
  { replays }: Gateway,
  asked: boolean,
  now: Date,
): PageStep {
  const session = currentSession(sessions, order, now);
  if (!session) return { kind: 'open' };
  const isFresh = addSeconds(session.updated_at, fresh) > now.toISOString();
  if (session.status === 'opening') {
    if (isFresh && session.checked_at === null) return { kind: 'wait' };
    return replays ? { kind: 'repeat', session } : { kind: 'open' };
  }
  return isFresh || asked ? { kind: 'show', session } : { kind: 'ask', session };
}
