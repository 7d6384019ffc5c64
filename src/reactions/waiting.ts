import { isRefusal } from '../kernel/errors/errors.ts';
import type { Results } from '../kernel/database/statements.ts';
import type { LoadedUpdate, UpdateRequest } from '../domain/purchase/update-state.ts';
import { type Decided, type loadUndecided, requireUndecided } from '../queries/undecided.ts';
import type { UnexpectedRow } from '../schema/payments.ts';
import { type LoadedFollowing, planStatus } from './plan.ts';

type Loaded = LoadedUpdate & LoadedFollowing & Results<ReturnType<typeof loadUndecided>>;

/** An order waits for its payment again once a person has nothing more to decide about it. */
export function planWaiting(
  loaded: Loaded,
  decided: Decided,
  request: UpdateRequest,
  note: string | undefined,
) {
  const [row] = loaded.found;
  if (!row) return { write: [], events: [] };
  const isMore =
    loaded.proofs.some(({ id }) => id !== decided.confirmation_id) ||
    loaded.amounts.some(({ id }) => id !== decided.unexpected_id);
  const checked = requireUndecided(row.order.id, decided, isMore);
  if (isMore) return { write: [checked], events: [] };
  const plan = planStatus(loaded, { status: 'on-hold', note }, request);
  return isRefusal(plan) ? plan : { ...plan, write: [checked, ...plan.write] };
}

/** Like `planWaiting`, for an order that waits for a person because of this money. */
export function planWaitingFor(
  loaded: Loaded,
  { id, reason }: Pick<UnexpectedRow, 'id' | 'reason'>,
  request: UpdateRequest,
  note: string,
) {
  const isWaiting =
    (reason === 'amount' || reason === 'currency') &&
    loaded.found[0]?.order.status === 'payment-confirm';
  return isWaiting
    ? planWaiting(loaded, { unexpected_id: id }, request, note)
    : { write: [], events: [] };
}
