import type { Need } from '../kernel/budget.ts';
import { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import { ApiError, isRefusal } from '../kernel/errors/errors.ts';
import type { Services } from '../kernel/deployment/services.ts';
import { changeAsSystem } from '../kernel/command/system.ts';
import { loadOrderUpdate, planStatus } from '../reactions/plan.ts';
import { findExpiredOrders } from '../queries/orders.ts';
import { eachWithinBudget } from './turns.ts';

/** Orders cancelled in one run; the next run takes up the rest. */
const batch = 50;

/** Calls that cancel an order. */
const need: Need = { calls: 2, kept: 0 };

/** Cancels the orders that waited for payment until their time was over. */
export async function cancelExpired(services: Services): Promise<void> {
  const unit = new UnitOfWork(services.connection, undefined);
  const { due } = await unit.query({ due: findExpiredOrders(services.clock.now(), batch) });
  await eachWithinBudget(services, need, due, ({ id }) =>
    // An order that keeps changing is somebody's: it is looked at again in the next run.
    cancelOne(services, id).catch((error: unknown) => {
      if (error instanceof ApiError) return false;
      throw error;
    }),
  );
}

/** Cancels an order. @returns whether it is due no longer */
async function cancelOne(services: Services, id: number): Promise<boolean> {
  let isDone = true;
  const refused = await changeAsSystem(services, {
    load: loadOrderUpdate(id),
    decide: (loaded) => {
      const now = services.clock.now();
      const nothing = { write: [], reply: null };
      const [row] = loaded.found;
      const waits = row?.order.status === 'on-hold' && row.order.grand_total > 0;
      const expires = waits ? row.order.expires_at : null;
      // A payment that arrived in between stops the clock.
      if (expires === null || expires > now.toISOString()) return nothing;
      const actor = { type: 'system', id: null } as const;
      const change = { status: 'cancelled', note: 'Not paid in time.' } as const;
      const plan = planStatus(loaded, change, { actor, ifMatch: undefined, now });
      isDone = !isRefusal(plan);
      return isRefusal(plan) ? nothing : { ...plan, reply: null };
    },
  });
  return isDone && refused === undefined;
}
