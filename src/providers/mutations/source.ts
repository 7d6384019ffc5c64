import type { Outbound } from '../../kernel/events/outbound.ts';
import type { Instant } from '../../lib/instant.ts';
import type { Callback } from '../callback.ts';
import type { Unit } from '../payments/gateway.ts';

/** A line of a bank's statement. */
export interface Mutation {
  /** The source's own id: a repeat carries the same. Of an unread line that has none, a digest of it. */
  readonly id: string;
  /** The account of the store, as the source writes it. */
  readonly account_number: string;
  /** In the source's unit of the currency; null where it could not be read. */
  readonly amount: number | null;
  readonly currency: string;
  /**
   * Moment at which the money moved; where only the day is known, the last moment at which it can have
   * been. Null where it could not be read.
   */
  readonly occurred_at: Instant | null;
  /** `credit`: money came, or may have come. */
  readonly direction: 'credit' | 'debit';
  /** The description on the bank statement, with the words of the sender. */
  readonly description: string;
  /** The line as it came, where it could not be read: a person has to. Null of all others. */
  readonly unread: string | null;
}

/** Some of the mutations of a list that comes in pages. */
export interface MutationPage {
  readonly mutations: readonly Mutation[];
  readonly isLast: boolean;
}

/** A provider that reads the statements of the store's accounts, and reports new lines. */
export interface MutationSource {
  /** The name in the address of callbacks and in stored mutations. */
  readonly id: string;
  /** The unit in which it counts a currency; undefined where it has no accounts in it. */
  unitOf(currency: string): Unit | undefined;
  /**
   * Reads what was posted. Nothing that is proven to come from the source is left out: a line that can't
   * be read is an unread one.
   */
  read(callback: Callback): Promise<'forged' | readonly Mutation[]>;
  /**
   * Reads again what came since a moment, for what no callback told; absent where that isn't set up.
   * @param page from 1
   * @throws ProviderError
   */
  list?(since: Instant, page: number, http: Outbound, now: Date): Promise<MutationPage>;
}
