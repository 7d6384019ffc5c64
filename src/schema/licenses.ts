import type * as z from 'zod';
import { sql } from 'drizzle-orm';
import * as pg from 'drizzle-orm/pg-core';
import { licenseStatuses } from './lists.ts';
import * as column from '../kernel/database/columns.ts';
import { orders } from './orders.ts';
import { products } from './products.ts';
import { users } from './users.ts';

/**
 * Licences. The seats in use and the resets made are counted here and changed only by conditional
 * updates, which don't touch the version.
 */
export const licenses = pg.pgTable(
  'licenses',
  {
    id: column.id(),
    /**
     * Five groups of five characters, the last of which is a check of the others; or, of a licence that
     * was issued elsewhere, whatever it was there. No two differ by case alone.
     */
    code: pg.text().notNull(),
    product_id: column.reference(() => products.id),
    /** The first order of the chain that pays for it; null where none does. */
    order_id: column.integer().references(() => orders.id, { onDelete: 'set null' }),
    /** Which of the licences that its order issued, from 1; null for one made by hand. */
    ordinal: pg.integer(),
    user_id: column.reference(() => users.id),
    status: column.choice(licenseStatuses).notNull(),
    /** 0 = no limit. */
    activation_limit: pg.integer().notNull(),
    activation_count: pg.integer().notNull().default(0),
    /** The end of the last term; null = never. */
    expires_at: column.instant(),
    max_resets: pg.integer().notNull(),
    /** When it was reset, newest first, `max_resets` of them at most. */
    resets: column
      .instant()
      .array()
      .notNull()
      .default(sql`'{}'`),
    note: pg.text(),
    meta: column.document<Record<string, unknown>>().notNull().default({}),
    ...column.changes,
  },
  (t) => [
    column.oneOf('licenses_status', t.status, licenseStatuses),
    pg.check('licenses_activation_count', sql`${t.activation_count} >= 0`),
    pg.uniqueIndex('licenses_code').on(sql`upper(${t.code})`),
    pg.uniqueIndex('licenses_order_ordinal').on(t.order_id, t.ordinal),
    pg.index('licenses_product').on(t.product_id, t.id),
    pg.index('licenses_user').on(t.user_id, t.id),
    pg.index('licenses_status_id').on(t.status, t.id),
    pg.index('licenses_search').using('gin', sql`lower(${t.code}) gin_trgm_ops`),
  ],
);

/** Where a licence is in use: host names, or whatever the software calls its installation. */
export const licenseActivations = pg.pgTable(
  'license_activations',
  {
    id: column.id(),
    license_id: column.reference(() => licenses.id, { onDelete: 'cascade' }),
    string: pg.text().notNull(),
    label: pg.text().notNull(),
    meta: column.document<Record<string, z.core.util.JSONType>>().notNull(),
    /** Whether it takes one of the licence's seats. */
    seat: pg.boolean().notNull(),
    first_at: column.instant().notNull(),
    last_seen_at: column.instant().notNull(),
  },
  (t) => [
    pg.uniqueIndex('license_activations_license_string').on(t.license_id, t.string),
    pg.index('license_activations_string').on(t.string, t.license_id),
    pg.index('license_activations_search').using('gin', sql`lower(${t.string}) gin_trgm_ops`),
  ],
);

/**
 * What a licence's time is made of, in the order it came: at most one term of each order, and one
 * that was set by hand (`order_id` null).
 */
export const licenseTerms = pg.pgTable(
  'license_terms',
  {
    id: column.id(),
    license_id: column.reference(() => licenses.id, { onDelete: 'cascade' }),
    order_id: column.integer().references(() => orders.id, { onDelete: 'cascade' }),
    at: column.instant().notNull(),
    /** What an order adds; 0 = for ever. */
    days: pg.integer().notNull(),
    /** What was set by hand; null = for ever. */
    until: column.instant(),
  },
  (t) => [
    pg.unique('license_terms_license_order').on(t.license_id, t.order_id).nullsNotDistinct(),
    pg.index('license_terms_order').on(t.order_id),
  ],
);

export type LicenseColumns = typeof licenses.$inferSelect;
