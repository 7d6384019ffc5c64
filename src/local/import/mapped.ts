import type { PgTable } from 'drizzle-orm/pg-core';
import { type Instant, type OrderStatus, orderStatuses } from './store.ts';
import type { Mentions } from './mentions.ts';
import type { OwnIds } from './own-ids.ts';
import type { Reason } from './reasons.ts';
import type { Source } from './source.ts';
import type { EntityRow, Staging } from './staging.ts';

/** A row of ours, as it is inserted: with its id, where its table has one. */
export interface NewRow<T extends PgTable = PgTable> {
  readonly kind: 'insert';
  readonly table: T;
  readonly values: T['$inferInsert'];
}

/** Columns of a row that an earlier step inserted, by its id: what could not be said before another row was there. */
export interface ChangedRow<T extends PgTable = PgTable> {
  readonly kind: 'update';
  readonly table: T;
  readonly id: number;
  readonly values: Partial<T['$inferInsert']>;
}

export const insertInto = <T extends PgTable>(table: T, values: T['$inferInsert']): NewRow<T> => ({
  kind: 'insert',
  table,
  values,
});

export const change = <T extends PgTable>(
  table: T,
  id: number,
  values: Partial<T['$inferInsert']>,
): ChangedRow<T> => ({ kind: 'update', table, id, values });

/**
 * What a row of the source becomes: what the report says of it, and the rows of ours that are written for it, all or
 * none. Where PostgreSQL refuses them, the report says `refused` in place of this.
 */
export interface Mapped extends Pick<EntityRow, 'id' | 'outcome' | 'detail'> {
  readonly entity: Entity;
  /** Ids of what it became; none where it isn't with us. */
  readonly targets: readonly number[];
  /** Why it isn't as it was; none where it is. */
  readonly reasons: readonly Reason[];
  readonly rows: readonly (NewRow | ChangedRow)[];
}

/** What is reported and compared, as the report names it. */
export const entities = [
  'settings',
  'groups',
  'users',
  'products',
  'coupons',
  'orders',
  'subscriptions',
  'payouts',
  'commissions',
  'licenses',
  'confirmations',
  'content',
  'reminder-templates',
  'reminders',
] as const;

export type Entity = (typeof entities)[number];

/** The rows of ours that a row of the source becomes. */
export interface Imported {
  readonly rows: readonly (NewRow | ChangedRow)[];
  /** Ids of what it became; that of the row where they aren't said. */
  readonly targets?: readonly number[];
  /** Why it isn't as it was; none where it is. */
  readonly reasons?: readonly Reason[];
  readonly outcome?: 'placeholder' | 'split';
  readonly detail?: string | undefined;
}

/** Why a row isn't with us: it can't be what it says, or it has no place here (`left-out`). */
export interface Refusal {
  readonly refusal: Reason;
  readonly outcome?: 'left-out' | 'refused';
  readonly detail?: string;
}

/** Makes of a row what the report says of it: `changed` where there is a reason. */
export function mapped(entity: Entity, id: string | number, made: Imported | Refusal): Mapped {
  const row = { entity, id: String(id) };
  if ('refusal' in made) {
    const { refusal, outcome = 'refused', detail } = made;
    return { ...row, outcome, targets: [], reasons: [refusal], detail, rows: [] };
  }
  const { rows, targets = [Number(id)] } = made;
  const reasons = [...new Set(made.reasons)];
  const isAsItWas = reasons.length === 0;
  const outcome = made.outcome ?? (isAsItWas ? 'imported' : 'changed');
  return { ...row, outcome, targets, reasons, detail: isAsItWas ? undefined : made.detail, rows };
}

/** A row that is with us as it was. */
export const imported = (
  entity: Entity,
  id: string | number,
  targets: readonly number[],
  rows: Imported['rows'],
): Mapped => mapped(entity, id, { rows, targets });

/** The reasons that hold, in the order in which they stand. */
export const because = (
  reasons: Readonly<Partial<Record<Reason, boolean | undefined>>>,
): Reason[] =>
  Object.entries(reasons).flatMap(([reason, holds]) => (holds ? (reason as Reason) : []));

/** Ids for rows that have none in the source: the same in each run, however often it was interrupted. */
export interface Numbers {
  /** The next id of a table, from 1 on or above what `above` was last told. */
  next(table: PgTable): number;
  /** Ids of a table up to this one are taken: the source has them, or mentions them. */
  above(table: PgTable, id: number): void;
}

/**
 * A part of an import, such as its orders. Mapping is pure: it reads what is staged, and gives the same rows in the
 * same order each time, because a run that goes on after an interruption maps from the beginning and skips what
 * was written.
 */
export interface Step<S extends Source, C> {
  /** What the report and the progress name it by: `orders`. */
  readonly entity: Entity;
  /** The rows of the source that it goes through; each of them is one `Mapped`. */
  readonly ids?: readonly OwnIds[];
  /** How many there are, where these are not all. */
  readonly count?: (staging: Staging<S>) => number;
  readonly map: (context: StepContext<S, C>) => Iterable<Mapped>;
}

export interface StepContext<S extends Source, C> {
  readonly staging: Staging<S>;
  readonly numbers: Numbers;
  /** What the preflight has found out: the store's settings, and what of them needed an option. */
  readonly plan: C;
  /** When this import began, in whichever run: what ended before has ended. */
  readonly now: Instant;
}

/** Money without a place in the store, summed per person: a line of `owed.csv`. */
export interface Owed {
  /** The person's id in the source. */
  readonly userId: string;
  /** What it is: `wallet`, `referral`. */
  readonly kind: string;
  /** In the smallest unit of the currency. */
  readonly amount: number;
  readonly currency: string;
}

/** A decision that only a person can take, with the option that says it. */
export interface Question {
  readonly code: string;
  /** What was found, without anybody's data. */
  readonly text: string;
  /** The option that answers it: `--timezone Asia/Jakarta`. */
  readonly option: string;
}

/** What was answered on the command line, by the option: `{ timezone: 'Asia/Jakarta' }`. */
export type Answers = Readonly<Record<string, string | undefined>>;

/**
 * What `--status wc-packed=shipping,wc-lost=cancelled` says of statuses that nobody here knows.
 * @throws Error naming what is no status of ours
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

/** What is found out before anything is written. */
export interface Preflight<C> {
  /** What the steps go by. */
  readonly plan: C;
  /** Those without an answer end the import. */
  readonly questions: readonly Question[];
  /** What the shop's owner should know, a line each, without anybody's data. */
  readonly notes: readonly string[];
}

/** How shops of a kind are imported. */
export interface Importer<S extends Source, C = unknown> {
  readonly source: S;
  /** The options of the command line that it takes beside all imports', with what each says. */
  readonly options: Readonly<Record<string, string>>;
  readonly plan: (staging: Staging<S>, answers: Answers) => Preflight<C>;
  /** In the order in which they are written. */
  readonly steps: readonly Step<S, C>[];
  readonly owed: (staging: Staging<S>, plan: C) => Iterable<Owed>;
  /** The source's side of the comparison, by plain SQL over what is staged and apart from the steps. */
  readonly compared: (plan: C) => ComparedQueries;
  /** Where the source names records by their ids: what is new gets others. */
  readonly mentions?: readonly Mentions[];
}

/**
 * What the source has to say: for each entity that is compared, a query of the columns that `compared` has for it; and
 * `access`, which has what opens a `product` to a `buyer` by the shop's own rule (both by our ids), until when (`ends`,
 * null where it stays open), and the row of the report that it is (`entity`, `id`).
 */
export type ComparedQueries = Readonly<Partial<Record<Entity, string>> & Record<'access', string>>;
