import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { choice, document, instant, integer, oneOf } from '../kernel/database/columns.ts';

export const importKinds = ['sejoli', 'woocommerce', 'edd'] as const;

/**
 * The progress of imports from other shops, a row for each entity of a source. It changes in the transactions that
 * write the entity's rows, so an interrupted import continues after them.
 */
export const imports = pgTable(
  'imports',
  {
    /** A digest that identifies the source among others of its kind. */
    fingerprint: text().notNull(),
    entity: text().notNull(),
    kind: choice(importKinds).notNull(),
    /** The number of processed rows of the source. */
    done: integer().notNull(),
    /** The number of these rows by result. */
    counts: document<Readonly<Record<string, number>>>().notNull().default({}),
    /** The sums of the rows' amounts by name, in the currency's smallest unit. */
    sums: document<Readonly<Record<string, number>>>().notNull().default({}),
    /** The answers that the rows follow, by option; null while the entity has none, or only those of a former version. */
    answers: document<Readonly<Record<string, string>>>(),
    started_at: instant().notNull(),
    /** Null while rows are left. */
    finished_at: instant(),
  },
  (t) => [
    primaryKey({ name: 'imports_pkey', columns: [t.fingerprint, t.entity] }),
    oneOf('imports_kind', t.kind, importKinds),
  ],
);
