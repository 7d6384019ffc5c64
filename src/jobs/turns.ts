import type { raw } from '../kernel/database/statements.ts';
import { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import type { Services } from '../kernel/endpoint/services.ts';
import { lanes } from '../kernel/events/outbound.ts';

/** How long a run begins with further rows, in seconds. */
const runs = 30;

/**
 * Takes rows that are due, as many as may ask other servers at once, and works on them, until there are
 * none or the time for beginning is over.
 * @param take the statement that takes at most so many, and answers their ids
 * @param work on each of them
 * @throws the first failure, once all of them had their turn
 */
export async function inTurns(
  { connection, clock }: Services,
  take: (most: number, now: Date) => ReturnType<typeof raw<{ id: number }>>,
  work: (ids: readonly number[]) => Promise<readonly Promise<void>[]>,
): Promise<void> {
  const end = clock.now().getTime() + runs * 1000;
  const failures: unknown[] = [];
  for (let more = true; more && clock.now().getTime() < end;) {
    const taken = await new UnitOfWork(connection, undefined).write([], take(lanes, clock.now()));
    const ids = taken.map(({ id }) => id);
    if (ids.length === 0) break;
    const done = await Promise.allSettled(await work(ids));
    failures.push(...done.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])));
    more = ids.length === lanes;
  }
  if (failures.length > 0) throw failures[0];
}
