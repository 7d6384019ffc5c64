import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  customType,
  index,
  integer as int4,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { languages, paidStatuses } from './lists.ts';
import { choice, document, id, instant, integer, oneOf } from '../kernel/database/columns.ts';
import { actorTypes } from '../kernel/auth/actor.ts';
import { users } from './users.ts';

/** Initial statuses of an affiliate's own coupon. */
export const affiliateCouponStatuses = ['active', 'need-approve'] as const;

export const uniqueCodeOperations = ['added', 'reduced'] as const;

/** The largest code that a store can set as its largest. */
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
export const settings = pgTable(
  'settings',
  {
    id: smallint().primaryKey().default(1),
    store_name: text().notNull().default('My store'),
    platform_name: text().notNull().default('svc'),
    site_url: text().notNull().default(''),
    country: text().notNull().default(''),
    timezone: text().notNull().default('UTC'),
    /** The language of people who chose none. */
    language: choice(languages).notNull().default('en'),
    /** Where the seller is told of what happens at the store. */
    notification_email: text().notNull().default(''),
    notification_phone: text().notNull().default(''),
    /** HTML around what e-mails say; empty = the plain one that comes with the service. */
    mail_layout: text().notNull().default(''),
    /** The currency; null until somebody sets it, and then never null again. */
    currency: text(),
    /** The decimals of the currency; null as long as that is. */
    currency_exponent: smallint(),
    access_statuses: document<string[]>()
      .notNull()
      .default([...paidStatuses]),
    permanent_affiliate: boolean().notNull().default(false),
    affiliate_coupon_status: choice(affiliateCouponStatuses).notNull().default('need-approve'),
    members_cancel: boolean().notNull().default(true),
    restock_on_refund: boolean().notNull().default(false),
    /** What the console gives back without a fresh sign-in, in the smallest unit of the currency. */
    refund_sign_in_above: integer().notNull().default(0),
    auto_cancel_days: int4().notNull().default(3),
    transfer_hold_days: int4().notNull().default(14),
    affiliate_link_days: int4().notNull().default(30),
    unique_code_enabled: boolean().notNull().default(false),
    unique_code_operation: choice(uniqueCodeOperations).notNull().default('added'),
    unique_code_largest: int4().notNull().default(999),
    manual_accounts: document<ManualAccount[]>([noAccount]).notNull().default([]),
    session_ttl: int4().notNull().default(43_200),
    invoice_prefix: text().notNull().default('INV-'),
    updated_at: instant()
      .notNull()
      .default(sql`now()`),
    version: integer().notNull().default(1),
  },
  (t) => [
    check('settings_one_row', sql`${t.id} = 1`),
    oneOf('settings_language', t.language, languages),
    oneOf('settings_affiliate_coupon_status', t.affiliate_coupon_status, affiliateCouponStatuses),
    oneOf('settings_unique_code_operation', t.unique_code_operation, uniqueCodeOperations),
  ],
);

const cidrs = customType<{ data: string[] }>({ dataType: () => 'cidr[]' });

/** An API key's record; its secrets are rows of their own, so that a rotation can overlap. */
export const apiKeys = pgTable('api_keys', {
  id: id(),
  name: text().notNull(),
  scopes: text().array().notNull(),
  ip_allow: cidrs(),
  /** Whether it may issue sessions for administrators, with which anybody can be made one. */
  signs_in_administrators: boolean().notNull().default(false),
  /** Who made it in the console; of one made on the command line, nobody. */
  created_by: integer().references(() => users.id),
  created_at: instant().notNull(),
  expires_at: instant(),
  revoked_at: instant(),
  last_used_at: instant(),
});

/** A secret of a key: only an HMAC of the whole token is kept. */
export const apiKeySecrets = pgTable(
  'api_key_secrets',
  {
    prefix: text().primaryKey(),
    api_key_id: integer()
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    hash: text().notNull(),
    pepper_version: int4().notNull(),
    created_at: instant().notNull(),
    expires_at: instant(),
  },
  (t) => [index('api_key_secrets_api_key').on(t.api_key_id)],
);

/** Sessions ended before their time, kept until the token would have expired anyway. */
export const revokedSessions = pgTable(
  'revoked_sessions',
  { sid: uuid().primaryKey(), revoked_at: instant().notNull(), expires_at: instant().notNull() },
  (t) => [index('revoked_sessions_expires_at').on(t.expires_at)],
);

/** The stored answer of a write that carried an `Idempotency-Key`. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    caller: text().notNull(),
    operation: text().notNull(),
    key: text().notNull(),
    fingerprint: text().notNull(),
    status: smallint().notNull(),
    body: text().notNull(),
    created_at: instant().notNull(),
  },
  (t) => [
    primaryKey({ name: 'idempotency_keys_pkey', columns: [t.caller, t.operation, t.key] }),
    index('idempotency_keys_created_at').on(t.created_at),
  ],
);

/** Who changed what: a row is part of the transaction it tells of. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: id(),
    at: instant().notNull(),
    actor_type: choice(actorTypes).notNull(),
    /** Of a user or an API key. */
    actor_id: integer(),
    /** The user that an administrator acted as. */
    user_id: integer().references(() => users.id),
    /** That administrator's session, the same before, while and after they switched. */
    sid: uuid(),
    /** The endpoint's id; of the command line, the id of the endpoint that does the same. */
    operation: text().notNull(),
    /** The kind of record that was changed, as operations are named: `products`. */
    subject_type: text().notNull(),
    /** The record's id, where it is one that was changed. */
    subject_id: text(),
    /** What of it changed, by field: as it was, and as it is. Nothing personal, and no secret. */
    before: document<Record<string, unknown> | null>(),
    after: document<Record<string, unknown> | null>(),
    /** Of a switch: why, in the administrator's words. */
    reason: text(),
    request_id: text(),
  },
  (t) => [
    oneOf('audit_log_actor_type', t.actor_type, actorTypes),
    index('audit_log_at').on(t.at),
    index('audit_log_actor').on(t.actor_type, t.actor_id, t.id),
    index('audit_log_subject').on(t.subject_type, t.subject_id, t.id),
    index('audit_log_operation').on(t.operation, t.id),
  ],
);

export type SettingsRow = typeof settings.$inferSelect;

/** How far `npm run migrate` has filled in columns that a migration added. */
export const backfills = pgTable('backfills', {
  name: text().primaryKey(),
  /** The last id that was looked at. */
  position: integer().notNull(),
});

/** The functions of prepared trips that `npm run migrate` made. */
export const storedFunctions = pgTable('stored_functions', {
  name: text().primaryKey(),
  /** Since when it is none of the version that was migrated to last. */
  superseded_at: instant(),
});
