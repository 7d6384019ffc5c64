import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import type { Results } from '../../kernel/database/statements.ts';
import { current, isRefusal, refuse, unknownReference } from '../../kernel/errors/errors.ts';
import { isPaidByReversed } from '../../domain/payment/refunds.ts';
import { isUnpaid, statusGroup } from '../../domain/order/transitions.ts';
import { decidedMutation } from '../../domain/payment/mutations.ts';
import { BankMutation, MutationResolve } from '../../domain/payment/mutation-schemas.ts';
import type { UpdateRequest } from '../../domain/purchase/update-state.ts';
import { findMutation, saveMutation } from '../../queries/bank-mutations.ts';
import { serialised } from '../../queries/order-guards.ts';
import { releaseReported } from '../../queries/transfer-figures.ts';
import { reactionErrors } from '../../reactions/index.ts';
import { planTransfer } from '../../reactions/mutations.ts';
import { loadOrderUpdate } from '../../reactions/plan.ts';
import type { BankMutationRow } from '../../schema/bank-mutations.ts';

export const resolveBankMutation = endpoint({
  id: 'payments.resolveMutation',
  route: ['POST /payments/mutations/:id'],
  summary: 'Assign or ignore a bank mutation',
  description:
    'Decides on a mutation that is `open`. `assign` marks the order `order_id` paid, whatever the amount was; an order that was marked paid before stays as it is, and the mutation is kept as its transfer. A cancelled order must be reopened first. If the bank took back the payment of a paid order, `assign` answers 409 `order_payment_reversed`: set the order to `on-hold` first, so that the transfer pays it. `ignore` keeps the mutation without an order.',
  access: apiKey('orders:write'),
  effect: 'write',
  params: IdParams,
  body: MutationResolve,
  reply: [200, record(BankMutation)],
  errors: [
    'rest_not_found',
    'rest_missing_callback_param',
    'rest_invalid_param',
    'rest_invalid_transition',
    'order_not_payable',
    'order_payment_reversed',
    'payment_resolved',
    'out_of_stock',
    'transfer_figure_taken',
    ...reactionErrors,
  ],
}).handle(async ({ params, body, db, principal, ifMatch, now }) => {
  const { action, order_id = 0 } = body;
  if (action === 'assign' && order_id === 0) {
    return refuse('rest_missing_callback_param', {
      params: { order_id: 'is needed to assign it' },
    });
  }
  return db.change({
    load: load(params.id, order_id),
    decide: (loaded) => {
      const before = current(loaded.mutation, ifMatch);
      if (isRefusal(before)) return before;
      if (before.status !== 'open') return refuse('payment_resolved');
      const request = { actor: principal.actor, ifMatch: undefined, now };
      const plan =
        action === 'assign' ? planAssignment(loaded, before, request) : { write: [], events: [] };
      if (isRefusal(plan)) return plan;
      const after = decidedMutation(before, action === 'assign' ? order_id : undefined, now);
      const write = [saveMutation(before, after), ...plan.write];
      return { ...plan, write, before, reply: one(after) };
    },
  });
});

const load = (id: number, order_id: number) => ({
  ...loadOrderUpdate(order_id),
  mutation: findMutation(id),
});

type Loaded = Results<ReturnType<typeof load>>;

/** Plans the payment of an order. If the transfer has paid it already, nothing more is paid. */
function planAssignment(loaded: Loaded, mutation: BankMutationRow, request: UpdateRequest) {
  const order = loaded.found[0]?.order;
  if (!order) return unknownReference('order_id');
  if (isUnpaid(order.status)) return planTransfer(loaded, mutation, request);
  if (order.paid_at === null || statusGroup(order.status) === 'closed') {
    return refuse('order_not_payable');
  }
  if (isPaidByReversed(order, loaded.paidBy[0])) return refuse('order_payment_reversed');
  const release = releaseReported(order.id, request.now);
  return { write: serialised(order, [release], request.now), events: [] };
}
