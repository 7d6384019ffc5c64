import type { Need } from '../kernel/budget.ts';
import { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import { ApiError, isRefusal } from '../kernel/errors/errors.ts';
import type { Services } from '../kernel/deployment/services.ts';
import { changeAsSystem } from '../kernel/command/system.ts';
import { loadOrderUpdate, planStatus } from '../reactions/plan.ts';
import { findExpiredOrders } from '../queries/orders.ts';
import { findUnreviewed } from '../queries/purchase-forms.ts';
import { eachWithinBudget } from './turns.ts';

/** Orders per run. The next run continues. */
const batch = 50;

/** Calls for one order. */
const need: Need = { calls: 2, kept: 0 };

interface Reason {
  readonly note: string;
  /** Finds orders to cancel. Each is looked for again before its cancellation: a payment may have arrived in between. */
  readonly find: typeof findExpiredOrders | typeof findUnreviewed;
}

export const cancelExpired = (services: Services): Promise<void> =>
  cancelAll(services, { note: 'Not paid in time.', find: findExpiredOrders });

/**
 * Cancels shop orders whose payment proof nobody reviewed in time. Anybody can send a picture, and hold goods by it.
 */
export const cancelUnreviewed = (services: Services): Promise<void> =>
  cancelAll(services, {
    note: 'Nobody reviewed the payment proof in time.',
    find: findUnreviewed,
  });

async function cancelAll(services: Services, reason: Reason): Promise<void> {
  const unit = new UnitOfWork(services.connection, undefined);
  const { due } = await unit.query({ due: reason.find(services.clock.now(), batch) });
  await eachWithinBudget(services, need, due, ({ id }) =>
    // An order that keeps changing is in use. The next run tries again.
    cancelOne(services, id, reason).catch((error: unknown) => {
      if (error instanceof ApiError) return false;
      throw error;
    }),
  );
}

/** @returns true if the order is no longer due */
async function cancelOne(services: Services, id: number, { note, find }: Reason) {
  let isDone = true;
  const now = services.clock.now();
  const refused = await changeAsSystem(services, {
    load: { ...loadOrderUpdate(id), due: find(now, 1, id) },
    decide: (loaded) => {
      const nothing = { write: [], reply: null };
      if (loaded.due.length === 0) return nothing;
      const actor = { type: 'system', id: null } as const;
      const change = { status: 'cancelled', note } as const;
      const plan = planStatus(loaded, change, { actor, ifMatch: undefined, now });
      isDone = !isRefusal(plan);
      return isRefusal(plan) ? nothing : { ...plan, reply: null };
    },
  });
  return isDone && refused === undefined;
}
