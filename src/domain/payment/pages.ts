import { addSeconds } from '../../lib/instant.ts';
import type { Gateway } from '../../providers/payments/gateway.ts';
import type { OrderColumns } from '../../schema/orders.ts';
import type { SessionRow } from '../../schema/payments.ts';
import { currentSession } from './sessions.ts';

/** Seconds for which the known state of a payment counts as current, and an opening as under way. */
const fresh = 10;

/** The next step towards a page for the buyer to pay on. */
export type PageStep =
  /** It is there. */
  | { readonly kind: 'show'; readonly session: SessionRow }
  /** Something may have happened on it since its provider was last asked. */
  | { readonly kind: 'ask'; readonly session: SessionRow }
  /** Another request is opening it. */
  | { readonly kind: 'wait' }
  /** Nobody knows whether it was opened: the provider answers a repeat as it did the first time. */
  | { readonly kind: 'repeat'; readonly session: SessionRow }
  | { readonly kind: 'open' };

/** The next step on the way to a page. @param asked whether the provider was just asked */
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
