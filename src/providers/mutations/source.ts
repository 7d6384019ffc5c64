import type { Outbound } from '../../kernel/events/outbound.ts';
import type { Instant } from '../../lib/instant.ts';
import type { Callback } from '../callback.ts';
import type { Unit } from '../payments/gateway.ts';

/** A line of a bank's statement. */
export interface Mutation {
  /** The source's own id, which repeats have too. For an unread line without an id, a digest of the line. */
  readonly id: string;
  /** The account of the store, as the source writes it. */
  readonly account_number: string;
  /** In the source's unit of the currency; null if unreadable. */
  readonly amount: number | null;
  readonly currency: string;
  /** The time at which the money moved; if only the day is known, the last possible time. Null if unreadable. */
  readonly occurred_at: Instant | null;
  /** `credit`: money came, or may have come. */
  readonly direction: 'credit' | 'debit';
  /** The description on the bank statement, with the words of the sender. */
  readonly description: string;
  /** The raw line, if it is unreadable and a person has to look at it; otherwise null. */
  readonly unread: string | null;
}

export interface MutationPage {
  readonly mutations: readonly Mutation[];
  readonly isLast: boolean;
}

/** A provider that reads the statements of the store's accounts, and reports new lines. */
export interface MutationSource {
  /** The name in the address of callbacks and in stored mutations. */
  readonly id: string;
  /** The source's unit of a currency; undefined if it has no accounts in it. */
  unitOf(currency: string): Unit | undefined;
  /**
   * Parses posted mutations. No line that is proven to come from the source is dropped: an unreadable one becomes an
   * unread line.
   */
  read(callback: Callback): Promise<'forged' | readonly Mutation[]>;
  /**
   * Lists mutations since a moment, to find those without a callback; absent if that isn't configured.
   * @param page from 1
   * @throws ProviderError
   */
  list?(since: Instant, page: number, http: Outbound, now: Date): Promise<MutationPage>;
}
