import type * as z from 'zod';
import { sql } from 'drizzle-orm';
import * as pg from 'drizzle-orm/pg-core';
import { licenseStatuses } from './lists.ts';
import {
  changes,
  choice,
  document,
  id,
  instant,
  integer,
  oneOf,
  reference,
} from '../kernel/database/columns.ts';
import { orders } from './orders.ts';
import { products } from './products.ts';
import { users } from './users.ts';

/** Licences. The counters of seats and resets change only by conditional updates, which don't change the version. */
export const licenses = pg.pgTable(
  'licenses',
  {
    id: id(),
    /**
     * Five groups of five characters, ending in a check character, or the code of another issuer. No two codes differ
     * only in case.
     */
    code: pg.text().notNull(),
    product_id: reference(() => products.id),
    /** The first order of the chain that pays for the licence; null if there is none. */
    order_id: integer().references(() => orders.id, { onDelete: 'set null' }),
    /** The position among the order's licences, from 1; null for a manual licence. */
    ordinal: pg.integer(),
    user_id: reference(() => users.id),
    status: choice(licenseStatuses).notNull(),
    /** True if `status` was set inactive by hand: it stays so, whatever happens to the orders. */
    off_by_hand: pg.boolean().notNull().default(false),
    /** 0 = no limit. */
    activation_limit: pg.integer().notNull(),
    activation_count: pg.integer().notNull().default(0),
    /** The end of the last term; null = never. */
    expires_at: instant(),
    max_resets: pg.integer().notNull(),
    /** The times of the resets, newest first, at most `max_resets`. */
    resets: instant()
      .array()
      .notNull()
      .default(sql`'{}'`),
    note: pg.text(),
    meta: document<Record<string, unknown>>().notNull().default({}),
    ...changes,
  },
  (t) => [
    oneOf('licenses_status', t.status, licenseStatuses),
    pg.check('licenses_activation_count', sql`${t.activation_count} >= 0`),
    pg.uniqueIndex('licenses_code').on(sql`upper(${t.code})`),
    pg.uniqueIndex('licenses_order_ordinal').on(t.order_id, t.ordinal),
    pg
      .index('licenses_expires_at')
      .on(t.expires_at)
      .where(sql`${t.status} = 'active'`),
    pg.index('licenses_product').on(t.product_id, t.id),
    pg.index('licenses_user').on(t.user_id, t.id),
    pg.index('licenses_status_id').on(t.status, t.id),
    pg.index('licenses_updated_at').on(t.updated_at, t.id),
    pg
      .index('licenses_meta')
      .using('gin', sql`${t.meta} jsonb_path_ops`)
      .where(sql`${t.meta} <> '{}'::jsonb`),
    pg.index('licenses_search').using('gin', sql`lower(${t.code}) gin_trgm_ops`),
  ],
);

/** The hosts on which a licence is used, or the names that the software gives its installations. */
export const licenseActivations = pg.pgTable(
  'license_activations',
  {
    id: id(),
    license_id: reference(() => licenses.id, { onDelete: 'cascade' }),
    string: pg.text().notNull(),
    label: pg.text().notNull(),
    meta: document<Record<string, z.core.util.JSONType>>().notNull(),
    /** True if the activation takes one of the licence's seats. */
    seat: pg.boolean().notNull(),
    first_at: instant().notNull(),
    last_seen_at: instant().notNull(),
  },
  (t) => [
    pg.uniqueIndex('license_activations_license_string').on(t.license_id, t.string),
    pg.index('license_activations_string').on(t.string, t.license_id),
    pg.index('license_activations_search').using('gin', sql`lower(${t.string}) gin_trgm_ops`),
  ],
);

/**
 * The terms of a licence, in the order in which they were added: at most one of each order, and one manual end
 * (`order_id` null).
 */
export const licenseTerms = pg.pgTable(
  'license_terms',
  {
    id: id(),
    license_id: reference(() => licenses.id, { onDelete: 'cascade' }),
    order_id: integer().references(() => orders.id, { onDelete: 'cascade' }),
    at: instant().notNull(),
    /** The days that an order adds; 0 = for ever. */
    days: pg.integer().notNull(),
    /** The manual end; null = for ever. */
    until: instant(),
  },
  (t) => [
    pg.unique('license_terms_license_order').on(t.license_id, t.order_id).nullsNotDistinct(),
    pg.index('license_terms_order').on(t.order_id),
  ],
);

export type LicenseColumns = typeof licenses.$inferSelect;
