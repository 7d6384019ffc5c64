import type { StoreAccess } from '../../kernel/command/store.ts';
import type { Outbound } from '../../kernel/events/outbound.ts';
import { attemptOf, isReversed, withoutNamed } from '../../domain/payment/sessions.ts';
import {
  type Report,
  isDoubtful,
  reportOf,
  reportedSession,
} from '../../domain/payment/settlement.ts';
import { tellOperator } from '../../kernel/errors/tell.ts';
import { ProviderError } from '../../providers/http.ts';
import type { Gateway } from '../../providers/payments/gateway.ts';
import { checkSoon, noteSession } from '../../queries/payment-sessions.ts';
import { type Settlement, loadSettlement } from '../../reactions/loaded-settlement.ts';
import { planSettlement } from '../../reactions/settlement.ts';
import type { SessionRow } from '../../schema/payments.ts';
import type { SettingsRow } from '../../schema/platform.ts';
import { settle } from './settle.ts';

interface ProviderQuestion {
  readonly session: SessionRow;
  readonly gateway: Gateway;
  readonly settings: SettingsRow;
  readonly http: Outbound;
  /** An unproven id of the money, from a callback. */
  readonly named?: string;
}

/**
 * Looks a payment up at its provider, then pays the order, records unexpected money or books refunds.
 * @throws ProviderError if the provider doesn't answer
 */
export async function askProvider(
  { session, gateway, settings, http, named: latest }: ProviderQuestion,
  store: StoreAccess,
): Promise<void> {
  const named = [latest, session.named_ref].filter((id) => id !== undefined && id !== null);
  const attempt = { ...attemptOf(session, gateway, settings), named_refs: named };
  if (session.superseded_at !== null && (session.status !== 'paid' || isReversed(session))) {
    // Goes on if the payment can't be closed: money may have come.
    await gateway.cancel?.(attempt, http, store.now).catch(unlessOfProvider);
  }
  const report = await gateway
    .look(attempt, http, store.now)
    .then((payment) => believed(session, reportOf(payment, gateway, settings)))
    .catch((error: unknown) => unlessUnread(session, error));
  if (!isNews(session, report)) {
    const after = withoutNamed(reportedSession(session, report, store.now), named);
    await write(store, [noteSession(session, after)]);
    return;
  }
  const book = async (refused: boolean) => {
    const refusal = await store.change({
      load: loadSettlement(session.id),
      decide: (loaded) =>
        planSettlement(loaded, report, { asked: session, named, refused, now: store.now }),
    });
    return refusal?.refused;
  };
  const about = { job: 'payments', session_id: session.id, gateway: session.gateway };
  if (!(await settle(book, about))) await write(store, [checkSoon(session.id, store.now)]);
}

/** @throws ProviderError if the provider doesn't know recorded money: its keys may be those of another account */
function believed(session: SessionRow, report: Report): Report {
  if (isDoubtful(session, report)) throw new ProviderError('unknown', 'payment_not_found');
  return report;
}

export const write = (store: StoreAccess, rows: Settlement['write']) =>
  store.change({ load: {}, decide: () => ({ write: rows }) });

/** @throws errors that aren't the provider's */
export function unlessOfProvider(error: unknown): void {
  if (!(error instanceof ProviderError)) throw error;
}

/**
 * Reports an unreadable answer to the operator, because it may be about money.
 * @throws the parser's error
 */
function unlessUnread({ id, gateway }: SessionRow, error: unknown): never {
  if (error instanceof ProviderError && error.isUnread) {
    tellOperator({ job: 'payments', session_id: id, gateway, error: error.code });
  }
  throw error;
}

/** False if the payment is merely still open. */
const isNews = (
  { status, paid_amount }: SessionRow,
  { state, dispute, refunded }: Report,
): boolean =>
  status === 'paid' ||
  paid_amount !== null ||
  state === 'paid' ||
  dispute !== 'none' ||
  refunded > 0;
