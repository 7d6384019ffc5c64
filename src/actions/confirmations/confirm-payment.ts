import type { Actor } from '../../kernel/auth/actor.ts';
import { type Results, drawId, nextId } from '../../kernel/database/statements.ts';
import type { WriteAccess } from '../../kernel/command/store.ts';
import { one } from '../../kernel/schemas/replies.ts';
import { isRefusal, refuse, unknownReference } from '../../kernel/errors/errors.ts';
import { reactionErrors } from '../../reactions/index.ts';
import { loadOrderUpdate, planStatus } from '../../reactions/plan.ts';
import { isUnpaid } from '../../domain/order/transitions.ts';
import {
  findConfirmation,
  findSameProof,
  holdNewProof,
  insertConfirmation,
  orderOf,
  supersedePending,
} from '../../queries/confirmations.ts';
import { confirmationEvent } from '../../domain/confirmation/events.ts';
import { newConfirmation, proofOf } from '../../domain/confirmation/rules.ts';
import { Confirmation, ConfirmationInput } from '../../domain/confirmation/schemas.ts';
import { holdOrder } from '../../queries/order-guards.ts';
import { loadUndecided } from '../../queries/undecided.ts';

export const changeErrors = [
  'rest_not_found',
  'rest_invalid_param',
  'rest_invalid_transition',
  'out_of_stock',
  ...reactionErrors,
] as const;

export const loadReport = (order_id: number, input: ConfirmationInput) => ({
  ...loadOrderUpdate(order_id),
  id: drawId('confirmations'),
  same: findSameProof(proofOf(input)),
});

/** The order then waits for a review. */
export function decideReport(
  loaded: Results<ReturnType<typeof loadReport>>,
  input: ConfirmationInput,
  unknown: () => ReturnType<typeof unknownReference>,
  { actor, now }: { actor: Actor; now: Date },
) {
  const [row] = loaded.found;
  if (!row) return unknown();
  if (!isUnpaid(row.order.status)) return refuse('order_not_payable');
  const request = { actor, ifMatch: undefined, now };
  const plan = planStatus(loaded, { status: 'payment-confirm' }, request);
  if (isRefusal(plan)) return plan;
  const id = nextId(loaded.id);
  const confirmation = newConfirmation(input, id, row.order, loaded.same[0], now);
  return {
    write: [
      holdOrder(row.order),
      ...plan.write,
      ...(loaded.same.length === 0 ? holdNewProof(proofOf(input)) : []),
      supersedePending(row.order.id, now),
      insertConfirmation(confirmation),
    ],
    events: [...plan.events, confirmationEvent('confirmation.created', confirmation)],
    reply: one(confirmation),
  };
}

export const confirm = (
  db: WriteAccess<{ success: true; data: Confirmation }>,
  order_id: number,
  input: ConfirmationInput,
  unknown: () => ReturnType<typeof unknownReference>,
  { actor, now }: { actor: () => Actor; now: Date },
) =>
  db.change({
    load: loadReport(order_id, input),
    decide: (loaded) => decideReport(loaded, input, unknown, { actor: actor(), now }),
  });

export const loadReview = (id: number) => ({
  ...loadOrderUpdate(orderOf(id)),
  ...loadUndecided(orderOf(id)),
  confirmation: findConfirmation(id),
});
