import { sql } from 'drizzle-orm';
import { document, instant } from '../kernel/database/columns.ts';
import type { StatusFigure } from './lists.ts';
import { check, pgTable, smallint, text } from 'drizzle-orm/pg-core';

/** The status figures that are out of order, each with its value and the time of the last check that found it so. */
export type Troubles = Readonly<
  Partial<Record<StatusFigure, { readonly value: number; readonly at: string }>>
>;

/** The deployment that a database belongs to: one row, id 1, written by commands and left out of archives. */
export const storeMark = pgTable(
  'store_mark',
  {
    id: smallint().primaryKey().default(1),
    /** A random id, which the deployment's worker knows. */
    store_id: text().notNull(),
    /** The deployment's address; null until a command knows it. */
    address: text(),
    environment: text(),
    /** A check value of each pepper that keys were made with, `<version>:<value>`. */
    pepper_checks: document<string[]>().notNull().default([]),
    /** The thumbprints of the session keys. */
    session_key_checks: document<string[]>().notNull().default([]),
    /** The last time that the whole store was exported. */
    backed_up_at: instant(),
    /** The last check of the store's figures for an alert. */
    checked_at: instant(),
    /** The figures that were out of order within the day before the last check, by name. */
    troubles: document<Troubles>().notNull().default({}),
  },
  (t) => [check('store_mark_one_row', sql`${t.id} = 1`)],
);
