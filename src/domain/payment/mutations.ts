import type { Instant } from '../../lib/instant.ts';
import type { Mutation, MutationSource } from '../../providers/mutations/source.ts';
import type { BankMutationRow } from '../../schema/bank-mutations.ts';
import type { SettingsRow } from '../../schema/platform.ts';
import { storeAmount } from './amounts.ts';
import { firstVersion, nextVersion } from '../../lib/versions.ts';

/** A mutation in the store's unit. */
export interface CountedMutation extends Omit<Mutation, 'id' | 'occurred_at'> {
  readonly source: string;
  readonly mutation_id: string;
  /** The time of receipt if the mutation's own is unreadable. */
  readonly occurred_at: Instant;
  /** False if the amount was rounded. No order waits for it then. */
  readonly exact: boolean;
}

/**
 * Converts a mutation to the store's unit. A foreign amount stays in the source's unit. If the store's unit is too
 * coarse, the amount is rounded down.
 */
export function countedMutation(
  { id, ...mutation }: Mutation,
  source: Pick<MutationSource, 'id' | 'unitOf'>,
  settings: Pick<SettingsRow, 'currency' | 'currency_exponent'>,
  now: Date,
): CountedMutation {
  const counted =
    mutation.amount !== null && mutation.currency === settings.currency
      ? storeAmount(source, mutation.amount, settings)
      : undefined;
  const amount = counted ?? { amount: mutation.amount, exact: false };
  const occurred_at = mutation.occurred_at ?? now.toISOString();
  return { ...mutation, ...amount, occurred_at, source: source.id, mutation_id: id };
}

/** Tells if a mutation is new, or is readable now and was stored as unreadable before. */
export const isNews = (
  mutation: Pick<Mutation, 'unread'>,
  kept: Pick<BankMutationRow, 'status' | 'unread'> | undefined,
): boolean =>
  kept === undefined ||
  (kept.unread !== null && kept.status === 'open' && mutation.unread === null);

/** @param order_id the order it pays, if any */
export function newMutation(
  id: number,
  { exact: _exact, ...mutation }: CountedMutation,
  order_id: number | undefined,
  now: Date,
): BankMutationRow {
  const unpaying = mutation.direction === 'credit' ? 'open' : 'ignored';
  return {
    id,
    ...mutation,
    status: order_id === undefined ? unpaying : 'matched',
    order_id: order_id ?? null,
    ...firstVersion(now.toISOString()),
  };
}

/**
 * Records a person's decision on a mutation.
 * @param order_id the order it pays; undefined for none
 */
export const decidedMutation = (
  before: BankMutationRow,
  order_id: number | undefined,
  now: Date,
): BankMutationRow => ({
  ...before,
  status: order_id === undefined ? 'ignored' : 'matched',
  order_id: order_id ?? null,
  ...nextVersion(before, now),
});

/** Returns a mutation to the list that waits for a person: its order waits for another payment. */
export const unmatched = (before: BankMutationRow, now: Date): BankMutationRow => ({
  ...before,
  status: 'open',
  order_id: null,
  ...nextVersion(before, now),
});

export const transferNote = ({ source }: Pick<BankMutationRow, 'source'>) =>
  `Transfer found by ${source}.`;
