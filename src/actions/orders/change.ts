import type { SQL } from 'drizzle-orm';
import { prepared } from '../../kernel/database/prepared.ts';
import { type Argument, sendIf } from '../../kernel/database/statements.ts';
import { one } from '../../kernel/schemas/replies.ts';
import { type ErrorCode, type Refusal, isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { toOrder } from '../../domain/order/rules.ts';
import type { OrderUpdate } from '../../domain/order/request-schemas.ts';
import { mayDrawCode } from '../../domain/purchase/payable.ts';
import { forgetsPayment, hasMoved, leavesOtherMoney } from '../../domain/purchase/update.ts';
import type { LoadedUpdate, Update } from '../../domain/purchase/update-state.ts';
import { findFiguresNearOrder } from '../../queries/transfer-figures.ts';
import { type LoadedFollowing, loadOrderUpdate, planMove } from '../../reactions/plan.ts';

interface ChangeQuestion {
  readonly id: Argument<number>;
  readonly quantity: Argument<number> | undefined;
  /** The future price, if known. Reserved amounts near it are loaded. */
  readonly due: Argument<number> | undefined;
  /** True if the change may need a new transfer amount. */
  readonly draws: boolean | SQL;
  readonly now: Argument<Date>;
}

const loadChange = ({ id, quantity, due, draws, now }: ChangeQuestion, affiliate_id?: number) => ({
  ...loadOrderUpdate(id, { quantity, affiliate_id }),
  figures: sendIf(draws, () => findFiguresNearOrder(id, quantity ?? null, due ?? null, now)),
});

const load = prepared(
  { id: 'bigint', quantity: 'bigint?', due: 'bigint?', draws: 'boolean', now: 'timestamptz' },
  (asked) => loadChange(asked),
);

/** @param due the future price, if it was decided before */
export function loadOrderChange(
  id: number,
  { affiliate_id, quantity, grand_total, ...input }: OrderUpdate,
  due: number | undefined,
  now: Date,
) {
  const asked = {
    id,
    quantity,
    due: grand_total ?? due,
    draws: mayDrawCode({ ...input, affiliate_id, quantity, grand_total }),
  };
  return affiliate_id
    ? loadChange({ ...asked, now }, affiliate_id)
    : load({ ...asked, now: now.toISOString() });
}

/**
 * A caller who asked for a status also learns if it changed.
 * @param again facts for the next try
 */
export function changedOrder<C extends ErrorCode, Again>(
  updated: Update | Refusal<C>,
  loaded: LoadedFollowing & Pick<LoadedUpdate, 'found' | 'paidBy'>,
  { status }: OrderUpdate,
  again: Again,
) {
  if (isRefusal(updated)) return updated;
  if (forgetsPayment(updated, loaded)) return refuse('order_has_payment');
  if (leavesOtherMoney(updated, loaded)) return refuse('order_payment_reversed');
  const plan = planMove(updated, loaded);
  if (isRefusal(plan)) return plan;
  const [before] = loaded.found;
  const changed = status && { changed: hasMoved(updated) };
  return {
    ...plan,
    ...(before && { before: toOrder(before) }),
    again,
    reply: { ...one(toOrder(updated.row)), ...changed },
  };
}
