import type { Need } from '../kernel/budget.ts';
import { changeAsSystem } from '../kernel/command/system.ts';
import { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import type { Services } from '../kernel/deployment/services.ts';
import { deletedRecord } from '../kernel/schemas/replies.ts';
import { userEvent } from '../domain/user/events.ts';
import { anonymisedUser } from '../domain/user/rules.ts';
import { eraseTraces } from '../queries/erasure.ts';
import { expectUnused, findStaleBuyers, findUse, keepNewBuyer } from '../queries/new-buyers.ts';
import { findUser } from '../queries/users.ts';
import { saveUser } from '../queries/user-writes.ts';
import { eachWithinBudget } from './turns.ts';

/** Accounts per run. The next run continues. */
const batch = 50;

/** Calls for one account. */
const need: Need = { calls: 2, kept: 0 };

/** Anonymises accounts that the shop made, if nobody paid or signed in for 90 days. */
export async function endNewBuyers(services: Services): Promise<void> {
  const now = services.clock.now();
  const unit = new UnitOfWork(services.connection, undefined);
  const { due } = await unit.query({ due: findStaleBuyers(now, batch) });
  await eachWithinBudget(services, need, due.rows, ({ id }) => endOne(services, id, now));
}

async function endOne(services: Services, id: number, now: Date): Promise<boolean> {
  const refused = await changeAsSystem(services, {
    load: { found: findUser(id), use: findUse(id, now) },
    decide: ({ found: [before], use }) => {
      if (!before || use.rows.length > 0) return { write: [keepNewBuyer(id)], reply: null };
      return {
        write: [
          expectUnused(id, now),
          ...saveUser(before, anonymisedUser(before, now)),
          ...eraseTraces(before.user, now),
        ],
        events: [userEvent('user.deleted', deletedRecord(id))],
        reply: null,
      };
    },
  });
  return refused === undefined;
}
