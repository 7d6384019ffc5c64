import type { raw } from '../kernel/database/statements.ts';
import { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import { type Need, inRound } from '../kernel/budget.ts';
import type { Services } from '../kernel/deployment/services.ts';
import { eachApart } from '../kernel/command/each-apart.ts';
import { lanes } from '../kernel/events/outbound.ts';

/** Calls for a look-up or refund, of which at most six go to the provider. */
const need: Need = { calls: 9, kept: 3 };

/** Calls that claim and read rows. */
const before = 2;

/** Seconds after which a run starts no further rows. */
const runs = 30;

/**
 * Claims due rows, as many as may call other servers in parallel, and works on them, until none are due, the time is
 * over or no calls are left.
 * @param take the statement that claims up to a number of rows and returns their ids
 * @param read reads the rows with these ids
 * @param work works on each of them
 * @throws the first failure, after all rows had their turn
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

/**
 * Works on rows in turn while calls are left. A later invocation does the rest: at once if this one made progress,
 * since rows that can't be finished stay due.
 * @param work returns true once its row is no longer due
 */
export async function eachWithinBudget<Row>(
  { budget }: Pick<Services, 'budget'>,
  each: Need,
  rows: readonly Row[],
  work: (row: Row) => Promise<boolean>,
): Promise<void> {
  let done = 0;
  await eachApart(rows, async (row) => {
    if (budget.fits(each) === 0) {
      if (done > 0) budget.putOff();
    } else if (await work(row)) done++;
  });
}
