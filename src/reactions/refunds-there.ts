import { nextId } from '../kernel/database/statements.ts';
import { isRefusal } from '../kernel/errors/errors.ts';
import {
  type MadeRefund,
  type Report,
  lostThere,
  madeOf,
  newProviderRefund,
  owedOf,
  providerRefundTotal,
  refundsThere,
  resolved,
} from '../domain/payment/settlement.ts';
import { type RefundThere, paidIn, partOfOrder } from '../domain/payment/refunds.ts';
import { decideRefund } from '../domain/purchase/update.ts';
import type { UpdateRequest } from '../domain/purchase/update-state.ts';
import { askAbout, insertProviderRefund, saveProviderRefund } from '../queries/provider-refunds.ts';
import { splitRefundRow } from '../queries/refunds.ts';
import { saveUnexpected } from '../queries/unexpected-payments.ts';
import type { ProviderRefundRow, SessionRow, UnexpectedRow } from '../schema/payments.ts';
import { type LoadedSettlement, type Settlement, nothing } from './loaded-settlement.ts';
import { planFailedRefund } from './failed-refund.ts';
import { planUpdate } from './plan.ts';
import { planWaitingFor } from './waiting.ts';

/** Books the refunds that a provider reports beyond the known ones. */
export function planGivenBack(
  loaded: LoadedSettlement,
  session: SessionRow,
  report: Report,
  request: UpdateRequest,
): Settlement {
  const { now } = request;
  const paid = paidIn(session);
  const { made, doubted, amount } = refundsThere(report.refunded, paid, loaded.refundsThere);
  const restId = nextId(loaded.restId);
  const ofDispute = report.dispute === 'lost' && session.dispute !== 'lost';
  const back = report.dispute === 'won' ? lostThere(report.refunded, loaded.refundsThere) : [];
  const undone = back.map((row) => planWonAppeal(loaded, row, now));
  const known = made.flatMap((refund) => planMade(refund, restId, ofDispute, now));
  const asked = doubted.length > 0 ? [askAbout(doubted, now)] : [];
  const there = { amount, ofDispute };
  const plan = amount > 0 ? planRefundThere(loaded, session, there, request, restId) : nothing;
  // Refunds that failed earlier and are paid only now.
  const late = made.filter(({ row }) => row.state === 'failed');
  const all = late.reduce((sum, refund) => sum + refund.amount, amount);
  const closed = all > 0 ? closeUnexpected(loaded, session, all, request) : nothing;
  return {
    write: [
      ...undone.flatMap(({ write }) => write),
      ...known,
      ...asked,
      ...plan.write,
      ...closed.write,
    ],
    events: [...undone.flatMap(({ events }) => events), ...plan.events, ...closed.events],
  };
}

/** Marks the refund of a lost dispute as failed after the store won the appeal: the provider has the money again. */
function planWonAppeal(loaded: LoadedSettlement, row: ProviderRefundRow, now: Date): Settlement {
  const failed = { state: 'failed', error: 'dispute_won' } as const;
  const { write, events } = planFailedRefund(
    {
      refund: loaded.ofOrder.find(({ refund }) => refund.id === row.refund_id)?.refund,
      unexpected: loaded.unexpected.find(({ id }) => id === row.unexpected_id),
    },
    now,
  );
  return { write: [saveProviderRefund(row, failed, now), ...write], events };
}

/**
 * Records our own refund that was made at the provider, at the dashboard or by a lost dispute. The rest of a partial one
 * becomes another refund, which is sent or has failed.
 */
function planMade({ row, amount }: MadeRefund, restId: number, of_dispute: boolean, now: Date) {
  const { session_id, payment_ref, refund_id, unexpected_id, state, due_at, error } = row;
  const made = { state: 'succeeded', made_there: true, due_at: null, error: null } as const;
  const saved = saveProviderRefund(row, { ...made, amount, of_dispute }, now);
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

/** Books a refund that the provider made by itself: of the paid order, or of an unexpected payment. */
function planRefundThere(
  loaded: LoadedSettlement,
  session: SessionRow,
  { amount, ofDispute }: RefundThere,
  request: UpdateRequest,
  restId: number,
): Settlement {
  const { now } = request;
  const record = (of: { unexpected_id?: number }, given: number) =>
    insertProviderRefund(
      newProviderRefund(session, given, { ...of, of_dispute: ofDispute }, true, now),
    );
  const unexpected = undecided(loaded, session);
  if (unexpected) {
    return { write: [record({ unexpected_id: unexpected.id }, amount)], events: [] };
  }
  const { part, beyond } = partsOf(loaded, session, { amount, ofDispute });
  const plan =
    part > 0 ? planOrdersPart(loaded, session, { amount: part, ofDispute }, request) : undefined;
  const left = plan ? amount - part : amount;
  // Recorded refunds that could not be made before.
  const late = madeOf(owedOf(loaded.refundsThere), left - beyond);
  const rest = late.reduce((sum, refund) => sum - refund.amount, left);
  return {
    write: [
      ...(plan?.write ?? []),
      ...late.flatMap((refund) => planMade(refund, restId, ofDispute, now)),
      // A refund beyond the order's total is recorded, so that it isn't booked again.
      ...(rest > 0 ? [record({}, rest)] : []),
    ],
    events: plan?.events ?? [],
  };
}

/** Splits a refund at the provider at the order's total. */
function partsOf(loaded: LoadedSettlement, session: SessionRow, there: RefundThere) {
  const order = loaded.found[0]?.order;
  if (!order || loaded.paidBy[0]?.session.id !== session.id) return { part: 0, beyond: 0 };
  const { grand_total, refunded_total } = order;
  const part = partOfOrder(there, session, grand_total, loaded.refundsThere);
  return { part: Math.min(part, grand_total - refunded_total), beyond: there.amount - part };
}

function planOrdersPart(
  loaded: LoadedSettlement,
  { gateway }: SessionRow,
  { amount, ofDispute }: RefundThere,
  request: UpdateRequest,
): Settlement | undefined {
  const reason = ofDispute ? `A dispute at ${gateway} was lost.` : `Refunded at ${gateway}.`;
  const refundedThere = ofDispute ? 'dispute' : 'dashboard';
  const updated = decideRefund(loaded, { amount, reason }, { ...request, refundedThere });
  const plan = isRefusal(updated) ? updated : planUpdate(updated, loaded);
  return isRefusal(plan) ? undefined : plan;
}

/** Undecided money of a payment that pays no order. */
const undecided = (
  { unexpected }: LoadedSettlement,
  { booked_at }: SessionRow,
): UnexpectedRow | undefined =>
  booked_at === null ? unexpected.find(({ status }) => status === 'open') : undefined;

/**
 * Unexpected money counts as refunded once all of it was returned.
 * @param amount the newly reported amount
 */
function closeUnexpected(
  loaded: LoadedSettlement,
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
