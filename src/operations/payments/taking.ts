import { changeAsSystem } from '../../kernel/command/system.ts';
import { Collision, DatabaseUnavailable } from '../../kernel/database/errors.ts';
import { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import type { ReadAccess, WriteAccess } from '../../kernel/endpoint/endpoint.ts';
import { failureOf } from '../../kernel/endpoint/finish.ts';
import { tellOperator } from '../../kernel/errors/tell.ts';
import type { Services } from '../../kernel/endpoint/services.ts';
import { type Refusal, isRefusal } from '../../kernel/errors/errors.ts';
import { gatewaysInto } from '../../domain/payment/matching.ts';
import { type CountedMutation, countedMutation, isNews } from '../../domain/payment/mutations.ts';
import type { Mutation, MutationSource } from '../../providers/mutations/source.ts';
import { findKnownMutations } from '../../queries/bank-mutations.ts';
import { findSettings } from '../../queries/settings.ts';
import { type LoadedMutation, loadMutation, planMutation } from '../../reactions/mutations.ts';
import type { Settlement } from '../../reactions/settlement.ts';

/** How mutations are written down: by a request, or by the service itself. */
export interface MutationBooks {
  readonly now: Date;
  readonly query: ReadAccess['query'];
  /** Decides on what is loaded of a mutation, and writes it. @returns whether the database refused it */
  settle(
    load: ReturnType<typeof loadMutation>,
    decide: (loaded: LoadedMutation) => Settlement,
  ): Promise<Refusal['refused'] | undefined>;
}

/** The books as the service keeps them by itself. */
export const ownMutationBooks = (services: Services): MutationBooks => ({
  now: services.clock.now(),
  query: (reads) => new UnitOfWork(services.connection, undefined).query(reads),
  settle: async (load, decide) => {
    const refusal = await changeAsSystem(services, {
      load,
      decide: (loaded) => ({ ...decide(loaded), reply: null }),
    });
    return refusal?.refused;
  },
});

/** The books as a request keeps them. @param reply what a change is to be answered with, which nobody reads */
export const requestMutationBooks = <Body>(
  db: WriteAccess<Body>,
  reply: Body,
  now: Date,
): MutationBooks => ({
  now,
  query: (reads) => db.query(reads),
  settle: async (load, decide) => {
    const outcome = await db.change({
      load,
      decide: (loaded) => ({ ...decide(loaded), reply }),
    });
    return isRefusal(outcome) ? outcome.refused : undefined;
  },
});

/**
 * Writes mutations down, and does what follows from each. Those that are kept already are passed over.
 * @param mayBegin tells before each of them whether it is begun
 * @returns whether all of them were taken
 */
export async function takeMutations(
  source: MutationSource,
  mutations: readonly Mutation[],
  books: MutationBooks,
  mayBegin: () => boolean,
): Promise<boolean> {
  if (mutations.length === 0) return true;
  const { settings, known } = await books.query({
    settings: findSettings(),
    known: findKnownMutations(
      source.id,
      mutations.map(({ id }) => id),
    ),
  });
  const [own] = settings;
  if (!own) return false;
  const kept = new Map(known.map((row) => [row.mutation_id, row]));
  const isTaken = async (mutation: Mutation) =>
    takeOne(
      countedMutation(mutation, source, own, books.now),
      gatewaysInto(mutation.account_number, own.manual_accounts),
      books,
    );
  let all = true;
  for (const mutation of mutations.filter((each) => isNews(each, kept.get(each.id)))) {
    if (!mayBegin()) return false;
    all = (await isTaken(mutation)) && all;
  }
  return all;
}

/** @returns whether it was taken: not where others kept changing what it is about */
async function takeOne(
  mutation: CountedMutation,
  gateways: readonly string[],
  books: MutationBooks,
): Promise<boolean> {
  const load = loadMutation(mutation, gateways);
  const settled = (refused: boolean) =>
    books.settle(load, (loaded) => planMutation(loaded, mutation, books.now, refused));
  const why = await settled(false).catch(unforeseen);
  // An order that can't be paid now, whatever the reason, doesn't make the money go away.
  const isRefused = why !== undefined && why !== 'rest_conflict';
  return (isRefused ? await settled(true) : why) === undefined;
}

/**
 * Takes an error of ours for a refusal, so that the money is kept and what came beside it is taken.
 * @throws DatabaseUnavailable
 */
function unforeseen(error: unknown): 'rest_internal_error' | 'rest_conflict' {
  if (error instanceof DatabaseUnavailable) throw error;
  if (error instanceof Collision) return 'rest_conflict';
  tellOperator({ job: 'transfers', ...failureOf(error as Error) });
  return 'rest_internal_error';
}
