import { index, integer as int4, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { choice, instant, integer, oneOf, reference } from '../kernel/database/columns.ts';
import { orders } from './orders.ts';
import { users } from './users.ts';

/** A link that signs a member in to the pages of their account, once. Only an HMAC of its secret is kept. */
export const accountLinks = pgTable(
  'account_links',
  {
    prefix: text().primaryKey(),
    hash: text().notNull(),
    user_id: reference(() => users.id),
    /** The administrator who will act as the member. */
    actor_id: integer().references(() => users.id),
    /** The new address that the member wants to have. Such a link signs nobody in. */
    email: text(),
    created_at: instant().notNull(),
    expires_at: instant().notNull(),
    used_at: instant(),
  },
  (t) => [
    index('account_links_expires_at').on(t.expires_at),
    index('account_links_user').on(t.user_id, t.created_at),
  ],
);

/** A member who is signed in to the pages of their account. Only an HMAC of the cookie is kept. */
export const accountSessions = pgTable(
  'account_sessions',
  {
    prefix: text().primaryKey(),
    hash: text().notNull(),
    user_id: reference(() => users.id),
    /** The administrator who acts as the member. */
    actor_id: integer().references(() => users.id),
    /** The end of the time in which the member's identifying fields and bank account can be changed. */
    fresh_until: instant(),
    created_at: instant().notNull(),
    /** Extended by use, once a day. */
    expires_at: instant().notNull(),
  },
  (t) => [
    index('account_sessions_expires_at').on(t.expires_at),
    index('account_sessions_user').on(t.user_id),
  ],
);

/** Uses of a code: it confirms a member's number, or signs them in by a number confirmed before. */
export const codePurposes = ['confirm', 'sign-in'] as const;

/** Codes sent by WhatsApp. Only an HMAC of the code is kept. */
export const accountCodes = pgTable(
  'account_codes',
  {
    id: text().primaryKey(),
    user_id: reference(() => users.id),
    purpose: choice(codePurposes).notNull(),
    /** In E.164. */
    phone: text().notNull(),
    hash: text().notNull(),
    tries: int4().notNull().default(0),
    created_at: instant().notNull(),
    expires_at: instant().notNull(),
  },
  (t) => [
    oneOf('account_codes_purpose', t.purpose, codePurposes),
    index('account_codes_expires_at').on(t.expires_at),
    index('account_codes_user').on(t.user_id, t.created_at),
  ],
);

/** Numbers that members confirmed by a code while signed in, and can now sign in with. */
export const accountPhones = pgTable(
  'account_phones',
  {
    user_id: reference(() => users.id).primaryKey(),
    /** In E.164. */
    phone: text().notNull(),
    confirmed_at: instant().notNull(),
  },
  (t) => [uniqueIndex('account_phones_phone').on(t.phone)],
);

/** Members with an account made by the shop who have neither paid nor signed in. */
export const newBuyers = pgTable(
  'new_buyers',
  {
    user_id: reference(() => users.id).primaryKey(),
    created_at: instant().notNull(),
  },
  (t) => [index('new_buyers_created_at').on(t.created_at)],
);

/** New buyers whose orders decide who their sponsor is, until it is set by hand. */
export const buyerSponsors = pgTable(
  'buyer_sponsors',
  {
    user_id: reference(() => users.id).primaryKey(),
    /** The order whose affiliate is the sponsor; null if no order gives one any more. */
    order_id: integer().references(() => orders.id, { onDelete: 'set null' }),
  },
  (t) => [index('buyer_sponsors_order').on(t.order_id)],
);
