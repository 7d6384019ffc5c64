import type { SQL } from 'drizzle-orm';
import type { Write } from '../../db/statements.ts';
import type { DomainEvent } from '../../events/define.ts';
import { type Refusal, isRefusal } from '../../http/errors.ts';
import type { Creation } from './creation.ts';
import { type EffectCode, decideEffects, loadEffects } from './effects.ts';
import { orderEvents } from './events.ts';
import { candidatesFor, loadUpdate } from './queries.ts';
import { hideOrder, holdReopened, insertOrder, saveOrder } from './queries-writing.ts';
import { type OrderColumns, toOrder } from './rules.ts';
import type { OrderUpdate } from './schemas.ts';
import { isReopening, statusGroup } from './transitions.ts';
import { type LoadedUpdate, type Update, type UpdateRequest, decideRemoval } from './update.ts';

/** Everything a change of an existing order is decided on, what its effects need included. */
export const loadOrderUpdate = (
  id: number | SQL,
  { affiliate_id, quantity }: Pick<OrderUpdate, 'affiliate_id' | 'quantity'> = {},
) => ({
  ...loadUpdate(id, affiliate_id),
  ...loadEffects({
    kind: 'existing',
    id,
    quantity,
    candidates: affiliate_id ? candidatesFor({ affiliate_id }) : undefined,
  }),
});

type Loaded = Readonly<Record<string, unknown>>;

interface Plan<C extends string> {
  readonly write: readonly Write<C | EffectCode>[];
  readonly events: readonly DomainEvent[];
}

/** The rows of an order's new state with everything that follows from it. */
export function planUpdate(
  updated: Update,
  loaded: Loaded,
): Plan<'out_of_stock'> | Refusal<EffectCode> {
  if (!updated.change) return { write: [], events: [] };
  const effects = decideEffects(updated.change, loaded);
  if (isRefusal(effects)) return effects;
  const events = orderEvents(toOrder(updated.row), updated.change.before?.status ?? null);
  return {
    write: [...saveOrder(updated), ...effects.write],
    events: [...events, ...effects.events],
  };
}

/** The same of a change that may reopen the order: what a new one would be held to, that is held to too. */
export function planMove(
  updated: Update,
  loaded: Loaded,
): Plan<'out_of_stock' | 'purchase_too_soon' | 'tryout_used'> | Refusal<EffectCode> {
  const plan = planUpdate(updated, loaded);
  const { change } = updated;
  return isRefusal(plan) || !change?.before || !isReopening(change.before, change.after)
    ? plan
    : { ...plan, write: holdReopened(change, plan.write) };
}

/** Hides an order from every list, and takes back what followed from it where it isn't closed yet. */
export function planHiding(
  order: OrderColumns,
  loaded: LoadedUpdate & Loaded,
  request: UpdateRequest,
):
  | Plan<'out_of_stock'>
  | Refusal<'rest_not_found' | 'rest_conflict' | 'out_of_stock' | EffectCode> {
  if (statusGroup(order.status) === 'closed') {
    return { write: [hideOrder(order, request.now)], events: [] };
  }
  const removed = decideRemoval(loaded, request);
  return isRefusal(removed) ? removed : planUpdate(removed, loaded);
}

/** The rows of a new order with everything that follows from it. */
export function planCreation(
  created: Creation,
  loaded: Loaded,
): Plan<'out_of_stock' | 'purchase_too_soon'> | Refusal<EffectCode> {
  const effects = decideEffects(created.change, loaded);
  if (isRefusal(effects)) return effects;
  const events = orderEvents(toOrder(created.row), null);
  return {
    write: [...insertOrder(created), ...effects.write],
    events: [...events, ...effects.events],
  };
}
