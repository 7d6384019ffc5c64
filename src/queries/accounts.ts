import { type SQL, and, desc, eq, gt, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { type Results, build, guard, lockName, raw } from '../kernel/database/statements.ts';
import { addSeconds } from '../lib/instant.ts';
import { accountLinks, accountSessions } from '../schema/accounts.ts';
import { users } from '../schema/users.ts';

/** Seconds for which a link can be used. */
export const linkSeconds = 3600;

/** Seconds after which an unused session ends. */
export const sessionSeconds = 30 * 86_400;

/** Seconds after a link for which its session may change the member's identifying fields and bank account. */
const freshSeconds = 600;

/** Seconds for which an administrator acts as a member. */
const actingSeconds = 1800;

/** The most links mailed to a person in an hour. */
const mostMails = 3;

/** The stored parts of a secret. */
interface KeptSecret {
  readonly prefix: string;
  readonly hash: string;
}

/** The public part of a secret, which identifies its record, and hashes of the whole. */
export interface HashedSecret {
  readonly prefix: string;
  readonly hashes: readonly string[];
}

/**
 * Stores a link for a member.
 * @param actor_id the administrator who will act as the member
 */
export const insertAccountLink = (
  link: KeptSecret,
  user_id: number,
  now: Date,
  actor_id: number | null = null,
) => {
  const created_at = now.toISOString();
  const expires_at = addSeconds(created_at, linkSeconds);
  return build.insert(accountLinks).values({ ...link, user_id, actor_id, created_at, expires_at });
};

/** Excludes people with a role in the console, who sign in to the console instead. */
const isMember = and(
  eq(users.status, 'active'),
  isNull(users.staff_role_id),
  sql`not ${users.roles} @> '{administrator}'`,
);

export const countLinks = lockName('account.links');

/**
 * Stores a link for the member with an address, if there is one and the hourly limit isn't reached. The lock waits for a
 * parallel change of the address, which voids only links that are stored by then.
 */
export const insertMailedLink = ({ prefix, hash }: KeptSecret, email: string, now: Date) => {
  const at = now.toISOString();
  return raw<{ language: 'en' | 'id'; store_name: string }>(sql`
    with kept as (
      insert into account_links (prefix, hash, user_id, created_at, expires_at)
      select ${prefix}, ${hash}, ${users.id}, ${at}::timestamptz, ${addSeconds(at, linkSeconds)}::timestamptz
        from ${users}
       where ${and(eq(users.email, email), isMember)}
         and ${mostMails} > (select count(*) from account_links l
               where l.user_id = ${users.id} and l.email is null and l.created_at > ${addSeconds(at, -3600)}::timestamptz)
         for key share
      returning user_id
    )
    select coalesce(u.language, s.language) as language, s.store_name from kept join users u on u.id = kept.user_id cross join settings s`);
};

/** Requires that the user's sessions were not all ended since. */
const isValid = (made: SQL) =>
  and(
    isMember,
    sql`(${users.sessions_valid_after} is null or ${made} >= ${users.sessions_valid_after})`,
  );

const isUsable = ({ prefix, hashes }: HashedSecret, now: Date) =>
  and(
    eq(accountLinks.prefix, prefix),
    sql`${accountLinks.hash} = any(${sql.param(hashes)}::text[])`,
    isNull(accountLinks.used_at),
    gt(accountLinks.expires_at, now.toISOString()),
    isValid(sql`${accountLinks.created_at}`),
  );

const selectLinks = () =>
  build
    .select({
      user_id: users.id,
      display_name: users.display_name,
      actor_id: accountLinks.actor_id,
      email: accountLinks.email,
    })
    .from(accountLinks)
    .innerJoin(users, eq(users.id, accountLinks.user_id));

/** The member whom a link signs in. */
export const findAccountLink = (secret: HashedSecret, now: Date) =>
  selectLinks().where(and(isUsable(secret, now), isNull(accountLinks.email)));

/** The new address that a link was sent to. */
export const findAddressLink = (secret: HashedSecret, user_id: number | SQL, now: Date) =>
  selectLinks().where(
    and(isUsable(secret, now), isNotNull(accountLinks.email), eq(accountLinks.user_id, user_id)),
  );

/**
 * Stores a link for a member's new address, within the hourly limit.
 * @returns no row if somebody has the address
 */
export const insertAddressLink = (
  { prefix, hash }: KeptSecret,
  { user_id, email }: { readonly user_id: number; readonly email: string },
  now: Date,
) => {
  const at = now.toISOString();
  return raw<{ store_name: string; language: 'en' | 'id' }>(sql`
    with kept as (
      insert into account_links (prefix, hash, user_id, email, created_at, expires_at)
      select ${prefix}, ${hash}, ${user_id}, ${email}, ${at}::timestamptz, ${addSeconds(at, linkSeconds)}::timestamptz
       where ${mostMails} > (select count(*) from account_links l where l.user_id = ${user_id}
               and l.email is not null and l.created_at > ${addSeconds(at, -3600)}::timestamptz)
      returning user_id
    )
    select coalesce(u.language, s.language) as language, s.store_name from kept join users u on u.id = kept.user_id cross join settings s
     where not exists (select from users t where t.email = ${email})`);
};

/** Refuses a second use of a link. */
export const useAccountLink = (prefix: string, now: Date) =>
  guard(
    build
      .update(accountLinks)
      .set({ used_at: now.toISOString() })
      .where(and(eq(accountLinks.prefix, prefix), isNull(accountLinks.used_at)))
      .returning({ prefix: accountLinks.prefix }),
    'rest_not_found',
  );

interface SessionStart {
  readonly user_id: number;
  /** The administrator who acts as the member. */
  readonly actor_id: number | null;
  /** True for a link in the member's own mail. */
  readonly isFresh: boolean;
}

export const insertAccountSession = (
  session: KeptSecret,
  { user_id, actor_id, isFresh }: SessionStart,
  now: Date,
) => {
  const created_at = now.toISOString();
  const seconds = actor_id === null ? sessionSeconds : actingSeconds;
  const fresh_until = isFresh && actor_id === null ? addSeconds(created_at, freshSeconds) : null;
  return build.insert(accountSessions).values({
    ...{ ...session, user_id, actor_id, fresh_until, created_at },
    expires_at: addSeconds(created_at, seconds),
  });
};

/** Excludes sessions of administrators who act as a member, but lost the role or are not active. */
const isOfAdministrator = sql`(${accountSessions.actor_id} is null or exists (
  select from users a where a.id = ${accountSessions.actor_id} and a.status = 'active'
    and a.roles @> '{administrator}'))`;

const ofSession = ({ prefix, hashes }: HashedSecret, now: Date) =>
  and(
    eq(accountSessions.prefix, prefix),
    sql`${accountSessions.hash} = any(${sql.param(hashes)}::text[])`,
    gt(accountSessions.expires_at, now.toISOString()),
    isOfAdministrator,
    isValid(sql`${accountSessions.created_at}`),
  );

/** The member of a session that has not ended. */
export const findAccount = (session: HashedSecret, now: Date) =>
  build
    .select({
      id: users.id,
      display_name: users.display_name,
      email: sql<string>`coalesce(${users.email}, '')`,
      roles: users.roles,
      actor_id: accountSessions.actor_id,
      fresh_until: accountSessions.fresh_until,
      expires_at: accountSessions.expires_at,
    })
    .from(accountSessions)
    .innerJoin(users, eq(users.id, accountSessions.user_id))
    .where(ofSession(session, now));

export type Account = Results<{ found: ReturnType<typeof findAccount> }>['found'][number];

/** The id of a session's member; null without one. */
export const accountOf = (session: HashedSecret, now: Date): SQL<number> => {
  const found = build
    .select({ id: users.id })
    .from(accountSessions)
    .innerJoin(users, eq(users.id, accountSessions.user_id))
    .where(ofSession(session, now));
  return sql<number>`(${found.getSQL()})`;
};

export const listAccountSessions = (user_id: number, now: Date) =>
  build
    .select({
      id: accountSessions.prefix,
      acting: sql<{ id: number; display_name: string } | null>`(
        select jsonb_build_object('id', a.id, 'display_name', a.display_name)
          from users a where a.id = ${accountSessions.actor_id})`,
      created_at: accountSessions.created_at,
      used_at:
        sql`greatest(${accountSessions.created_at}, case when ${accountSessions.actor_id} is null
        then ${accountSessions.expires_at} - interval '1 second' * ${sessionSeconds} end)`.mapWith(
          accountSessions.created_at,
        ),
      expires_at: accountSessions.expires_at,
    })
    .from(accountSessions)
    .innerJoin(users, eq(users.id, accountSessions.user_id))
    .where(
      and(
        eq(users.id, user_id),
        gt(accountSessions.expires_at, now.toISOString()),
        isOfAdministrator,
        isValid(sql`${accountSessions.created_at}`),
      ),
    )
    .orderBy(desc(accountSessions.created_at))
    .limit(100);

export const findAccountSession = (prefix: string) =>
  build
    .select({ user_id: accountSessions.user_id })
    .from(accountSessions)
    .where(eq(accountSessions.prefix, prefix));

export const deleteAccountSession = (prefix: string) =>
  build.delete(accountSessions).where(eq(accountSessions.prefix, prefix));

export const prolongSession = (prefix: string, now: Date) => {
  const end = addSeconds(now.toISOString(), sessionSeconds);
  return build
    .update(accountSessions)
    .set({ expires_at: end })
    .where(
      and(
        eq(accountSessions.prefix, prefix),
        isNull(accountSessions.actor_id),
        lt(accountSessions.expires_at, end),
      ),
    );
};

export const endAccountSession = ({ prefix, hashes }: HashedSecret) =>
  build
    .delete(accountSessions)
    .where(
      and(
        eq(accountSessions.prefix, prefix),
        sql`${accountSessions.hash} = any(${sql.param(hashes)}::text[])`,
      ),
    );

/** Ends every session of a session's member, including those of apps. */
export const endEverySession = (session: HashedSecret, now: Date) =>
  raw(sql`update users set sessions_valid_after = ${now.toISOString()}, version = version + 1,
      updated_at = ${now.toISOString()} where id = ${accountOf(session, now)}`);
