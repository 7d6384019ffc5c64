import { type Results, type Write, drawId, nextId } from '../kernel/database/statements.ts';
import type { DomainEvent } from '../kernel/events/define.ts';
import { isRefusal } from '../kernel/errors/errors.ts';
import { paymentEvent } from '../domain/payment/events.ts';
import {
  type MadeRefund,
  type Report,
  type UnexpectedReason,
  providerRefundTotal,
  hasReversal,
  madeOf,
  newProviderRefund,
  newUnexpected,
  owedOf,
  refundsOfPayment,
  refundsThere,
  reopened,
  reportedSession,
  resolved,
  unexpectedReason,
} from '../domain/payment/settlement.ts';
import { isReversed, nextCheck, withoutNamed } from '../domain/payment/sessions.ts';
import { paidIn, partOfOrder } from '../domain/payment/refunds.ts';
import { decideRefund, moneyFrom } from '../domain/purchase/update.ts';
import type { UpdateRequest } from '../domain/purchase/update-state.ts';
import { serialised, lockOrder } from '../queries/order-guards.ts';
import { findSession, orderOfSession, saveSession } from '../queries/payment-sessions.ts';
import {
  askAbout,
  findProviderRefunds,
  insertProviderRefund,
  moveRefunds,
  requestSettled,
  saveProviderRefund,
  settleReopened,
  settleReversed,
} from '../queries/provider-refunds.ts';
import { splitRefundRow } from '../queries/refunds.ts';
import { loadUndecided } from '../queries/undecided.ts';
import {
  findUnexpectedOf,
  insertUnexpected,
  saveUnexpected,
} from '../queries/unexpected-payments.ts';
import type { SessionRow, UnexpectedRow } from '../schema/payments.ts';
import type { ReactionCode } from './index.ts';
import { loadOrderUpdate, planPayment, planStatus, planUpdate } from './plan.ts';
import { planWaitingFor } from './waiting.ts';

export const loadSettlement = (session_id: number) => ({
  ...loadOrderUpdate(orderOfSession(session_id)),
  session: findSession(session_id),
  unexpected: findUnexpectedOf(session_id),
  refundsThere: findProviderRefunds(session_id),
  unexpectedId: drawId('unexpected_payments'),
  restId: drawId('refunds'),
  ...loadUndecided(orderOfSession(session_id)),
});

type Loaded = Results<ReturnType<typeof loadSettlement>>;

export interface Settlement {
  readonly write: readonly Write<'out_of_stock' | ReactionCode>[];
  readonly events: readonly DomainEvent[];
}

const nothing: Settlement = { write: [], events: [] };

interface SettlementContext {
  /** The payment before the look-up. */
  readonly asked: SessionRow;
  /** The id of the money that a callback named. */
  readonly named: string | null;
  /** True if the order turned out not to accept the payment. */
  readonly refused: boolean;
  readonly now: Date;
}

/**
 * A provider's report pays the order, or the money is recorded as unexpected. Refunds made at the provider are
 * recorded. A repeated report does nothing.
 */
export function planSettlement(
  loaded: Loaded,
  report: Report,
  { asked, named, refused, now }: SettlementContext,
): Settlement {
  const [before] = loaded.session;
  if (!before) return nothing;
  const request: UpdateRequest = { actor: { type: 'system', id: null }, ifMatch: undefined, now };
  const after = withoutNamed(reportedSession(before, report, now), named);
  const refunds = refundsOfPayment(loaded.refundsThere, after);
  const own = { ...loaded, refundsThere: refunds };
  const settled = planMoney(own, before, after, report, request, refused);
  // A look-up that became due meanwhile may report more, such as a refund.
  const isOutdated = before.check_at !== asked.check_at;
  const check_at = settled.session.check_at ?? (isOutdated ? before.check_at : null);
  const disputed =
    after.dispute === before.dispute ? [] : [paymentEvent('payment.disputed', after)];
  const write = [saveSession(before, { ...settled.session, check_at }), ...settled.write];
  const order = loaded.found[0]?.order;
  const isMoved = settled.write.length > 0 || movesMoney(before, settled.session);
  return {
    // Every change of an order and its payments locks the order first. Otherwise they could deadlock. If the
    // order refused the payment, it is only locked: it may refuse every change.
    write:
      order && isMoved && !refused
        ? serialised(order, write, now)
        : [lockOrder(before.order_id), ...write],
    events: [...settled.events, ...disputed],
  };
}

const movesMoney = (before: SessionRow, after: SessionRow): boolean =>
  before.paid_amount !== after.paid_amount || before.payment_ref !== after.payment_ref;

interface SessionSettlement extends Settlement {
  readonly session: SessionRow;
  /** Why the money is listed as unexpected. */
  readonly listed?: UnexpectedReason;
}

function planMoney(
  loaded: Loaded,
  before: SessionRow,
  after: SessionRow,
  report: Report,
  request: UpdateRequest,
  refused: boolean,
): SessionSettlement {
  const { paid, state } = report;
  // A refund is booked by a separate change, after the order is paid.
  const received = { ...after, check_at: report.refunded > 0 ? request.now.toISOString() : null };
  if (before.status !== 'paid') {
    if (after.status !== 'paid' || !paid) return { ...nothing, session: after };
    return planReceived(loaded, received, paid, request, refused);
  }
  const isKnown = isReversed(before) || hasReversal(loaded.unexpected);
  // Another payment on the page comes only after a reversal.
  const isAnother = before.payment_ref !== null && after.payment_ref !== before.payment_ref;
  if ((isKnown || isAnother) && state === 'paid' && paid) {
    return planPaidAgain(loaded, received, paid, request, refused);
  }
  const taken = { ...after, paid_amount: 0 };
  const check_at = nextCheck(taken, request.now);
  // A bank may take a payment back within minutes.
  if (report.reversed) {
    const gone = { amount: paidIn(before), currency: before.paid_currency ?? before.currency };
    const { write, events } = isKnown
      ? nothing
      : planUnexpected(loaded, before, 'reversed', gone, request);
    const settled = [...write, settleReversed(before, request.now)];
    return { write: settled, events, session: { ...taken, check_at } };
  }
  if (isKnown) return { ...nothing, session: { ...after, check_at } };
  return { ...planGivenBack(loaded, before, report, request), session: after };
}

type Paid = NonNullable<Report['paid']>;

/** Pays the order, or records the money as unexpected. */
function planReceived(
  loaded: Loaded,
  session: SessionRow,
  paid: Paid,
  request: UpdateRequest,
  refused: boolean,
): SessionSettlement {
  const reason = refused ? 'order_refused' : unexpectedReason(loaded.found[0]?.order, paid);
  const money = moneyFrom(session, paid.amount);
  const plan = reason === undefined ? planPayment(loaded, money, request) : undefined;
  if (plan && !isRefusal(plan)) {
    return { ...plan, session: { ...session, booked_at: request.now.toISOString() } };
  }
  const listed = reason ?? 'order_refused';
  const unexpected = planUnexpected(loaded, session, listed, paid, request);
  // It may have paid the order before it was reversed.
  return { ...unexpected, session: { ...session, booked_at: null }, listed };
}

/** Settles a reversed payment that was paid again. An order that still counts as paid by it stays as it is. */
function planPaidAgain(
  loaded: Loaded,
  received: SessionRow,
  paid: Paid,
  request: UpdateRequest,
  refused: boolean,
): SessionSettlement {
  const session = { ...received, paid_amount: paid.amount, paid_currency: paid.currency };
  const isPaid =
    loaded.paidBy[0]?.session.id === session.id &&
    unexpectedReason(loaded.found[0]?.order, paid) === 'order_paid';
  const settled = isPaid
    ? { ...nothing, session }
    : planReceived(loaded, session, paid, request, refused);
  // The bank has returned what was listed before.
  const closed = loaded.unexpected
    .filter(({ reason, status }) => reason === 'reversed' || status === 'open')
    .filter(({ reason }) => reason !== settled.listed)
    .map((row) => saveUnexpected(row, resolved(row, 'accepted', request.actor, request.now)));
  // Money that pays no order is refunded from the list.
  const refunds = settled.listed
    ? [settleReversed(session, request.now)]
    : [
        requestSettled(session, request.now),
        settleReopened(session, request.now),
        moveRefunds(session, request.now),
      ];
  return { ...settled, write: [...closed, ...settled.write, ...refunds] };
}

/** Records unexpected money. An order that waits for another amount then waits for a person. */
function planUnexpected(
  loaded: Loaded,
  session: SessionRow,
  reason: UnexpectedReason,
  { amount, currency }: Pick<Paid, 'amount' | 'currency'>,
  request: UpdateRequest,
): Settlement {
  const { now } = request;
  // A payment has one row for each reason, which is opened again.
  const former = loaded.unexpected.find((other) => other.reason === reason);
  const row = former
    ? { ...reopened(former, now), amount, currency }
    : newUnexpected(nextId(loaded.unexpectedId), session, { reason, amount, currency }, now);
  const review =
    reason === 'amount' || reason === 'currency' ? planReview(loaded, session, request) : nothing;
  return {
    write: [former ? saveUnexpected(former, row) : insertUnexpected(row), ...review.write],
    events: [...review.events, paymentEvent('payment.unexpected', row)],
  };
}

function planReview(loaded: Loaded, { gateway }: SessionRow, request: UpdateRequest): Settlement {
  const note = `The amount that came by ${gateway} differs from the total.`;
  const plan = planStatus(loaded, { status: 'payment-confirm', note }, request);
  return isRefusal(plan) ? nothing : plan;
}

function planGivenBack(
  loaded: Loaded,
  session: SessionRow,
  report: Report,
  request: UpdateRequest,
): Settlement {
  const { now } = request;
  const paid = paidIn(session);
  const { made, doubted, amount } = refundsThere(report.refunded, paid, loaded.refundsThere);
  const restId = nextId(loaded.restId);
  const known = made.flatMap((refund) => planMade(refund, restId, now));
  const asked = doubted.length > 0 ? [askAbout(doubted, now)] : [];
  const isLost = report.dispute === 'lost' && session.dispute !== 'lost';
  const reason = isLost
    ? `A dispute at ${session.gateway} was lost.`
    : `Refunded at ${session.gateway}.`;
  const there = { amount, reason };
  const plan = amount > 0 ? planRefundThere(loaded, session, there, request, restId) : nothing;
  // Refunds that failed earlier and are paid only now.
  const late = made.filter(({ row }) => row.state === 'failed');
  const all = late.reduce((sum, refund) => sum + refund.amount, amount);
  const closed = all > 0 ? closeUnexpected(loaded, session, all, request) : nothing;
  return {
    write: [...known, ...asked, ...plan.write, ...closed.write],
    events: [...plan.events, ...closed.events],
  };
}

/**
 * Records our own refund that somebody made at the provider's dashboard. The rest of a partial one becomes another
 * refund, which is sent or has failed.
 */
function planMade({ row, amount }: MadeRefund, restId: number, now: Date) {
  const { session_id, payment_ref, refund_id, unexpected_id, state, due_at, error } = row;
  const made = { amount, state: 'succeeded', made_there: true, due_at: null, error: null } as const;
  const saved = saveProviderRefund(row, made, now);
  const rest = row.amount - amount;
  if (rest === 0) return [saved];
  const of = refund_id === null ? { unexpected_id } : { refund_id: restId };
  const other = newProviderRefund({ id: session_id, payment_ref }, rest, of, false, now);
  return [
    saved,
    ...(refund_id === null ? [] : splitRefundRow(refund_id, amount, restId)),
    insertProviderRefund(state === 'failed' ? { ...other, state, due_at, error } : other),
  ];
}

interface RefundThere {
  readonly amount: number;
  readonly reason: string;
}

/** Books a refund that the provider made by itself: of the paid order, or of an unexpected payment. */
function planRefundThere(
  loaded: Loaded,
  session: SessionRow,
  { amount, reason }: RefundThere,
  request: UpdateRequest,
  restId: number,
): Settlement {
  const { now } = request;
  const record = (of: { unexpected_id?: number }, given: number) =>
    insertProviderRefund(newProviderRefund(session, given, of, true, now));
  const unexpected = undecided(loaded, session);
  if (unexpected) {
    return { write: [record({ unexpected_id: unexpected.id }, amount)], events: [] };
  }
  const { part, beyond } = partsOf(loaded, session, amount);
  const plan = part > 0 ? planOrdersPart(loaded, { amount: part, reason }, request) : undefined;
  const left = plan ? amount - part : amount;
  // Recorded refunds that could not be made before.
  const late = madeOf(owedOf(loaded.refundsThere), left - beyond);
  const rest = late.reduce((sum, refund) => sum - refund.amount, left);
  return {
    write: [
      ...(plan?.write ?? []),
      ...late.flatMap((refund) => planMade(refund, restId, now)),
      // A refund beyond the order's total is recorded, so that it isn't booked again.
      ...(rest > 0 ? [record({}, rest)] : []),
    ],
    events: plan?.events ?? [],
  };
}

/** Splits a refund at the provider at the order's total. */
function partsOf(loaded: Loaded, session: SessionRow, amount: number) {
  const order = loaded.found[0]?.order;
  if (!order || loaded.paidBy[0]?.session.id !== session.id) return { part: 0, beyond: 0 };
  const { grand_total, refunded_total } = order;
  const part = partOfOrder(amount, session, grand_total, loaded.refundsThere);
  return { part: Math.min(part, grand_total - refunded_total), beyond: amount - part };
}

function planOrdersPart(
  loaded: Loaded,
  refund: RefundThere,
  request: UpdateRequest,
): Settlement | undefined {
  const updated = decideRefund(loaded, refund, { ...request, refundedThere: true });
  const plan = isRefusal(updated) ? updated : planUpdate(updated, loaded);
  return isRefusal(plan) ? undefined : plan;
}

/** Undecided money of a payment that pays no order. */
const undecided = ({ unexpected }: Loaded, { booked_at }: SessionRow): UnexpectedRow | undefined =>
  booked_at === null ? unexpected.find(({ status }) => status === 'open') : undefined;

/**
 * Unexpected money counts as refunded once all of it was returned.
 * @param amount the newly reported amount
 */
function closeUnexpected(
  loaded: Loaded,
  session: SessionRow,
  amount: number,
  request: UpdateRequest,
): Settlement {
  const open = undecided(loaded, session);
  const given = amount + providerRefundTotal(loaded.refundsThere);
  if (!open || given < open.amount) return nothing;
  const waiting = planWaitingFor(loaded, open, request, 'The payment was refunded.');
  const after = resolved(open, 'refunded', request.actor, request.now);
  const { write, events } = isRefusal(waiting) ? nothing : waiting;
  return { write: [saveUnexpected(open, after), ...write], events };
}
