import { type Instant, type OrderStatus, orderStatuses } from '../../../src/exports/store.ts';
import type { Entity, MappedRow } from './mapped.ts';
import type { Mentions } from './mentions.ts';
import type { Numbers } from './numbers.ts';
import type { OwnIds } from './own-ids.ts';
import type { Source } from './source.ts';
import type { Staging } from './staging.ts';

/**
 * A part of an import, such as its orders. Mapping is pure: it reads staged rows and returns the same rows in the same
 * order each time, because an interrupted run maps from the beginning and skips written rows.
 */
export interface Step<S extends Source, C> {
  readonly entity: Entity;
  /** The rows of the source; each becomes one `MappedRow`. */
  readonly ids?: readonly OwnIds[];
  /** Counts the rows if `ids` doesn't name all. */
  readonly count?: (staging: Staging<S>) => number;
  readonly map: (context: StepContext<S, C>) => Iterable<MappedRow>;
}

export interface StepContext<S extends Source, C> {
  readonly staging: Staging<S>;
  readonly numbers: Numbers;
  readonly plan: C;
  /** The start of the import's first run. */
  readonly now: Instant;
}

/** Money without a place in the store, summed by person: a line of `owed.csv`. */
export interface Debt {
  /** The person's id in the source. */
  readonly userId: string;
  /** The kind of debt: `wallet`, `referral`. */
  readonly kind: string;
  /** In the smallest unit of the currency. */
  readonly amount: number;
  readonly currency: string;
}

/** A question that only the shop's owner can answer. */
export interface Question {
  readonly code: string;
  /** The finding, without personal data. */
  readonly text: string;
  /** The option that answers it: `--timezone Asia/Jakarta`. */
  readonly option: string;
}

/** The answers on the command line, by option: `{ timezone: 'Asia/Jakarta' }`. */
export type Answers = Readonly<Record<string, string | undefined>>;

/**
 * Reads `--status wc-packed=shipping,wc-lost=cancelled`, for statuses that the import doesn't know.
 * @throws Error for a status that the store lacks
 */
export function answeredStatuses({ status }: Answers): Map<string, OrderStatus> {
  const pairs = (status ?? '').split(',').filter(Boolean);
  return new Map(
    pairs.map((pair) => {
      const [theirs = '', named] = pair.split('=');
      const ours = orderStatuses.find((known) => known === named);
      if (ours) return [theirs, ours];
      throw new Error(`--status ${pair}: say one of ${orderStatuses.join(', ')} after the =.`);
    }),
  );
}

export interface Preflight<C> {
  readonly plan: C;
  /** The answers that the plan follows, by option: given, found in the shop or by default. */
  readonly answers: Readonly<Record<string, string>>;
  /** Questions without an answer end the import. */
  readonly questions: readonly Question[];
  /** Notes for the shop's owner, one a line, without personal data. */
  readonly notes: readonly string[];
}

export interface Importer<S extends Source, C = unknown> {
  readonly source: S;
  /** The options on the command line, each with its description. */
  readonly options: Readonly<Record<string, string>>;
  readonly plan: (staging: Staging<S>, answers: Answers) => Preflight<C>;
  /** In the order of writing. */
  readonly steps: readonly Step<S, C>[];
  readonly owed: (staging: Staging<S>, plan: C) => Iterable<Debt>;
  /** The source's side of the comparison: plain SQL over the staged rows, independent of the steps. */
  readonly compared: (plan: C) => ComparedQueries;
  /** The ids that the source names: new records get others. */
  readonly mentions?: readonly Mentions[];
}

/**
 * A query of the source for each compared entity, with the columns of `compared`. `access` returns the rows that give
 * access by the shop's own rule: `buyer` and `product` as ids of the store, the end (`ends`, null for none), and the
 * report's row (`entity`, `id`).
 */
export type ComparedQueries = Readonly<Partial<Record<Entity, string>> & Record<'access', string>>;
