import type { Instant } from '../../lib/instant.ts';
import type { Mutation, MutationSource } from '../../providers/mutations/source.ts';
import type { BankMutationRow } from '../../schema/bank-mutations.ts';
import type { SettingsRow } from '../../schema/platform.ts';
import { storeAmount } from './amounts.ts';
import { firstVersion, nextVersion } from '../../lib/versions.ts';

/** A mutation in the store's unit, before it is known what becomes of it. */
export interface CountedMutation extends Omit<Mutation, 'id' | 'occurred_at'> {
  readonly source: string;
  readonly mutation_id: string;
  /** Moment of receipt, where the mutation's own could not be read. */
  readonly occurred_at: Instant;
  /** False where the amount is not exactly what came: no order waits for it. */
  readonly exact: boolean;
}

/**
 * A mutation as the store counts; of another currency than the store's, as the source does. Where the
 * store's unit is too large for it, it is the next smaller amount.
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

/** Fields of a mutation that is kept. */
type KnownMutation = Pick<BankMutationRow, 'status' | 'unread'>;

/** Tells whether a mutation says more than is kept of it: an unread one was spelled well the second time. */
export const isNews = (
  mutation: Pick<Mutation, 'unread'>,
  kept: KnownMutation | undefined,
): boolean =>
  kept === undefined ||
  (kept.unread !== null && kept.status === 'open' && mutation.unread === null);

/** A mutation's record. @param order_id that it pays, if any */
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
 * Records the decision on a mutation that waited for a person.
 * @param order_id the order that it pays; undefined for none
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

/** A mutation whose order waits for another payment: it waits for a person. */
export const unmatched = (before: BankMutationRow, now: Date): BankMutationRow => ({
  ...before,
  status: 'open',
  order_id: null,
  ...nextVersion(before, now),
});

/** The note in the history of an order that a transfer paid. */
export const transferNote = ({ source }: Pick<BankMutationRow, 'source'>) =>
  `Transfer found by ${source}.`;
