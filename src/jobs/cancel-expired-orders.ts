import type { Need } from '../kernel/budget.ts';
import { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import { ApiError, isRefusal } from '../kernel/errors/errors.ts';
import type { Services } from '../kernel/deployment/services.ts';
import { changeAsSystem } from '../kernel/command/system.ts';
import { loadOrderUpdate, planStatus } from '../reactions/plan.ts';
import { findExpiredOrders } from '../queries/orders.ts';
import { findUnreviewed } from '../queries/purchase-forms.ts';
import type { OrderColumns } from '../schema/orders.ts';
import { eachWithinBudget } from './turns.ts';

/** Orders per run. The next run continues. */
const batch = 50;

/** Calls for one order. */
const need: Need = { calls: 2, kept: 0 };

interface Reason {
  readonly note: string;
  /** Checked again: a payment may have arrived in between. */
  readonly holds: (order: OrderColumns, now: Date) => boolean;
}

export async function cancelExpired(services: Services): Promise<void> {
  const unit = new UnitOfWork(services.connection, undefined);
  const { due } = await unit.query({ due: findExpiredOrders(services.clock.now(), batch) });
  await cancelAll(services, due, {
    note: 'Not paid in time.',
    holds: ({ status, grand_total, expires_at }, now) =>
      status === 'on-hold' &&
      grand_total > 0 &&
      expires_at !== null &&
      expires_at <= now.toISOString(),
  });
}

/**
 * Cancels shop orders whose payment proof nobody reviewed in time. Anybody can send a picture, and hold goods by it.
 */
export async function cancelUnreviewed(services: Services): Promise<void> {
  const unit = new UnitOfWork(services.connection, undefined);
  const { due } = await unit.query({ due: findUnreviewed(services.clock.now(), batch) });
  await cancelAll(services, due.rows, {
    note: 'Nobody reviewed the payment proof in time.',
    holds: ({ status }) => status === 'payment-confirm',
  });
}

const cancelAll = (services: Services, due: readonly { id: number }[], reason: Reason) =>
  eachWithinBudget(services, need, due, ({ id }) =>
    // An order that keeps changing is in use. The next run tries again.
    cancelOne(services, id, reason).catch((error: unknown) => {
      if (error instanceof ApiError) return false;
      throw error;
    }),
  );

/** @returns true if the order is no longer due */
async function cancelOne(services: Services, id: number, { note, holds }: Reason) {
  let isDone = true;
  const refused = await changeAsSystem(services, {
    load: loadOrderUpdate(id),
    decide: (loaded) => {
      const now = services.clock.now();
      const nothing = { write: [], reply: null };
      const [row] = loaded.found;
      if (!row || !holds(row.order, now)) return nothing;
      const actor = { type: 'system', id: null } as const;
      const change = { status: 'cancelled', note } as const;
      const plan = planStatus(loaded, change, { actor, ifMatch: undefined, now });
      isDone = !isRefusal(plan);
      return isRefusal(plan) ? nothing : { ...plan, reply: null };
    },
  });
  return isDone && refused === undefined;
}
