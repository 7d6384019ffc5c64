import type { StoreAccess } from '../../kernel/command/store.ts';
import type { Outbound } from '../../kernel/events/outbound.ts';
import { attemptOf } from '../../domain/payment/sessions.ts';
import { type Report, reportOf, reportedSession } from '../../domain/payment/settlement.ts';
import { tellOperator } from '../../kernel/errors/tell.ts';
import { ProviderError } from '../../providers/http.ts';
import type { Gateway } from '../../providers/payments/gateway.ts';
import { checkSoon, noteSession } from '../../queries/payment-sessions.ts';
import { type Settlement, loadSettlement, planSettlement } from '../../reactions/settlement.ts';
import type { SessionRow } from '../../schema/payments.ts';
import type { SettingsRow } from '../../schema/platform.ts';

/** A payment to ask about, and the way to its provider. */
interface ProviderQuestion {
  readonly session: SessionRow;
  readonly gateway: Gateway;
  readonly settings: SettingsRow;
  readonly http: Outbound;
  /** The reference of its money as a callback says it, which nothing proves. */
  readonly said?: string | undefined;
}

/**
 * Asks a provider what became of a payment, and does what follows: pays the order, keeps what came
 * unexpectedly, books what was given back.
 * @throws ProviderError where the provider doesn't tell
 */
export async function askProvider(
  { session, gateway, settings, http, said }: ProviderQuestion,
  store: StoreAccess,
): Promise<void> {
  const payment_ref = session.payment_ref ?? said ?? null;
  const attempt = attemptOf({ ...session, payment_ref }, gateway, settings);
  if (session.superseded_at !== null && session.status !== 'paid') {
    // Goes on even if the payment can't be closed: money may have come.
    await gateway.cancel?.(attempt, http, store.now).catch(unlessOfProvider);
  }
  const payment = await gateway
    .look(attempt, http, store.now)
    .catch((error: unknown) => unlessUnread(session, error));
  const report = reportOf(payment, gateway, settings);
  if (!isNews(session, report)) {
    await write(store, [noteSession(session, reportedSession(session, report, store.now))]);
    return;
  }
  const settle = async (refused: boolean): Promise<void> => {
    const refusal = await store.change({
      load: loadSettlement(session.id),
      decide: (loaded) => planSettlement(loaded, report, store.now, refused),
    });
    if (refusal === undefined) return;
    // An order that can't be paid now, whatever the reason, doesn't make the money go away.
    if (refusal.refused !== 'rest_conflict' && !refused) await settle(true);
    else await write(store, [checkSoon(session.id, store.now)]);
  };
  await settle(false);
}

/** Writes what needs no decision. */
export const write = (store: StoreAccess, rows: Settlement['write']) =>
  store.change({ load: {}, decide: () => ({ write: rows }) });

/** @throws what isn't a provider's trouble */
export function unlessOfProvider(error: unknown): void {
  if (!(error instanceof ProviderError)) throw error;
}

/**
 * Tells the operator of an answer that could not be read: nobody hears otherwise of money that it may be about.
 * @throws the error that it was read with
 */
function unlessUnread({ id, gateway }: SessionRow, error: unknown): never {
  if (error instanceof ProviderError && error.isUnread) {
    tellOperator({ job: 'payments', session_id: id, gateway, error: error.code });
  }
  throw error;
}

/** True if a report says more than that the payment is still open. */
const isNews = (
  { status, paid_amount }: SessionRow,
  { state, dispute, refunded }: Report,
): boolean =>
  status === 'paid' ||
  paid_amount !== null ||
  state === 'paid' ||
  dispute !== 'none' ||
  refunded > 0;
