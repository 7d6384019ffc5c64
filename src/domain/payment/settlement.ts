import type { Actor } from '../../kernel/auth/actor.ts';
import { addSeconds } from '../../lib/instant.ts';
import type { Gateway, Payment } from '../../providers/payments/gateway.ts';
import type { OrderColumns } from '../../schema/orders.ts';
import type {
  ProviderRefundRow,
  SessionRow,
  UnexpectedRow,
  unexpectedReasons,
} from '../../schema/payments.ts';
import type { SettingsRow } from '../../schema/platform.ts';
import { isUnpaid } from '../order/transitions.ts';
import { storeAmount } from './amounts.ts';
import { changed, isGivenUp, isReversed, nextCheck } from './sessions.ts';
import { firstVersion, nextVersion } from '../../lib/versions.ts';

export type UnexpectedReason = (typeof unexpectedReasons)[number];

/** A provider's report of a payment, in the store's unit. */
export interface Report extends Pick<Payment, 'state' | 'payment_ref' | 'dispute' | 'reversed'> {
  readonly paid: {
    readonly amount: number;
    readonly currency: string;
    /** False if the store's unit is too coarse for the received amount. */
    readonly exact: boolean;
  } | null;
  /** The sum of all refunds. */
  readonly refunded: number;
}

/** Converts to the store's unit. Amounts in a currency that the provider doesn't know stay unchanged. */
export function reportOf(
  { state, paid, payment_ref, refunded, dispute, reversed = false }: Payment,
  gateway: Pick<Gateway, 'unitOf'>,
  { currency: own, currency_exponent }: SettingsRow,
): Report {
  const currency = paid?.currency ?? own;
  const counted = (units: number, rest = 0) => {
    const stored = storeAmount(gateway, units, { currency, currency_exponent });
    if (currency !== own || !stored) return { amount: units, exact: false };
    const { amount, exact } = stored;
    return { amount: amount + (exact ? 0 : rest), exact };
  };
  const received = paid && { currency: paid.currency, ...counted(paid.amount) };
  return {
    // Money of an unknown amount can't be compared with what was expected.
    state: state === 'paid' && !paid ? 'pending' : state,
    payment_ref,
    dispute,
    reversed,
    paid: received,
    // Rounded up: the provider has no more left than the rest.
    refunded: Math.min(counted(refunded, 1).amount, received?.amount ?? Infinity),
  };
}

/** Tells if a report denies a recorded payment without proof that the money was taken back, like a 404. */
export const isDoubtful = (session: SessionRow, { state, reversed }: Report): boolean =>
  session.status === 'paid' &&
  !isReversed(session) &&
  state !== 'paid' &&
  state !== 'pending' &&
  !reversed;

/** Tells if a payment was recorded as reversed and has not come again since. Former versions kept its amount. */
export const hasReversal = (unexpected: readonly UnexpectedRow[]): boolean =>
  unexpected.some(
    ({ reason, resolved_by_type }) => reason === 'reversed' && resolved_by_type !== 'system',
  );

/** Applies a report. `paid` is final, and an ended payment stays ended unless money comes. */
export function reportedSession(before: SessionRow, report: Report, now: Date): SessionRow {
  const status = statusAfter(before, report, now);
  const next = {
    ...changed(before, now),
    status,
    payment_ref: report.payment_ref ?? before.payment_ref,
    dispute: report.dispute === 'none' ? before.dispute : report.dispute,
    checked_at: now.toISOString(),
    ...(report.paid &&
      before.paid_amount === null && {
        paid_amount: report.paid.amount,
        paid_currency: report.paid.currency,
      }),
  };
  return { ...next, check_at: nextCheck(next, now) };
}

function statusAfter(before: SessionRow, { state }: Report, now: Date): SessionRow['status'] {
  const { status } = before;
  if (status === 'paid' || state === 'paid') return 'paid';
  if (nextCheck(before, now) === null) return status;
  if (state !== 'open' && state !== 'pending') return state;
  const open = status === 'opening' ? 'opening' : 'created';
  const next = state === 'pending' ? 'pending' : open;
  return isGivenUp({ ...before, status: next }, now) ? 'expired' : next;
}

/**
 * Returns the reason why received money doesn't pay its order.
 * @param order undefined for a deleted order
 */
export function unexpectedReason(
  order: OrderColumns | undefined,
  paid: NonNullable<Report['paid']>,
): UnexpectedReason | undefined {
  if (!order) return 'order_deleted';
  if (isUnpaid(order.status)) {
    if (paid.currency !== order.currency) return 'currency';
    return paid.exact && paid.amount === order.grand_total ? undefined : 'amount';
  }
  if (order.status === 'cancelled') return 'order_cancelled';
  if (order.status === 'refunded') return 'order_refunded';
  return order.paid_at === null ? 'order_refused' : 'order_paid';
}

/** The row of money that its order doesn't accept. */
export function newUnexpected(
  id: number,
  { id: session_id, order_id, gateway }: SessionRow,
  money: Pick<UnexpectedRow, 'reason' | 'amount' | 'currency'>,
  now: Date,
): UnexpectedRow {
  return {
    id,
    session_id,
    order_id,
    gateway,
    ...money,
    status: 'open',
    resolved_at: null,
    resolved_by_type: null,
    resolved_by: null,
    ...firstVersion(now.toISOString()),
  };
}

export const resolved = (
  before: UnexpectedRow,
  status: 'accepted' | 'refunded',
  actor: Actor,
  now: Date,
): UnexpectedRow => ({
  ...before,
  status,
  resolved_at: now.toISOString(),
  resolved_by_type: actor.type,
  resolved_by: actor.id,
  ...nextVersion(before, now),
});

/** Reopens a payment whose decision failed. */
export const reopened = (before: UnexpectedRow, now: Date): UnexpectedRow => ({
  ...before,
  status: 'open',
  resolved_at: null,
  resolved_by_type: null,
  resolved_by: null,
  ...nextVersion(before, now),
});

/** The provider's refunds compared with the known ones. */
export interface RefundsThere {
  /** Our unsent or abandoned refunds that somebody made at the provider instead; the last one perhaps in part. */
  readonly made: readonly MadeRefund[];
  /** Refunds that the provider's total doesn't include. The provider is asked about them. */
  readonly doubted: readonly ProviderRefundRow[];
  /** The refunded amount beyond the known refunds. */
  readonly amount: number;
}

export interface MadeRefund {
  readonly row: ProviderRefundRow;
  readonly amount: number;
}

/**
 * Compares a provider's total of refunds with the known refunds.
 * @param paid the most that the provider could refund
 */
export function refundsThere(
  refunded: number,
  paid: number,
  known: readonly ProviderRefundRow[],
): RefundsThere {
  const there = known.filter(({ state }) => state === 'sent' || state === 'succeeded');
  const requested = known.filter(({ state }) => state === 'requested');
  const left = refunded - sumOf(there);
  if (left < 0) return { made: [], doubted: there.filter((row) => !row.made_there), amount: 0 };
  // Refunds that are being sent don't count: their own attempts record the results.
  const amount = Math.max(0, left - sumOf(requested.filter(({ attempts }) => attempts > 0)));
  const unsent = requested.filter(({ attempts }) => attempts === 0);
  // The money for these refunds is gone, because somebody refunded it without us.
  const isSpent = refunded + sumOf(unsent) > paid;
  const made = madeOf([...failedOf(amount, known), ...(isSpent ? unsent : [])], amount);
  return { made, doubted: [], amount: amount - sumOf(made) };
}

/** Picks the newest refunds of lost disputes that the provider's total no longer includes. */
export function lostThere(
  refunded: number,
  known: readonly ProviderRefundRow[],
): ProviderRefundRow[] {
  const there = known.filter(({ state }) => state === 'sent' || state === 'succeeded');
  let missing = sumOf(there) - refunded;
  const ofDisputes = there.filter(({ of_dispute }) => of_dispute).toReversed();
  return ofDisputes.filter(({ amount }) => {
    if (amount > missing) return false;
    missing -= amount;
    return true;
  });
}

/** Failed refunds of the order that nobody paid by hand. They may be paid at the provider. */
export const owedOf = (known: readonly ProviderRefundRow[]): ProviderRefundRow[] =>
  known.filter(
    ({ refund_id, state, paid_by_hand_at }) =>
      refund_id !== null && state === 'failed' && paid_by_hand_at === null,
  );

/** Failed refunds that a refund at the provider pays: one of the same amount, or all together. */
function failedOf(amount: number, known: readonly ProviderRefundRow[]): ProviderRefundRow[] {
  const owed = owedOf(known);
  const one = owed.find((row) => row.amount === amount);
  if (one) return [one];
  return sumOf(owed) === amount ? owed : [];
}

/** The refunds that an amount pays, in order, the last one perhaps in part. */
export function madeOf(rows: readonly ProviderRefundRow[], amount: number): MadeRefund[] {
  let left = amount;
  return rows.flatMap((row) => {
    const covered = Math.min(row.amount, left);
    left -= covered;
    return covered > 0 ? [{ row, amount: covered }] : [];
  });
}

/** Tells if a provider rejected a refund because somebody already made it there. */
export const isGivenBack = (
  { id, amount }: ProviderRefundRow,
  refunded: number,
  known: readonly ProviderRefundRow[],
): boolean =>
  refunded - sumOf(known.filter((row) => row.id !== id && row.state !== 'failed')) >= amount;

/**
 * Leaves out refunds of an earlier payment on the same page, which the bank took back. Former versions didn't record the
 * payment of a refund.
 */
export const refundsOfPayment = (
  known: readonly ProviderRefundRow[],
  session: Pick<SessionRow, 'payment_ref'>,
): ProviderRefundRow[] =>
  known.filter(({ payment_ref }) => payment_ref === null || payment_ref === session.payment_ref);

/** Sums the refunds that the provider made or is asked for. */
export const providerRefundTotal = (known: readonly ProviderRefundRow[]): number =>
  sumOf(known.filter(({ state }) => state !== 'failed'));

/** Sums those, and the failed refunds that somebody paid by hand. Leaves out what the bank took back. */
export const refundTotal = (known: readonly ProviderRefundRow[]): number =>
  sumOf(
    known.filter(
      ({ state, paid_by_hand_at, error }) =>
        state !== 'failed' || (paid_by_hand_at !== null && error !== 'reversed'),
    ),
  );

const sumOf = (rows: readonly { readonly amount: number }[]) =>
  rows.reduce((sum, { amount }) => sum + amount, 0);

type RefundedSession = Pick<SessionRow, 'id' | 'payment_ref'>;

/** A refund that we send, or one made at the provider. */
export function newProviderRefund(
  { id: session_id, payment_ref }: RefundedSession,
  amount: number,
  of: {
    readonly refund_id?: number | null;
    readonly unexpected_id?: number | null;
    readonly of_dispute?: boolean;
  },
  made_there: boolean,
  now: Date,
): Omit<ProviderRefundRow, 'id'> {
  const at = now.toISOString();
  return {
    session_id,
    refund_id: of.refund_id ?? null,
    unexpected_id: of.unexpected_id ?? null,
    amount,
    state: made_there ? 'succeeded' : 'requested',
    made_there,
    of_dispute: of.of_dispute ?? false,
    payment_ref,
    provider_ref: null,
    attempts: 0,
    due_at: made_there ? null : at,
    error: null,
    paid_by_hand_at: null,
    ...firstVersion(at),
  };
}

/** A refund that no provider makes: the store paid it by hand, or the bank took the whole payment back. */
export function settledRefund(
  session: RefundedSession,
  amount: number,
  of: { readonly refund_id?: number; readonly unexpected_id?: number },
  error: 'reversed' | 'by_hand',
  now: Date,
): Omit<ProviderRefundRow, 'id'> {
  const refund = newProviderRefund(session, amount, of, false, now);
  return { ...refund, state: 'failed', due_at: null, error, paid_by_hand_at: refund.created_at };
}

/** Seconds for which a refund is attempted and looked up. */
const refundPatience = 14 * 86_400;

/** The time of the next try or look-up of a refund; null once it is given up. */
export function nextRefundTry(
  { attempts, created_at }: Pick<ProviderRefundRow, 'attempts' | 'created_at'>,
  now: Date,
): string | null {
  const at = now.toISOString();
  if (at > addSeconds(created_at, refundPatience)) return null;
  return addSeconds(at, Math.min(21_600, 60 * 2 ** Math.max(0, attempts - 1)));
}
