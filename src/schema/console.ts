import { index, integer as int4, pgTable, text } from 'drizzle-orm/pg-core';
import { id, instant, integer, reference } from '../kernel/database/columns.ts';
import { users } from './users.ts';

/** A link that signs a person in to the console, once. Only an HMAC of its secret is stored. */
export const consoleLinks = pgTable(
  'console_links',
  {
    prefix: text().primaryKey(),
    hash: text().notNull(),
    pepper_version: int4().notNull(),
    user_id: reference(() => users.id),
    created_at: instant().notNull(),
    expires_at: instant().notNull(),
    used_at: instant(),
  },
  (t) => [index('console_links_expires_at').on(t.expires_at)],
);

/** A code that makes a session fresh, once. Only an HMAC of it is stored. */
export const consoleCodes = pgTable(
  'console_codes',
  {
    id: id(),
    hash: text().notNull(),
    user_id: reference(() => users.id),
    session_id: integer()
      .notNull()
      .references(() => consoleSessions.id, { onDelete: 'cascade' }),
    created_at: instant().notNull(),
    expires_at: instant().notNull(),
    tries: int4().notNull().default(0),
    used_at: instant(),
  },
  (t) => [
    index('console_codes_session').on(t.session_id, t.id),
    index('console_codes_expires_at').on(t.expires_at),
  ],
);

/** A person who is signed in to the console with a browser. Only an HMAC of the cookie is stored. */
export const consoleSessions = pgTable(
  'console_sessions',
  {
    id: id(),
    prefix: text().notNull().unique('console_sessions_prefix'),
    hash: text().notNull(),
    user_id: reference(() => users.id),
    authenticated_at: instant().notNull(),
    /** Recorded once a minute. */
    seen_at: instant().notNull(),
    /** The latest end. */
    expires_at: instant().notNull(),
    ended_at: instant(),
    user_agent: text().notNull(),
    /** The country of the sign-in, as the platform tells it: two letters, or none. */
    country: text().notNull(),
  },
  (t) => [
    index('console_sessions_user').on(t.user_id, t.id),
    index('console_sessions_expires_at').on(t.expires_at),
  ],
);
