import { sql } from 'drizzle-orm';
import { index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { changes, choice, id, instant, integer, oneOf } from '../kernel/database/columns.ts';
import { orders } from './orders.ts';

/** `credit`: money came · `debit`: money went. */
export const mutationDirections = ['credit', 'debit'] as const;

/** `matched`: it paid an order · `open`: its order is unknown so far · `ignored`: it pays nothing. */
export const mutationStatuses = ['matched', 'open', 'ignored'] as const;

/** Lines of the statements of the store's accounts, as the sources report them. */
export const bankMutations = pgTable(
  'bank_mutations',
  {
    id: id(),
    source: text().notNull(),
    /** The source's own id. */
    mutation_id: text().notNull(),
    /** The store's account. */
    account_number: text().notNull(),
    /** In the store's unit; in the source's unit if the currency differs; null if unreadable. */
    amount: integer(),
    currency: text().notNull(),
    occurred_at: instant().notNull(),
    direction: choice(mutationDirections).notNull(),
    description: text().notNull(),
    /** The raw line, if it is unreadable. */
    unread: text(),
    status: choice(mutationStatuses).notNull(),
    /** The paid order; null once the order is erased. */
    order_id: integer().references(() => orders.id, { onDelete: 'set null' }),
    ...changes,
  },
  (t) => [
    oneOf('bank_mutations_direction', t.direction, mutationDirections),
    oneOf('bank_mutations_status', t.status, mutationStatuses),
    uniqueIndex('bank_mutations_source').on(t.source, t.mutation_id),
    index('bank_mutations_status_id').on(t.status, t.id),
    index('bank_mutations_open')
      .on(t.currency, t.amount)
      .where(sql`status = 'open' and direction = 'credit'`),
    index('bank_mutations_order').on(t.order_id, t.id),
  ],
);

/** The last requests to the sources, for mutations without a callback. */
export const mutationSources = pgTable('mutation_sources', {
  source: text().primaryKey(),
  asked_at: instant().notNull(),
  /** The time up to which everything is known; null before the first answer. */
  listed_until: instant(),
  /** The page at which the next run begins; null for the first. */
  next_page: integer(),
});

export type BankMutationRow = typeof bankMutations.$inferSelect;
