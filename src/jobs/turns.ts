import type { raw } from '../kernel/database/statements.ts';
import { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import { type Need, inRound } from '../kernel/budget.ts';
import type { Services } from '../kernel/endpoint/services.ts';
import { lanes } from '../kernel/events/outbound.ts';

/** Calls for a look-up or a refund at a provider: six at most go there. */
const need: Need = { calls: 9, kept: 3 };

/** Calls that take rows and read them. */
const before = 2;

/** How long a run begins with further rows, in seconds. */
const runs = 30;

/**
 * Takes rows that are due, as many as may ask other servers at once, and works on them, until there are
 * none, the time for beginning is over or no calls are left for another.
 * @param take the statement that takes at most so many, and answers their ids
 * @param read the rows of these ids
 * @param work on each of them
 * @throws the first failure, once all of them had their turn
 */
export async function inTurns<Row>(
  { connection, clock, budget }: Services,
  take: (most: number, now: Date) => ReturnType<typeof raw<{ id: number }>>,
  read: (ids: readonly number[]) => Promise<readonly Row[]>,
  work: (row: Row) => Promise<void>,
): Promise<void> {
  const end = clock.now().getTime() + runs * 1000;
  const failures: unknown[] = [];
  for (let more = true; more && clock.now().getTime() < end;) {
    const round = await inRound(budget, { need, before, most: lanes }, async (most) => {
      const taken = await new UnitOfWork(connection, undefined).write([], take(most, clock.now()));
      const rows = taken.length > 0 ? await read(taken.map(({ id }) => id)) : [];
      return rows.map((row) => () => work(row));
    });
    const done = round?.done ?? [];
    failures.push(...done.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])));
    more = round?.wasFull === true;
  }
  if (failures.length > 0) throw failures[0];
}
