import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import type { ScopedPrincipal } from '../../kernel/auth/principals.ts';
import type { Results } from '../../kernel/database/statements.ts';
import { current, isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { isUnpaid } from '../../domain/order/transitions.ts';
import { UnexpectedPayment, UnexpectedResolve } from '../../domain/payment/schemas.ts';
import { changed, isReversed } from '../../domain/payment/sessions.ts';
import {
  providerRefundTotal,
  newProviderRefund,
  refundsOfPayment,
  resolved,
  refundTotal,
  settledRefund,
} from '../../domain/payment/settlement.ts';
import { isPaidByReversed, hasMoneyBesideReversed } from '../../domain/payment/refunds.ts';
import { moneyFrom } from '../../domain/purchase/update.ts';
import type { UpdateRequest } from '../../domain/purchase/update-state.ts';
import { serialised, lockOrder } from '../../queries/order-guards.ts';
import { findUnexpectedSession, saveSession } from '../../queries/payment-sessions.ts';
import {
  findRefundsOfUnexpected,
  forgetRefundsOf,
  insertProviderRefund,
} from '../../queries/provider-refunds.ts';
import { loadUndecided } from '../../queries/undecided.ts';
import {
  findUnexpected,
  orderOfUnexpected,
  saveUnexpected,
} from '../../queries/unexpected-payments.ts';
import { requireFreshRefund } from '../../actions/refunds/sign-in.ts';
import { reactionErrors } from '../../reactions/index.ts';
import { loadOrderUpdate, planPayment } from '../../reactions/plan.ts';
import { planWaitingFor } from '../../reactions/waiting.ts';
import type { SessionRow, UnexpectedRow } from '../../schema/payments.ts';

export const resolveUnexpectedPayment = endpoint({
  id: 'payments.resolveUnexpected',
  route: ['POST /payments/unexpected/:id'],
  summary: 'Refund or accept an unexpected payment',
  description:
    '`refund` asks the payment provider to give the money back; if that fails, the payment is `open` again. `paid_by_hand` notes that you gave back the rest of it another way, and moves no money. If the order waits in `payment-confirm` because of this payment alone, it waits for its payment again; with a pending confirmation, or other money that waits for a decision, it keeps waiting. `accept` keeps the money: an order that waits for its payment is marked paid, whatever the amount was; any other order stays as it is. If the bank took back the payment of a paid order, `accept` answers 409 `order_payment_reversed`: set the order to `on-hold` first, so that the money pays it. `accept` of the `reversed` payment itself answers the same if you accepted or assigned other money for the order before. Money that was returned, or that the bank has taken back, pays nothing. To accept a payment for a cancelled order as its payment, first reopen the order.',
  access: apiKey('orders:write'),
  effect: 'write',
  fresh: 'decided',
  params: IdParams,
  body: UnexpectedResolve,
  reply: [200, record(UnexpectedPayment)],
  errors: [
    'rest_not_found',
    'rest_invalid_param',
    'rest_invalid_transition',
    'payment_resolved',
    'not_refundable',
    'order_payment_reversed',
    'out_of_stock',
    'transfer_figure_taken',
    ...reactionErrors,
  ],
}).handle(async ({ params, body, db, principal, ifMatch, now }) =>
  db.change({
    load: load(params.id),
    decide: (loaded) => {
      const before = current(loaded.unexpected, ifMatch);
      if (isRefusal(before)) return before;
      const [session] = loaded.session;
      if (!session) return refuse('rest_not_found');
      if (before.status !== 'open') return refuse('payment_resolved');
      const request = { actor: principal.actor, ifMatch: undefined, now };
      const plan = planAction(body.action, loaded, before, session, { ...request, principal });
      if (isRefusal(plan)) return plan;
      const status = body.action === 'accept' ? 'accepted' : 'refunded';
      const after = resolved(before, status, principal.actor, now);
      const writes = [saveUnexpected(before, after), ...plan.write];
      const order = loaded.found[0]?.order;
      const write = order
        ? serialised(order, writes, now)
        : [lockOrder(before.order_id), ...writes];
      return { ...plan, write, before, reply: one(after) };
    },
  }),
);

const load = (id: number) => ({
  ...loadOrderUpdate(orderOfUnexpected(id)),
  unexpected: findUnexpected(id),
  session: findUnexpectedSession(id),
  givenBack: findRefundsOfUnexpected(id),
  ...loadUndecided(orderOfUnexpected(id)),
});

type Loaded = Results<ReturnType<typeof load>>;

type Request = UpdateRequest & { readonly principal: ScopedPrincipal };

function planAction(
  action: UnexpectedResolve['action'],
  loaded: Loaded,
  row: UnexpectedRow,
  session: SessionRow,
  { principal, ...request }: Request,
) {
  // A part may have been refunded at the provider's dashboard, or as a refund of the order.
  const left = row.amount - refundTotal(refundsOfPayment(loaded.givenBack, session));
  if (action === 'accept') return planAcceptance(loaded, row, left, session, request);
  // Money that pays the order is refunded with the order.
  const isBooked = session.booked_at !== null;
  if (isGone(row.reason, session) || isBooked || left <= 0) return refuse('not_refundable');
  const refund =
    action === 'refund'
      ? newRefund(loaded, row, left, session, { ...request, principal })
      : settledRefund(session, left, { unexpected_id: row.id }, 'by_hand', request.now);
  if (isRefusal(refund)) return refund;
  // A parallel report of the provider changes this row too. The later one is decided again.
  const write = [saveSession(session, changed(session, request.now)), insertProviderRefund(refund)];
  const waiting = planWaitingFor(loaded, row, request, 'The payment was refunded.');
  return isRefusal(waiting) ? waiting : { ...waiting, write: [...write, ...waiting.write] };
}

/** The provider refunds what it still has. */
function newRefund(
  { settings: [settings] }: Loaded,
  { id, amount, currency }: UnexpectedRow,
  left: number,
  session: SessionRow,
  { principal, now }: Request,
) {
  if (!session.refundable || currency !== session.currency) return refuse('not_refundable');
  if (!settings) return refuse('not_refundable');
  requireFreshRefund(principal, amount, settings, now);
  return newProviderRefund(session, left, { unexpected_id: id }, false, now);
}

/** Tells if the bank has taken the money back. */
const isGone = (reason: UnexpectedRow['reason'], session: SessionRow) =>
  reason === 'reversed' || isReversed(session);

/** Plans the payment of a waiting order with the money. Money that was returned pays nothing. */
function planAcceptance(
  loaded: Loaded,
  { id, reason, amount }: UnexpectedRow,
  left: number,
  session: SessionRow,
  request: UpdateRequest,
) {
  const [row] = loaded.found;
  if (isGone(reason, session)) {
    if (
      isPaidByReversed(row?.order, loaded.paidBy[0]) &&
      hasMoneyBesideReversed(loaded.paidBy[0])
    ) {
      return refuse('order_payment_reversed');
    }
    return planWaitingFor(loaded, { id, reason }, request, 'The bank took the payment back.');
  }
  if (left <= 0)
    return planWaitingFor(loaded, { id, reason }, request, 'The payment was refunded.');
  if (!row || !isUnpaid(row.order.status)) {
    return isPaidByReversed(row?.order, loaded.paidBy[0])
      ? refuse('order_payment_reversed')
      : { write: [], events: [] };
  }
  const plan = planPayment(loaded, moneyFrom(session, amount), request);
  if (isRefusal(plan)) return plan;
  const at = request.now.toISOString();
  // The next look-up finds what was refunded of the money at the dashboard, and books it as the order's.
  const givenBack = providerRefundTotal(refundsOfPayment(loaded.givenBack, session));
  const check_at = givenBack > 0 ? at : session.check_at;
  const booked = { ...changed(session, request.now), booked_at: at, check_at };
  return {
    ...plan,
    write: [saveSession(session, booked), forgetRefundsOf(session), ...plan.write],
  };
}
