import type { StoreAccess } from '../../kernel/command/store.ts';
import { gatewaysInto } from '../../domain/payment/matching.ts';
import { type CountedMutation, countedMutation, isNews } from '../../domain/payment/mutations.ts';
import type { Mutation, MutationSource } from '../../providers/mutations/source.ts';
import { findKnownMutations } from '../../queries/bank-mutations.ts';
import { findSettings } from '../../queries/settings.ts';
import { loadMutation, planMutation } from '../../reactions/mutations.ts';
import { settle } from './settle.ts';

/**
 * Records mutations and acts on each. Known ones are skipped.
 * @param mayBegin tells before each mutation if there is still time
 * @returns true if all of them were taken
 */
export async function takeMutations(
  source: MutationSource,
  mutations: readonly Mutation[],
  store: StoreAccess,
  mayBegin: () => boolean,
): Promise<boolean> {
  if (mutations.length === 0) return true;
  const { settings, known } = await store.query({
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
      countedMutation(mutation, source, own, store.now),
      gatewaysInto(mutation.account_number, own.manual_accounts),
      store,
    );
  let all = true;
  for (const mutation of mutations.filter((each) => isNews(each, kept.get(each.id)))) {
    if (!mayBegin()) return false;
    all = (await isTaken(mutation)) && all;
  }
  return all;
}

/** @returns false if others kept changing its order */
async function takeOne(
  mutation: CountedMutation,
  gateways: readonly string[],
  store: StoreAccess,
): Promise<boolean> {
  const load = loadMutation(mutation, gateways);
  const book = async (refused: boolean) => {
    const refusal = await store.change({
      load,
      decide: (loaded) => planMutation(loaded, mutation, store.now, refused),
    });
    return refusal?.refused;
  };
  return settle(book, { job: 'transfers' });
}
