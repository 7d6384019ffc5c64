import { type Results, drawId, nextId } from '../kernel/database/statements.ts';
import { isRefusal } from '../kernel/errors/errors.ts';
import { payingOrder } from '../domain/payment/matching.ts';
import {
  type CountedMutation,
  isNews,
  newMutation,
  transferNote,
} from '../domain/payment/mutations.ts';
import { mutationEvent } from '../domain/payment/mutation-events.ts';
import type { LoadedUpdate, UpdateRequest } from '../domain/purchase/update-state.ts';
import { findKnownMutations, insertMutation, saveMutation } from '../queries/bank-mutations.ts';
import {
  findHeld,
  beginHold,
  findLeftOutCode,
  findWaiting,
  firstWaiting,
  heldUntil,
} from '../queries/order-transfers.ts';
import type { BankMutationRow } from '../schema/bank-mutations.ts';
import { type LoadedFollowing, loadOrderUpdate, planPayment } from './plan.ts';
import type { Settlement } from './loaded-settlement.ts';

/** @param gateways gateways of orders whose buyers may have sent the money */
export const loadMutation = (mutation: CountedMutation, gateways: readonly string[]) => ({
  ...loadOrderUpdate(firstWaiting(mutation, gateways)),
  known: findKnownMutations(mutation.source, [mutation.mutation_id]),
  waiting: findWaiting(mutation, gateways),
  held: findHeld(mutation, firstWaiting(mutation, gateways)),
  leftOutCode: findLeftOutCode(mutation, firstWaiting(mutation, gateways)),
  mutationId: drawId('bank_mutations'),
});

export type LoadedMutation = Results<ReturnType<typeof loadMutation>>;

/**
 * Lets a mutation pay the waiting order, or keeps it for a person. A repeated report does nothing.
 * @param refused true if the order turned out not to accept the payment
 */
export function planMutation(
  loaded: LoadedMutation,
  mutation: CountedMutation,
  now: Date,
  refused: boolean,
): Settlement {
  const [kept] = loaded.known;
  if (!isNews(mutation, kept)) return { write: [], events: [] };
  const id = kept?.id ?? nextId(loaded.mutationId);
  const save = (row: BankMutationRow) =>
    kept
      ? saveMutation(kept, { ...row, created_at: kept.created_at, version: kept.version + 1 })
      : insertMutation(row);
  const order_id = refused || !mutation.exact ? undefined : matchIn(loaded, mutation);
  const request = { actor: { type: 'system', id: null }, ifMatch: undefined, now } as const;
  const plan = order_id === undefined ? undefined : planTransfer(loaded, mutation, request);
  if (plan && !isRefusal(plan)) {
    const row = newMutation(id, mutation, order_id, now);
    return { write: [save(row), ...plan.write], events: plan.events };
  }
  const row = newMutation(id, mutation, undefined, now);
  const events = row.status === 'open' ? [mutationEvent('mutation.unmatched', row)] : [];
  const begin = loaded.leftOutCode.rows[0]?.is_first ? [beginHold(now)] : [];
  return { write: [save(row), ...begin], events };
}

/** The order that a mutation pays, if it was loaded. */
function matchIn(loaded: LoadedMutation, mutation: CountedMutation): number | undefined {
  const senders = {
    waiting: loaded.waiting,
    held_until: heldUntil(loaded.held),
    leftOutCode: loaded.leftOutCode.rows[0],
  };
  const accounts = loaded.settings[0]?.manual_accounts ?? [];
  const id = payingOrder(mutation, senders, accounts);
  return id === loaded.found[0]?.order.id ? id : undefined;
}

export function planTransfer(
  loaded: LoadedUpdate & LoadedFollowing,
  mutation: Pick<CountedMutation, 'source' | 'amount'>,
  request: UpdateRequest,
) {
  const money = { amount: mutation.amount, note: transferNote(mutation) };
  return planPayment(loaded, money, request);
}
