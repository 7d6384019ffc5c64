import { type Results, type Write, drawId, nextId } from '../kernel/database/statements.ts';
import type { DomainEvent } from '../kernel/events/define.ts';
import { isRefusal } from '../kernel/errors/errors.ts';
import { paymentEvent } from '../domain/payment/events.ts';
import {
  type Report,
  type UnexpectedReason,
  givenBackOf,
  newProviderRefund,
  newUnexpected,
  refundsThere,
  reportedSession,
  resolved,
  unexpectedReason,
} from '../domain/payment/settlement.ts';
import { type UpdateRequest, decideRefund } from '../domain/purchase/update.ts';
import { lockOrder } from '../queries/order-guards.ts';
import { findSession, orderOfSession, saveSession } from '../queries/payment-sessions.ts';
import {
  askAbout,
  findProviderRefunds,
  insertProviderRefund,
  saveProviderRefund,
} from '../queries/provider-refunds.ts';
import {
  findUnexpectedOf,
  insertUnexpected,
  saveUnexpected,
} from '../queries/unexpected-payments.ts';
import type { SessionRow, UnexpectedRow } from '../schema/payments.ts';
import type { ReactionCode } from './index.ts';
import { loadOrderUpdate, planPayment, planStatus, planUpdate } from './plan.ts';

/** Everything that is decided on when a provider tells of a payment. */
export const loadSettlement = (session_id: number) => ({
  ...loadOrderUpdate(orderOfSession(session_id)),
  session: findSession(session_id),
  unexpected: findUnexpectedOf(session_id),
  refundsThere: findProviderRefunds(session_id),
  unexpectedId: drawId('unexpected_payments'),
});

type Loaded = Results<ReturnType<typeof loadSettlement>>;

/** What is written, and what it tells. */
export interface Settlement {
  readonly write: readonly Write<'out_of_stock' | ReactionCode>[];
  readonly events: readonly DomainEvent[];
}

const nothing: Settlement = { write: [], events: [] };

/**
 * What follows from what a provider says of a payment: the order is paid, or the money is kept as
 * unexpected; what was given back at the provider comes into the books. Saying it again does nothing.
 * @param refused whether the order was found not to let itself be marked paid
 */
export function planSettlement(
  loaded: Loaded,
  report: Report,
  now: Date,
  refused: boolean,
): Settlement {
  const [before] = loaded.session;
  if (!before) return nothing;
  const request: UpdateRequest = { actor: { type: 'system', id: null }, ifMatch: undefined, now };
  const after = reportedSession(before, report, now);
  const settled = planMoney(loaded, before, after, report, request, refused);
  const disputed =
    after.dispute === before.dispute ? [] : [paymentEvent('payment.disputed', after)];
  return {
    // The order first, as whoever changes it and then its payments does: else they wait for each other.
    write: [lockOrder(before.order_id), saveSession(before, settled.session), ...settled.write],
    events: [...settled.events, ...disputed],
  };
}

interface Settled extends Settlement {
  readonly session: SessionRow;
}

function planMoney(
  loaded: Loaded,
  before: SessionRow,
  after: SessionRow,
  report: Report,
  request: UpdateRequest,
  refused: boolean,
): Settled {
  const at = request.now.toISOString();
  const { paid } = report;
  if (before.status !== 'paid') {
    if (after.status !== 'paid' || !paid) return { ...nothing, session: after };
    // What was given back of it is a change of its own, of the order as this leaves it.
    const session = { ...after, check_at: report.refunded > 0 ? at : null };
    const reason = refused ? 'order_refused' : unexpectedReason(loaded.found[0]?.order, paid);
    const plan = reason === undefined ? planPayment(loaded, before.gateway, request) : undefined;
    if (plan && !isRefusal(plan)) return { ...plan, session: { ...session, booked_at: at } };
    return { ...planUnexpected(loaded, before, reason ?? 'order_refused', paid, request), session };
  }
  const isReversed = ['failed', 'cancelled', 'expired'].includes(report.state);
  const isKnown = loaded.unexpected.some(({ reason }) => reason === 'reversed');
  if (isReversed && !isKnown) {
    return { ...planUnexpected(loaded, before, 'reversed', null, request), session: after };
  }
  return { ...planGivenBack(loaded, before, report, request), session: after };
}

/** The money is kept; an order that waits for another sum waits for somebody to look at it. */
function planUnexpected(
  loaded: Loaded,
  session: SessionRow,
  reason: UnexpectedReason,
  paid: Report['paid'],
  request: UpdateRequest,
): Settlement {
  const row = newUnexpected(nextId(loaded.unexpectedId), session, reason, paid, request.now);
  const review =
    reason === 'amount' || reason === 'currency' ? planReview(loaded, session, request) : nothing;
  return {
    write: [insertUnexpected(row), ...review.write],
    events: [...review.events, paymentEvent('payment.unexpected', row)],
  };
}

function planReview(loaded: Loaded, { gateway }: SessionRow, request: UpdateRequest): Settlement {
  const note = `Another sum than it costs came by ${gateway}.`;
  const plan = planStatus(loaded, { status: 'payment-confirm', note }, request);
  return isRefusal(plan) ? nothing : plan;
}

/** Brings what was given back at the provider into the books. */
function planGivenBack(
  loaded: Loaded,
  session: SessionRow,
  report: Report,
  request: UpdateRequest,
): Settlement {
  const { now } = request;
  const paid = session.paid_amount ?? session.amount;
  const { made, doubted, amount } = refundsThere(report.refunded, paid, loaded.refundsThere);
  const known = made.map((row) =>
    saveProviderRefund(
      row,
      { state: 'succeeded', made_there: true, due_at: null, error: null },
      now,
    ),
  );
  const asked = doubted.length > 0 ? [askAbout(doubted, now)] : [];
  const plan = amount > 0 ? planRefundThere(loaded, session, amount, request) : nothing;
  return { write: [...known, ...asked, ...plan.write], events: plan.events };
}

/** Money that the provider gave back without us: a refund of the order that it paid, or of what came unexpectedly. */
function planRefundThere(
  loaded: Loaded,
  session: SessionRow,
  amount: number,
  request: UpdateRequest,
): Settlement {
  const { now } = request;
  const record = (of: { unexpected_id?: number }) =>
    insertProviderRefund(newProviderRefund(session.id, amount, of, true, now));
  const [unexpected] = loaded.unexpected.filter(({ status }) => status === 'open');
  if (session.booked_at === null && unexpected) {
    return {
      write: [
        record({ unexpected_id: unexpected.id }),
        ...refundedIf(unexpected, loaded, amount, now),
      ],
      events: [],
    };
  }
  const order = loaded.found[0]?.order;
  const left = order ? order.grand_total - order.refunded_total : 0;
  const [paidBy] = loaded.reactions.refunds.paidBy;
  const updated =
    paidBy?.id === session.id && left > 0
      ? decideRefund(
          loaded,
          { amount: Math.min(amount, left), reason: `Given back at ${session.gateway}.` },
          { ...request, refundedThere: true },
        )
      : undefined;
  const plan = updated && !isRefusal(updated) ? planUpdate(updated, loaded) : undefined;
  // Nothing of it concerns the order any more: kept, so that it isn't taken for another one.
  return plan && !isRefusal(plan) ? plan : { write: [record({})], events: [] };
}

/** Unexpected money is refunded once all of it was given back. */
function refundedIf(unexpected: UnexpectedRow, loaded: Loaded, amount: number, now: Date) {
  const given = amount + givenBackOf(loaded.refundsThere);
  return given >= unexpected.amount
    ? [
        saveUnexpected(
          unexpected,
          resolved(unexpected, 'refunded', { type: 'system', id: null }, now),
        ),
      ]
    : [];
}
