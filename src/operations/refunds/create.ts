import { apiKey, endpoint, IdParams, one } from '../../kernel/endpoint/declare.ts';
import { isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { reactionErrors } from '../../reactions/index.ts';
import { loadOrderUpdate, planUpdate } from '../../reactions/plan.ts';
import { toOrder } from '../../domain/order/rules.ts';
import type { OrderChange } from '../../domain/order/change.ts';
import { refusedPart } from '../../domain/payment/amounts.ts';
import { loadGateways } from '../../providers/payments/load.ts';
import type { Gateway } from '../../providers/payments/gateway.ts';
import { decideRefund, leavesOtherMoney } from '../../domain/purchase/update.ts';
import { shownNew } from '../../domain/refund/rules.ts';
import { newRefunds } from '../../reactions/refunds.ts';
import { requireFreshChange } from '../../actions/refunds/sign-in.ts';
import { RefundCreate, RefundReply } from '../../domain/refund/schemas.ts';

export const createRefund = endpoint({
  id: 'refunds.create',
  route: ['POST /orders/:id/refunds'],
  summary: 'Refund an order',
  description:
    'Refunds part of what was paid, or all that is left. When everything has been refunded, the order becomes `refunded`. A payment provider gives back at most what came through it and was not refunded yet; `state` shows the progress. The rest is a separate `manual` refund, which you pay by hand: for example, if you accepted a smaller payment for the order. Of a payment that the bank has taken back, only all that is left can be refunded. If you accepted or assigned other money for the order before, the answer is 409 `order_payment_reversed`: set the order to `on-hold` first, so that this money can pay it.',
  access: apiKey('orders:write'),
  effect: 'write',
  fresh: 'decided',
  conditional: true,
  params: IdParams,
  body: RefundCreate,
  reply: [201, RefundReply],
  errors: [
    'rest_not_found',
    'rest_invalid_param',
    'rest_invalid_transition',
    'nothing_payable',
    'refund_exceeds_paid',
    'order_payment_reversed',
    'out_of_stock',
    ...reactionErrors,
  ],
}).handle(async ({ params, body, db, principal, config, ifMatch, now }) => {
  const redirects = await loadGateways(config);
  return db.change({
    load: loadOrderUpdate(params.id),
    decide: (loaded) => {
      const request = { actor: principal.actor, ifMatch, now };
      const updated = decideRefund(loaded, body, request);
      if (isRefusal(updated)) return updated;
      if (leavesOtherMoney(updated, loaded)) return refuse('order_payment_reversed');
      requireFreshChange(principal, updated);
      const refused = updated.change && refusedAmount(updated.change, body.amount, redirects);
      if (refused) return refuse('rest_invalid_param', { params: { amount: refused } });
      const plan = planUpdate(updated, loaded);
      if (isRefusal(plan)) return plan;
      const [refund, rest] = updated.change
        ? newRefunds(updated.change, loaded.reactions.refunds).map(shownNew)
        : [];
      if (!refund) return refuse('nothing_payable');
      return { ...plan, reply: one({ refund, rest: rest ?? null, order: toOrder(updated.row) }) };
    },
  });
});

/** The reason why the provider can't pay its part of the amount. */
function refusedAmount(
  { before, after, refund, settings }: OrderChange,
  asked: number | undefined,
  redirects: readonly Gateway[],
): string | undefined {
  const gateway = redirects.find(({ id }) => id === refund?.session?.gateway);
  if (!gateway || !refund || refund.byProvider === 0 || asked === undefined) return undefined;
  const { byProvider: amount, byHand } = refund;
  const most = byHand > 0 ? amount : after.grand_total - (before?.refunded_total ?? 0);
  return refusedPart(gateway, { ...settings, amount }, most);
}
