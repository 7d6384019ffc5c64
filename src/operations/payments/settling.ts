import type { Results } from '../../kernel/database/statements.ts';
import type { Outbound } from '../../kernel/events/outbound.ts';
import { attemptOf } from '../../domain/payment/sessions.ts';
import { type Report, reportOf, reportedSession } from '../../domain/payment/settlement.ts';
import type { Refusal } from '../../kernel/errors/errors.ts';
import { tellOperator } from '../../kernel/errors/tell.ts';
import { ProviderError } from '../../providers/http.ts';
import type { Gateway } from '../../providers/payments/gateway.ts';
import { checkSoon, noteSession } from '../../queries/payment-sessions.ts';
import {
  type Settlement,
  type loadSettlement,
  planSettlement,
} from '../../reactions/settlement.ts';
import type { SessionRow } from '../../schema/payments.ts';
import type { SettingsRow } from '../../schema/platform.ts';

type Loaded = Results<ReturnType<typeof loadSettlement>>;

/** How what a provider says is written down: by a request, or by the service itself. */
export interface Books {
  readonly settings: SettingsRow;
  readonly http: Outbound;
  readonly now: Date;
  /** Decides on what is loaded, and writes it. @returns why that was refused, if it was */
  settle(
    session_id: number,
    decide: (loaded: Loaded) => Settlement,
  ): Promise<Refusal['refused'] | undefined>;
  /** Writes what needs no decision. */
  note(write: Settlement['write']): Promise<void>;
}

/**
 * Asks a provider what became of a payment, and does what follows: pays the order, keeps what came
 * unexpectedly, books what was given back.
 * @param said what its money is said to be called, which nothing proves
 * @throws ProviderError where the provider doesn't tell
 */
export async function askProvider(
  session: SessionRow,
  gateway: Gateway,
  books: Books,
  said: string | null = null,
): Promise<void> {
  const { settings, http, now } = books;
  const payment_ref = session.payment_ref ?? said;
  const attempt = attemptOf({ ...session, payment_ref }, gateway, settings);
  if (session.superseded_at !== null && session.status !== 'paid') {
    // Whether it could be closed or not, money may have come.
    await gateway.cancel?.(attempt, http, now).catch(unlessOfProvider);
  }
  const payment = await gateway
    .look(attempt, http, now)
    .catch((error: unknown) => unlessUnread(session, error));
  const report = reportOf(payment, gateway, settings);
  if (!isNews(session, report)) {
    await books.note([noteSession(session, reportedSession(session, report, now))]);
    return;
  }
  const settle = async (refused: boolean): Promise<void> => {
    const why = await books.settle(session.id, (loaded) =>
      planSettlement(loaded, report, now, refused),
    );
    if (why === undefined) return;
    // An order that can't be paid now, whatever the reason, doesn't make the money go away.
    if (why !== 'rest_conflict' && !refused) await settle(true);
    else await books.note([checkSoon(session.id, now)]);
  };
  await settle(false);
}

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

/** Whether a report tells more than that the payment is still waited for. */
const isNews = (
  { status, paid_amount }: SessionRow,
  { state, dispute, refunded }: Report,
): boolean =>
  status === 'paid' ||
  paid_amount !== null ||
  state === 'paid' ||
  dispute !== 'none' ||
  refunded > 0;
