import { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import { changeAsSystem } from '../kernel/command/system.ts';
import type { Services } from '../kernel/deployment/services.ts';
import { providerAmount } from '../domain/payment/amounts.ts';
import { attemptOf, isReversed } from '../domain/payment/sessions.ts';
import {
  isGivenBack,
  nextRefundTry,
  refundsOfPayment,
  reportOf,
} from '../domain/payment/settlement.ts';
import { addSeconds } from '../lib/instant.ts';
import { ProviderError } from '../providers/http.ts';
import type { Attempt, Gateway, RefundProgress } from '../providers/payments/gateway.ts';
import { gatewaysOf } from '../providers/payments/index.ts';
import {
  type DueRefund,
  findDueRefunds,
  findProviderRefunds,
  requestSettled,
  saveProviderRefund,
  takeDueRefunds,
} from '../queries/provider-refunds.ts';
import { checkSoon } from '../queries/payment-sessions.ts';
import { planFailedRefund } from '../reactions/failed-refund.ts';
import { findSettings } from '../queries/settings.ts';
import type { ProviderRefundRow, SessionRow } from '../schema/payments.ts';
import type { SettingsRow } from '../schema/platform.ts';
import { inTurns } from './turns.ts';

/**
 * Asks providers for refunds, once each. An attempt is counted before it is made. All attempts of a refund have the
 * same key, so the provider recognises a repeat.
 */
export const sendRefunds = (services: Services): Promise<void> =>
  inTurns(
    services,
    takeDueRefunds,
    async (ids) => {
      const { refunds, settings } = await new UnitOfWork(services.connection, undefined).query({
        refunds: findDueRefunds(ids),
        settings: findSettings(),
      });
      return settings.flatMap((own) => refunds.map((due) => ({ due, settings: own })));
    },
    ({ due, settings }) => send(due, settings, services),
  );

async function send(due: DueRefund, settings: SettingsRow, services: Services): Promise<void> {
  const { config, clock } = services;
  const gateway = gatewaysOf(config).find(({ id }) => id === due.session.gateway);
  const outcome = gateway?.refund
    ? await progress(due, gateway, settings, services)
    : ({ kind: 'again', error: 'gateway_off' } as const);
  const now = clock.now();
  await changeAsSystem(services, {
    load: {},
    decide: () => ({ ...planRefund(due, outcome, now), reply: null }),
  });
}

/**
 * The provider's answer, or why there is none. `disputed`: the money is held until a dispute ends; `there`: the refund was
 * made at the provider's dashboard.
 */
type Outcome =
  | RefundProgress
  | { readonly kind: 'again' | 'refused'; readonly error: string }
  | { readonly kind: 'disputed' }
  | { readonly kind: 'there'; readonly ofDispute: boolean };

async function progress(
  { row, session, refund }: DueRefund,
  gateway: Gateway,
  settings: SettingsRow,
  services: Services,
): Promise<Outcome> {
  const { outbound, clock } = services;
  const { currency_exponent } = settings;
  const { currency } = session;
  const amount = providerAmount(gateway, { amount: row.amount, currency, currency_exponent });
  if (amount === undefined) return { kind: 'refused', error: 'amount_not_representable' };
  const wanted = {
    key: `${session.reference}-${row.id}`,
    amount,
    reason: refund?.reason ?? null,
  };
  const payment_ref = row.payment_ref ?? session.payment_ref;
  const attempt = attemptOf({ ...session, payment_ref }, gateway, settings);
  try {
    const done = await gateway.refund?.(attempt, wanted, outbound, clock.now());
    return done ?? { kind: 'refused', error: 'not_refundable' };
  } catch (error) {
    const { kind, code } = troubleOf(error);
    if (kind !== 'permanent') return { kind: 'again', error: code };
    return refusedOrThere(row, code, { attempt, gateway, settings }, services);
  }
}

const troubleOf = (error: unknown): ProviderError =>
  error instanceof ProviderError ? error : new ProviderError('unknown', 'no_answer');

/** Explains a refusal: the provider may have refunded the money already. */
async function refusedOrThere(
  row: ProviderRefundRow,
  code: string,
  { attempt, gateway, settings }: { attempt: Attempt; gateway: Gateway; settings: SettingsRow },
  { outbound, clock, connection }: Services,
): Promise<Outcome> {
  try {
    const payment = await gateway.look(attempt, outbound, clock.now());
    const { known } = await new UnitOfWork(connection, undefined).query({
      known: findProviderRefunds(row.session_id),
    });
    const own = refundsOfPayment(known, attempt);
    const isSamePayment = payment.payment_ref === attempt.payment_ref;
    if (isSamePayment && isGivenBack(row, reportOf(payment, gateway, settings).refunded, own)) {
      return { kind: 'there', ofDispute: payment.dispute === 'lost' };
    }
    return payment.dispute === 'open' ? { kind: 'disputed' } : { kind: 'refused', error: code };
  } catch (error) {
    return { kind: 'again', error: troubleOf(error).code };
  }
}

/** Stores the outcome. A refund whose payment the bank took back is settled, not failed. */
function planRefund({ row, session, refund, unexpected }: DueRefund, outcome: Outcome, now: Date) {
  const after = refundAfter(row, outcome, now);
  if (after.state === 'failed' && isTakenBack(row, session)) {
    const settled = { ...after, error: 'reversed', paid_by_hand_at: now.toISOString() };
    return { write: [saveProviderRefund(row, settled, now), requestSettled(session, now)] };
  }
  const saved = saveProviderRefund(row, after, now);
  if (after.state !== 'failed') {
    // More than this refund may have been made at the dashboard.
    const isThere = 'kind' in outcome && outcome.kind === 'there';
    return { write: isThere ? [checkSoon(session.id, now), saved] : [saved] };
  }
  // Another refund at the provider may have been mistaken for this one.
  const { write, events } = planFailedRefund({ refund, unexpected }, now);
  return { write: [checkSoon(session.id, now), saved, ...write], events };
}

/** Tells if the bank took the refunded payment back. The page may have been paid again since. */
const isTakenBack = ({ payment_ref }: ProviderRefundRow, session: SessionRow): boolean =>
  isReversed(session) || (payment_ref !== null && payment_ref !== session.payment_ref);

/** The error of a refund that waits for the end of a dispute. */
const disputed = 'disputed';

/** Seconds between two attempts of a refund that waits for a dispute, or between late look-ups. */
const seldom = 6 * 3600;

/** An unfinished refund is due again, for two weeks, or until a dispute ends. */
function refundAfter(
  row: ProviderRefundRow,
  outcome: Outcome,
  now: Date,
): Partial<ProviderRefundRow> & Pick<ProviderRefundRow, 'state'> {
  const due_at = nextRefundTry(row, now);
  const later = addSeconds(now.toISOString(), seldom);
  if ('kind' in outcome) {
    if (outcome.kind === 'there') {
      const made = { state: 'succeeded', made_there: true, error: null, due_at: null } as const;
      return { ...made, of_dispute: outcome.ofDispute };
    }
    if (outcome.kind === 'disputed' || (outcome.kind === 'again' && row.error === disputed)) {
      return { state: row.state, error: disputed, due_at: later };
    }
    const { error } = outcome;
    // The provider is asked about a refund that it accepted until it answers.
    if (outcome.kind === 'again' && row.state !== 'requested') {
      return { state: row.state, error, due_at: due_at ?? later };
    }
    // An accepted refund hasn't failed because the provider stopped reporting it.
    const isGivenUp = due_at === null && row.state === 'requested';
    const isFailed = outcome.kind === 'refused' || isGivenUp;
    return { state: isFailed ? 'failed' : row.state, error, due_at: isFailed ? null : due_at };
  }
  const isDone = outcome.state !== 'sent';
  // A refund that was sent late, after a dispute, is looked up once more.
  const next = row.state === 'requested' ? (due_at ?? later) : due_at;
  return {
    state: outcome.state,
    provider_ref: outcome.provider_ref ?? row.provider_ref,
    error: outcome.state === 'failed' ? 'failed_at_provider' : null,
    due_at: isDone ? null : next,
  };
}
