import { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import type { Services } from '../kernel/endpoint/services.ts';
import { addSeconds, instantFromDatabase } from '../lib/instant.ts';
import { ownMutationBooks, takeMutations } from '../operations/payments/taking.ts';
import { mutationSourcesOf } from '../providers/mutations/index.ts';
import type { MutationSource } from '../providers/mutations/source.ts';
import { saveListed, takeAsking } from '../queries/mutation-sources.ts';

/** How long a run begins with further pages, in milliseconds. */
const runs = 30_000;

/** How far back a list reaches beyond what is known, since banks take their time, and at most; in seconds. */
const overlap = 2 * 86_400;
const furthest = 14 * 86_400;

/** The sources that can be asked what moved. */
export const listingSources = ({ config }: Pick<Services, 'config'>): MutationSource[] =>
  mutationSourcesOf(config).filter((source) => source.list !== undefined);

/** Takes the mutations that no callback told of; each source is asked once in an hour at most. */
export async function findTransfers(services: Services): Promise<void> {
  for (const source of listingSources(services)) await listAnew(source, services);
}

async function listAnew(source: MutationSource, services: Services): Promise<void> {
  const now = services.clock.now();
  const unit = () => new UnitOfWork(services.connection, undefined);
  const [asking] = await unit().write([], takeAsking(source.id, now));
  if (!asking) return;
  const at = now.toISOString();
  const known = asking.listed_until === null ? at : instantFromDatabase(asking.listed_until);
  const [wanted, earliest] = [addSeconds(known, -overlap), addSeconds(at, -furthest)];
  const since = wanted > earliest ? wanted : earliest;
  const end = AbortSignal.timeout(runs);
  for (let page = 1, isLast = false; !isLast; page++) {
    if (end.aborted) return;
    const listed = await source.list?.(since, page, services.outbound, now);
    if (!listed) return;
    if (!(await takeMutations(source, listed.mutations, ownMutationBooks(services), end))) return;
    ({ isLast } = listed);
  }
  await unit().write([saveListed(source.id, at)]);
}
