import { sql } from 'drizzle-orm';
import * as pg from 'drizzle-orm/pg-core';
import { languages, paidStatuses } from './lists.ts';
import {
  choice,
  document,
  id,
  instant,
  integer,
  oneOf,
  reference,
} from '../kernel/database/columns.ts';
import { actorTypes } from '../kernel/auth/actor.ts';
import { users } from './users.ts';

/** Initial statuses of an affiliate's own coupon. */
export const affiliateCouponStatuses = ['active', 'need-approve'] as const;

export const uniqueCodeOperations = ['added', 'reduced'] as const;

/** The ways in which the checkout can ask for a field. */
export const fieldDemands = ['required', 'optional', 'off'] as const;

/** The highest value of the setting for the largest code. */
export const largestCode = 9999;

/** A bank account that manual transfers go to. */
export interface ManualAccount {
  id: string;
  bank: string;
  owner: string;
  account_number: string;
  info?: string | undefined;
}

const noAccount: ManualAccount = { id: '', bank: '', owner: '', account_number: '' };

/** The store's settings: one row, id 1. */
export const settings = pg.pgTable(
  'settings',
  {
    id: pg.smallint().primaryKey().default(1),
    store_name: pg.text().notNull().default('My store'),
    platform_name: pg.text().notNull().default('svc'),
    site_url: pg.text().notNull().default(''),
    country: pg.text().notNull().default(''),
    timezone: pg.text().notNull().default('UTC'),
    /** The language of people who chose none. */
    language: choice(languages).notNull().default('en'),
    /** The address for messages to the seller. */
    notification_email: pg.text().notNull().default(''),
    notification_phone: pg.text().notNull().default(''),
    /** The HTML layout of e-mails; empty = the plain layout of the service. */
    mail_layout: pg.text().notNull().default(''),
    /** The currency; null until somebody sets it, and then never null again. */
    currency: pg.text(),
    currency_exponent: pg.smallint(),
    access_statuses: document<string[]>()
      .notNull()
      .default([...paidStatuses]),
    permanent_affiliate: pg.boolean().notNull().default(false),
    affiliate_coupon_status: choice(affiliateCouponStatuses).notNull().default('need-approve'),
    members_cancel: pg.boolean().notNull().default(true),
    restock_on_refund: pg.boolean().notNull().default(false),
    /** The largest refund in the console without a fresh sign-in, in the smallest unit of the currency. */
    refund_sign_in_above: integer().notNull().default(0),
    auto_cancel_days: pg.integer().notNull().default(3),
    transfer_hold_days: pg.integer().notNull().default(14),
    /**
     * The time until which transfers pay no order without a code, because former versions did not reserve the totals of
     * orders that they changed. Null until a worker that reserves them takes the first transfer: a former one may run
     * until then. A backfill sets it to 1970 in a new store.
     */
    plain_transfers_held_until: instant(),
    /** Limits of buyers at the shop's checkout, of whom only an e-mail address is known. */
    shop_unpaid_orders: pg.integer().notNull().default(3),
    shop_hourly_orders: pg.integer().notNull().default(10),
    shop_hold_hours: pg.integer().notNull().default(2),
    shop_receipt_days: pg.integer().notNull().default(7),
    affiliate_link_days: pg.integer().notNull().default(30),
    affiliate_sign_up: pg.boolean().notNull().default(false),
    /**
     * The number of orders of one buyer through one affiliate within `velocity_hours`; each further order is a risk. 0
     * = never.
     */
    velocity_orders: pg.integer().notNull().default(5),
    velocity_hours: pg.integer().notNull().default(24),
    unique_code_enabled: pg.boolean().notNull().default(false),
    unique_code_operation: choice(uniqueCodeOperations).notNull().default('added'),
    unique_code_largest: pg.integer().notNull().default(999),
    manual_accounts: document<ManualAccount[]>([noAccount]).notNull().default([]),
    session_ttl: pg.integer().notNull().default(43_200),
    invoice_prefix: pg.text().notNull().default('INV-'),
    shop_logo_url: pg.text().notNull().default(''),
    /** The colour of the shop's buttons and links, as #rrggbb; empty = the usual one. */
    shop_color: pg.text().notNull().default(''),
    shop_imprint_url: pg.text().notNull().default(''),
    shop_terms_url: pg.text().notNull().default(''),
    shop_privacy_url: pg.text().notNull().default(''),
    shop_contact_url: pg.text().notNull().default(''),
    shop_phone: choice(fieldDemands).notNull().default('optional'),
    shop_postal_code: choice(fieldDemands).notNull().default('optional'),
    /** The sites that may show the checkout in a frame, as origins. */
    shop_frame_sites: document<string[]>().notNull().default([]),
    /**
     * The time and user of the last reported state change that only the passing of time caused; null before the first
     * report.
     */
    states_told_at: instant(),
    states_told_user: integer(),
    updated_at: instant()
      .notNull()
      .default(sql`now()`),
    version: integer().notNull().default(1),
  },
  (t) => [
    pg.check('settings_one_row', sql`${t.id} = 1`),
    oneOf('settings_language', t.language, languages),
    oneOf('settings_affiliate_coupon_status', t.affiliate_coupon_status, affiliateCouponStatuses),
    oneOf('settings_unique_code_operation', t.unique_code_operation, uniqueCodeOperations),
    oneOf('settings_shop_phone', t.shop_phone, fieldDemands),
    oneOf('settings_shop_postal_code', t.shop_postal_code, fieldDemands),
  ],
);

const cidrs = pg.customType<{ data: string[] }>({ dataType: () => 'cidr[]' });

/** An API key. Its secrets are separate rows, so that a rotation can overlap. */
export const apiKeys = pg.pgTable('api_keys', {
  id: id(),
  name: pg.text().notNull(),
  scopes: pg.text().array().notNull(),
  ip_allow: cidrs(),
  /** True if the key may issue sessions for administrators, who can make anybody an administrator. */
  signs_in_administrators: pg.boolean().notNull().default(false),
  /** The console user who made the key; null for the command line. */
  created_by: integer().references(() => users.id),
  created_at: instant().notNull(),
  expires_at: instant(),
  revoked_at: instant(),
  last_used_at: instant(),
});

/** A secret of a key: only an HMAC of the whole token is stored. */
export const apiKeySecrets = pg.pgTable(
  'api_key_secrets',
  {
    prefix: pg.text().primaryKey(),
    api_key_id: reference(() => apiKeys.id, { onDelete: 'cascade' }),
    hash: pg.text().notNull(),
    pepper_version: pg.integer().notNull(),
    created_at: instant().notNull(),
    expires_at: instant(),
  },
  (t) => [pg.index('api_key_secrets_api_key').on(t.api_key_id)],
);

/** Revoked sessions, stored until the token would have expired. */
export const revokedSessions = pg.pgTable(
  'revoked_sessions',
  { sid: pg.uuid().primaryKey(), revoked_at: instant().notNull(), expires_at: instant().notNull() },
  (t) => [pg.index('revoked_sessions_expires_at').on(t.expires_at)],
);

/** The stored answer of a write with an `Idempotency-Key`. */
export const idempotencyKeys = pg.pgTable(
  'idempotency_keys',
  {
    caller: pg.text().notNull(),
    operation: pg.text().notNull(),
    key: pg.text().notNull(),
    fingerprint: pg.text().notNull(),
    status: pg.smallint().notNull(),
    body: pg.text().notNull(),
    created_at: instant().notNull(),
  },
  (t) => [
    pg.primaryKey({ name: 'idempotency_keys_pkey', columns: [t.caller, t.operation, t.key] }),
    pg.index('idempotency_keys_created_at').on(t.created_at),
  ],
);

/** Changes and their authors. A row is written in the transaction that it describes. */
export const auditLog = pg.pgTable(
  'audit_log',
  {
    id: id(),
    at: instant().notNull(),
    actor_type: choice(actorTypes).notNull(),
    /** The id of a user or an API key. */
    actor_id: integer(),
    /** The user that an administrator acted as. */
    user_id: integer().references(() => users.id),
    /** The administrator's session: the same before, during and after a switch. */
    sid: pg.uuid(),
    /** The endpoint's id; for the command line, the id of the endpoint with the same effect. */
    operation: pg.text().notNull(),
    /** The kind of the changed record, as in operation ids: `products`. */
    subject_type: pg.text().notNull(),
    /** The id of the changed record; null for singletons such as settings. */
    subject_id: pg.text(),
    /** The changed fields, before and after, without personal data and secrets. */
    before: document<Record<string, unknown> | null>(),
    after: document<Record<string, unknown> | null>(),
    /** The administrator's reason for a switch. */
    reason: pg.text(),
    request_id: pg.text(),
  },
  (t) => [
    oneOf('audit_log_actor_type', t.actor_type, actorTypes),
    pg.index('audit_log_at').on(t.at),
    pg.index('audit_log_actor').on(t.actor_type, t.actor_id, t.id),
    pg.index('audit_log_subject').on(t.subject_type, t.subject_id, t.id),
    pg.index('audit_log_operation').on(t.operation, t.id),
  ],
);

export type SettingsRow = typeof settings.$inferSelect;

/** The progress of `npm run migrate` in filling in columns that a migration added. */
export const backfills = pg.pgTable('backfills', {
  name: pg.text().primaryKey(),
  /** The last processed id. */
  position: integer().notNull(),
});

/** The functions of prepared trips that `npm run migrate` made. */
export const storedFunctions = pg.pgTable('stored_functions', {
  name: pg.text().primaryKey(),
  /** The time at which the last migrated version stopped using it. */
  superseded_at: instant(),
});
