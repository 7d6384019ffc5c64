import { type Column, and, desc, eq, gt, gte, isNull, or, sql } from 'drizzle-orm';
import { build, guard, raw } from '../kernel/database/statements.ts';
import { idleTime } from '../kernel/auth/console-session.ts';
import { consoleLinks, consoleSessions } from '../schema/console.ts';
import { staffRoles } from '../schema/staff.ts';
import { users } from '../schema/users.ts';
import type { HashedSecret } from './accounts.ts';

const account = {
  id: users.id,
  display_name: users.display_name,
  email: sql`coalesce(${users.email}, '')`.mapWith(String).as('email'),
  roles: users.roles,
  language: users.language,
};

const staff_role = { id: staffRoles.id, name: staffRoles.name, scopes: staffRoles.scopes };

const isOneOf = (hash: Column, hashes: readonly string[]) =>
  sql`${hash} = any(${sql.param(hashes)}::text[])`;

/** The account that a valid link signs in. A link is invalid if its user's sessions were all ended since. */
export const findLink = ({ prefix, hashes }: HashedSecret, now: Date) =>
  build
    .select({
      prefix: consoleLinks.prefix,
      expires_at: consoleLinks.expires_at,
      user: account,
      staff_role,
    })
    .from(consoleLinks)
    .innerJoin(users, eq(users.id, consoleLinks.user_id))
    .leftJoin(staffRoles, eq(staffRoles.id, users.staff_role_id))
    .where(
      and(
        eq(consoleLinks.prefix, prefix),
        isOneOf(consoleLinks.hash, hashes),
        isNull(consoleLinks.used_at),
        gt(consoleLinks.expires_at, now.toISOString()),
        eq(users.status, 'active'),
        or(
          isNull(users.sessions_valid_after),
          gte(consoleLinks.created_at, users.sessions_valid_after),
        ),
      ),
    );

/** Refuses a second or late use of a link. */
export const useLink = (prefix: string, now: Date) =>
  guard(
    build
      .update(consoleLinks)
      .set({ used_at: now.toISOString() })
      .where(
        and(
          eq(consoleLinks.prefix, prefix),
          isNull(consoleLinks.used_at),
          gt(consoleLinks.expires_at, now.toISOString()),
        ),
      )
      .returning({ prefix: consoleLinks.prefix }),
    'svc_console_link_invalid',
  );

export const drawSessionId = () =>
  raw<{ id: string }>(sql`select nextval('console_sessions_id_seq') as id`);

export const insertConsoleSession = (session: typeof consoleSessions.$inferInsert) =>
  build.insert(consoleSessions).values(session);

const withAccount = () =>
  build
    .select({ session: consoleSessions, user: account, staff_role })
    .from(consoleSessions)
    .innerJoin(users, eq(users.id, consoleSessions.user_id))
    .leftJoin(staffRoles, eq(staffRoles.id, users.staff_role_id));

/** A session with its account, by id or by the public part of its cookie. */
export const findConsoleSession = (by: { readonly id: number } | { readonly prefix: string }) =>
  withAccount().where(named(by));

const goesOn = (now: Date) =>
  and(
    isNull(consoleSessions.ended_at),
    gt(consoleSessions.expires_at, now.toISOString()),
    gt(consoleSessions.seen_at, new Date(now.getTime() - idleTime).toISOString()),
  );

const named = (by: { readonly id: number } | { readonly prefix: string }) =>
  'id' in by ? eq(consoleSessions.id, by.id) : eq(consoleSessions.prefix, by.prefix);

/**
 * Lists sessions that have not ended, newest first. Administrators see everybody's.
 * @param prefix of the cookie of the person who asks
 * @param user_id limits the list to one person's sessions
 */
export const listConsoleSessions = (prefix: string, user_id: number | undefined, now: Date) =>
  withAccount()
    .where(
      and(
        goesOn(now),
        // Sessions of blocked users are left out: their next request is refused, although nobody
        // ended them.
        eq(users.status, 'active'),
        or(
          isNull(users.sessions_valid_after),
          gte(consoleSessions.authenticated_at, users.sessions_valid_after),
        ),
        user_id === undefined ? undefined : eq(users.id, user_id),
        sql`exists (select from console_sessions o join users v on v.id = o.user_id
          where o.prefix = ${prefix}
            and (v.id = ${consoleSessions.user_id} or v.roles @> '{administrator}'))`,
      ),
    )
    .orderBy(desc(consoleSessions.id))
    .limit(200);

export const renewSession = (id: number, now: Date) =>
  build
    .update(consoleSessions)
    .set({ authenticated_at: now.toISOString() })
    .where(eq(consoleSessions.id, id));

export const sessionOfCookie = (prefix: string) =>
  sql`(select id from console_sessions where prefix = ${prefix})`;

/** Ends a session. By cookie, this needs the whole cookie. */
export const endConsoleSession = (by: { readonly id: number } | HashedSecret, now: Date) =>
  build
    .update(consoleSessions)
    .set({ ended_at: now.toISOString() })
    .where(
      and(
        named(by),
        'hashes' in by ? isOneOf(consoleSessions.hash, by.hashes) : undefined,
        isNull(consoleSessions.ended_at),
      ),
    );
