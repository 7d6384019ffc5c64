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
  /** The name in the report and the progress: `orders`. */
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
  /** The result of the preflight: the store's settings, and the answers to its questions. */
  readonly plan: C;
  /** The start of this import's first run: earlier times count as past. */
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

/** A question that only a person can answer, with its option. */
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
 * @throws Error naming a text that is no status of ours
 */
export function answeredStatuses({ status }: Answers): Map<string, OrderStatus> {
  const pairs = (status ?? '').split(',').filter(Boolean);
  return new Map(
    pairs.map((pair) => {
      const [theirs = '', named] = pair.split('=');
      const ours = orderStatuses.find((known) => known === named);
      if (ours) return [theirs, ours];
      throw new Error(`--status ${pair}: say one of ${orderStatuses.join(', ')} behind the =.`);
    }),
  );
}

/** The findings before anything is written. */
export interface Preflight<C> {
  readonly plan: C;
  /** Questions without an answer end the import. */
  readonly questions: readonly Question[];
  /** Notes for the shop's owner, one a line, without personal data. */
  readonly notes: readonly string[];
}

/** The import of one kind of shop. */
export interface Importer<S extends Source, C = unknown> {
  readonly source: S;
  /** The options of the command line for this importer, each with its description. */
  readonly options: Readonly<Record<string, string>>;
  readonly plan: (staging: Staging<S>, answers: Answers) => Preflight<C>;
  /** In the order of writing. */
  readonly steps: readonly Step<S, C>[];
  readonly owed: (staging: Staging<S>, plan: C) => Iterable<Debt>;
  /** The source's side of the comparison: plain SQL over the staged rows, independent of the steps. */
  readonly compared: (plan: C) => ComparedQueries;
  /** The places in the source that name records by id: new records get other ids. */
  readonly mentions?: readonly Mentions[];
}

/**
 * Queries of the source: for each compared entity, one with the columns that `compared` has for it. `access` finds the
 * rows that open a `product` to a `buyer` by the shop's own rule (both by our ids), with their end (`ends`, null if
 * there is none) and their row of the report (`entity`, `id`).
 */
export type ComparedQueries = Readonly<Partial<Record<Entity, string>> & Record<'access', string>>;
