import type { PgTable } from 'drizzle-orm/pg-core';
import type { Reason } from './reasons.ts';
import type { EntityRow } from './staging.ts';

/** A row to insert: with its id, if its table has one. */
export interface NewRow<T extends PgTable = PgTable> {
  readonly kind: 'insert';
  readonly table: T;
  readonly values: T['$inferInsert'];
}

/** Changes a row that an earlier step inserted: these columns refer to rows that didn't exist then. */
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
 * An imported row of the source: its line in the report, and the rows written for it, all or none. If PostgreSQL
 * refuses them, the report says `refused` instead.
 */
export interface MappedRow extends Pick<EntityRow, 'id' | 'outcome' | 'detail'> {
  readonly entity: Entity;
  /** Ids of its rows in the store; empty if it was left out. */
  readonly targets: readonly number[];
  /** The reasons for its changes; none if it is unchanged. */
  readonly reasons: readonly Reason[];
  readonly rows: readonly (NewRow | ChangedRow)[];
}

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

/** The store's rows for a row of the source. */
export interface ImportedRow {
  readonly rows: readonly (NewRow | ChangedRow)[];
  /** Ids of its rows in the store; by default that of the row. */
  readonly targets?: readonly number[];
  /** The reasons for its changes; none if it is unchanged. */
  readonly reasons?: readonly Reason[];
  readonly outcome?: 'placeholder' | 'split';
  readonly detail?: string | undefined;
}

/** The reason why a row isn't imported: it is impossible, or the store has no place for it (`left-out`). */
export interface Refusal {
  readonly refusal: Reason;
  readonly outcome?: 'left-out' | 'refused';
  readonly detail?: string;
}

/** Reports a row: `changed` if there is a reason. */
export function mapped(
  entity: Entity,
  id: string | number,
  made: ImportedRow | Refusal,
): MappedRow {
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

/** The reasons whose condition holds, in their order. */
export const because = (
  reasons: Readonly<Partial<Record<Reason, boolean | undefined>>>,
): Reason[] =>
  Object.entries(reasons).flatMap(([reason, holds]) => (holds ? (reason as Reason) : []));
