import { systemAccess } from '../kernel/command/store.ts';
import type { Need } from '../kernel/budget.ts';
import { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import type { Services } from '../kernel/deployment/services.ts';
import { addSeconds, instantFromDatabase } from '../lib/instant.ts';
import { takeMutations } from '../processes/payments/take-mutations.ts';
import { mutationSourcesOf } from '../providers/mutations/index.ts';
import type { MutationSource } from '../providers/mutations/source.ts';
import { goOnListing, saveListed, takeAsking } from '../queries/mutation-sources.ts';

/** Milliseconds after which a run reads no further pages. */
const runs = 30_000;

/** Seconds. A list starts `overlap` before the last known entry, since banks are slow, and at most `furthest` ago. */
const overlap = 2 * 86_400;
const furthest = 14 * 86_400;

export const listingSources = ({ config }: Pick<Services, 'config'>): MutationSource[] =>
  mutationSourcesOf(config).filter((source) => source.list !== undefined);

/** Calls for a page: one lists it, one finds its known mutations. */
const pageNeed: Need = { calls: 2, kept: 0 };

/** Calls for one mutation. After a collision it is decided twice. */
const mutationNeed: Need = { calls: 4, kept: 0 };

/** Calls for storing where the next run continues. */
const after = 1;

/** Records mutations whose callbacks were lost. Each source is asked at most once an hour. */
export async function findTransfers(services: Services): Promise<void> {
  for (const source of listingSources(services)) {
    if (services.budget.fits(pageNeed, 1 + after) === 0) return services.budget.putOff();
    await listAnew(source, services);
  }
}

async function listAnew(source: MutationSource, services: Services): Promise<void> {
  const { clock, connection, outbound, budget } = services;
  const now = clock.now();
  const unit = () => new UnitOfWork(connection, undefined);
  const [asking] = await unit().write([], takeAsking(source.id, now));
  if (!asking) return;
  const at = now.toISOString();
  const known = asking.listed_until === null ? at : instantFromDatabase(asking.listed_until);
  const [wanted, earliest] = [addSeconds(known, -overlap), addSeconds(at, -furthest)];
  const since = wanted > earliest ? wanted : earliest;
  const end = AbortSignal.timeout(runs);
  const affords = (need: Need) => budget.fits(need, after) > 0;
  for (let page = asking.next_page ?? 1, isLast = false; !isLast; page++) {
    const listed = affords(pageNeed) && (await source.list?.(since, page, outbound, now));
    const mayBegin = () => !end.aborted && affords(mutationNeed);
    const store = systemAccess(services);
    const isTaken = listed && (await takeMutations(source, listed.mutations, store, mayBegin));
    if (!isTaken) {
      if (mayBegin()) return;
      await unit().write([goOnListing(source.id, page, now)]);
      return budget.putOff();
    }
    ({ isLast } = listed);
  }
  await unit().write([saveListed(source.id, at)]);
}
