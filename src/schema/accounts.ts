import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { instant, reference } from '../kernel/database/columns.ts';
import { users } from './users.ts';

/** A link that signs a member in to the pages of their account, once. Only an HMAC of its secret is kept. */
export const accountLinks = pgTable(
  'account_links',
  {
    prefix: text().primaryKey(),
    hash: text().notNull(),
    user_id: reference(() => users.id),
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
    created_at: instant().notNull(),
    /** Extended by use, once a day. */
    expires_at: instant().notNull(),
  },
  (t) => [
    index('account_sessions_expires_at').on(t.expires_at),
    index('account_sessions_user').on(t.user_id),
  ],
);
