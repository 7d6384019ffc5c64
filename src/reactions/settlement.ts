import { nextId } from '../kernel/database/statements.ts';
import { isRefusal } from '../kernel/errors/errors.ts';
import { paymentEvent } from '../domain/payment/events.ts';
import {
  type Report,
  type UnexpectedReason,
  hasReversal,
  newUnexpected,
  refundTotal,
  refundsOfPayment,
  reopened,
  reportedSession,
  resolved,
  unexpectedReason,
} from '../domain/payment/settlement.ts';
import { isReversed, nextCheck, withoutNamed } from '../domain/payment/sessions.ts';
import { paidIn } from '../domain/payment/refunds.ts';
import { moneyFrom } from '../domain/purchase/update.ts';
import type { UpdateRequest } from '../domain/purchase/update-state.ts';
import { serialised, lockOrder } from '../queries/order-guards.ts';
import { checkSoon, saveSession } from '../queries/payment-sessions.ts';
import {
  forgetRefundsOf,
  moveRefunds,
  requestSettled,
  settleReopened,
  settleReversed,
  settleUnexpected,
} from '../queries/provider-refunds.ts';
import { insertUnexpected, saveUnexpected } from '../queries/unexpected-payments.ts';
import type { SessionRow } from '../schema/payments.ts';
import { type LoadedSettlement, type Settlement, nothing } from './loaded-settlement.ts';
import { planPayment, planStatus } from './plan.ts';
import { planGivenBack } from './refunds-there.ts';

interface SettlementContext {
  /** The payment before the look-up. */
  readonly asked: SessionRow;
  /** The ids of the money that callbacks named. */
  readonly named: readonly string[];
  /** True if the order turned out not to accept the payment. */
  readonly refused: boolean;
  readonly now: Date;
}

/**
 * A provider's report pays the order, or the money is recorded as unexpected. Refunds made at the provider are
 * recorded. A repeated report does nothing.
 */
export function planSettlement(
  loaded: LoadedSettlement,
  report: Report,
  { asked, named, refused, now }: SettlementContext,
): Settlement {
  const [before] = loaded.session;
  if (!before) return nothing;
  const request: UpdateRequest = { actor: { type: 'system', id: null }, ifMatch: undefined, now };
  const after = withoutNamed(reportedSession(before, report, now), named);
  if (before.status === 'paid' && before.version !== asked.version) {
    // The payment changed during the look-up, for example by a reversal or a refund.
    return { write: [checkSoon(before.id, now, newMoney(before, report))], events: [] };
  }
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

/** Names the reported money if the payment doesn't have its id yet. */
const newMoney = ({ payment_ref }: SessionRow, { payment_ref: id, state }: Report) =>
  id === null || id === payment_ref ? undefined : { id, says_paid: state === 'paid' };

const movesMoney = (before: SessionRow, after: SessionRow): boolean =>
  before.paid_amount !== after.paid_amount || before.payment_ref !== after.payment_ref;

interface SessionSettlement extends Settlement {
  readonly session: SessionRow;
  /** Why the money is listed as unexpected. */
  readonly listed?: UnexpectedReason;
}

function planMoney(
  loaded: LoadedSettlement,
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
  loaded: LoadedSettlement,
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
  loaded: LoadedSettlement,
  received: SessionRow,
  paid: Paid,
  request: UpdateRequest,
  refused: boolean,
): SessionSettlement {
  const session = { ...received, paid_amount: paid.amount, paid_currency: paid.currency };
  const isPaid =
    loaded.paidBy[0]?.session.id === session.id &&
    unexpectedReason(loaded.found[0]?.order, paid) === 'order_paid';
  // All of this money was refunded already, so it pays no order.
  const isReturned = session.booked_at === null && refundTotal(loaded.refundsThere) >= paid.amount;
  const settled =
    isPaid || isReturned
      ? { ...nothing, session }
      : planReceived(loaded, session, paid, request, refused);
  // Earlier entries for this money are closed: the bank took it back.
  const closed = loaded.unexpected
    .filter(({ status, resolved_by_type: by }) => status !== 'refunded' && by !== 'system')
    .filter(({ reason }) => reason !== settled.listed)
    .map((row) => saveUnexpected(row, resolved(row, 'accepted', request.actor, request.now)));
  const refunds = isReturned ? [] : refundsAgain(session, settled, request.now);
  return { ...settled, write: [...closed, ...settled.write, ...refunds] };
}

/** Settles the refunds of a payment that was paid again. Money that pays no order is refunded from the list. */
const refundsAgain = (session: SessionRow, { listed }: SessionSettlement, now: Date) =>
  listed
    ? [settleReversed(session, now)]
    : [
        requestSettled(session, now),
        settleReopened(session, now),
        settleUnexpected(session, now),
        forgetRefundsOf(session),
        moveRefunds(session, now),
      ];

/** Records unexpected money. An order that waits for another amount then waits for a person. */
function planUnexpected(
  loaded: LoadedSettlement,
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

function planReview(
  loaded: LoadedSettlement,
  { gateway }: SessionRow,
  request: UpdateRequest,
): Settlement {
  const note = `The amount that came by ${gateway} differs from the total.`;
  const plan = planStatus(loaded, { status: 'payment-confirm', note }, request);
  return isRefusal(plan) ? nothing : plan;
}
