import { type Column, and, desc, eq, gt, gte, isNull, or, sql } from 'drizzle-orm';
import { build, guard, raw } from '../kernel/database/statements.ts';
import { idleTime } from '../kernel/auth/console-session.ts';
import { consoleLinks, consoleSessions } from '../schema/console.ts';
import { staffRoles } from '../schema/staff.ts';
import { users } from '../schema/users.ts';

const account = {
  id: users.id,
  display_name: users.display_name,
  email: sql`coalesce(${users.email}, '')`.mapWith(String).as('email'),
  roles: users.roles,
  language: users.language,
};

const staff_role = { id: staffRoles.id, name: staffRoles.name, scopes: staffRoles.scopes };

/** The key to find a secret's record: its public part, and the hashes of the whole. */
interface HashedSecret {
  readonly prefix: string;
  readonly hashes: readonly string[];
}

const isOneOf = (hash: Column, hashes: readonly string[]) =>
  sql`${hash} = any(${sql.param(hashes)}::text[])`;

/** The account that a link signs in, while the link is valid: its user's sessions were not all ended since. */
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

/** Uses a link up; a second or late use is refused. */
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

/** Draws the id of a new session. */
export const drawSessionId = () =>
  raw<{ id: string }>(sql`select nextval('console_sessions_id_seq') as id`);

/** A new console session. */
export const insertConsoleSession = (session: typeof consoleSessions.$inferInsert) =>
  build.insert(consoleSessions).values(session);

const withAccount = () =>
  build
    .select({ session: consoleSessions, user: account, staff_role })
    .from(consoleSessions)
    .innerJoin(users, eq(users.id, consoleSessions.user_id))
    .leftJoin(staffRoles, eq(staffRoles.id, users.staff_role_id));

/** A session with its account, by its id or the public part of its cookie. */
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
 * The live sessions, newest first, as the person of one of them may see them: administrators see everybody's.
 * @param prefix of that session's cookie
 * @param user_id limits the list to one person's sessions
 */
export const listConsoleSessions = (prefix: string, user_id: number | undefined, now: Date) =>
  withAccount()
    .where(
      and(
        goesOn(now),
        // Leaves out sessions of blocked users: their next request is refused, although nobody
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

/** Makes a session fresh again. */
export const renewSession = (id: number, now: Date) =>
  build
    .update(consoleSessions)
    .set({ authenticated_at: now.toISOString() })
    .where(eq(consoleSessions.id, id));

/** The id of a cookie's session. */
export const sessionOfCookie = (prefix: string) =>
  sql`(select id from console_sessions where prefix = ${prefix})`;

/** Ends a live session; by its cookie only with the whole cookie. */
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
