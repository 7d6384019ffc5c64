import { changeAsSystem } from '../kernel/command/system.ts';
import { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import type { Services } from '../kernel/deployment/services.ts';
import { payoutEvent } from '../domain/payout/events.ts';
import { toPayout } from '../domain/payout/rules.ts';
import { findTellable, tellLine } from '../queries/payout-lines.ts';
import { findPayout } from '../queries/payouts.ts';
import { eachWithinBudget } from './turns.ts';

/** Calls for one payout. */
const need = { calls: 2, kept: 0 };

/** Payouts per turn. The next turn continues. */
const most = 200;

/** Notifies affiliates of payouts that have no result after three days. */
export async function tellPayouts(services: Services): Promise<void> {
  const unit = new UnitOfWork(services.connection, undefined);
  const { due } = await unit.query({ due: findTellable(services.clock.now(), most) });
  await eachWithinBudget(services, need, due, async ({ id }) => {
    await changeAsSystem(services, {
      load: { found: findPayout(id) },
      decide: ({ found: [payout] }) => ({
        write: [tellLine(id)],
        events: payout ? [payoutEvent('payout.paid', toPayout(payout))] : [],
        reply: null,
      }),
    });
    return true;
  });
}
