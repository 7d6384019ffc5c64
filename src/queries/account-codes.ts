import { and, desc, eq, gt, lt, sql } from 'drizzle-orm';
import { build, guard, lockName, raw } from '../kernel/database/statements.ts';
import { addSeconds } from '../lib/instant.ts';
import { isPhone } from './phones.ts';
import { accountCodes, accountPhones } from '../schema/accounts.ts';
import type { SQL } from 'drizzle-orm';

/** The most attempts to enter a code. */
export const codeTries = 5;

/** The most codes sent to a person in an hour. */
const mostCodes = 5;

/** Seconds for which a code is valid. */
const codeSeconds = 600;

type Purpose = (typeof accountCodes.$inferSelect)['purpose'];

interface NewCode {
  readonly id: string;
  readonly hash: string;
  /** In E.164. */
  readonly phone: string;
  readonly now: Date;
}

export const countCodes = lockName('account.codes');

/** Stores a code, unless its member has reached the hourly limit. */
function insertCode({ id, hash, phone, now }: NewCode, purpose: Purpose, members: SQL) {
  const at = now.toISOString();
  return raw<{ store_name: string; language: 'en' | 'id' }>(sql`
    with kept as (
      insert into account_codes (id, user_id, purpose, phone, hash, created_at, expires_at)
      select ${id}, m.id, ${purpose}, ${phone}, ${hash}, ${at}::timestamptz,
             ${addSeconds(at, codeSeconds)}::timestamptz
        from (${members}) m
       where ${mostCodes} > (select count(*) from account_codes c
               where c.user_id = m.id and c.created_at > ${addSeconds(at, -3600)}::timestamptz)
      returning user_id
    )
    select coalesce(u.language, s.language) as language, s.store_name
      from kept join users u on u.id = kept.user_id cross join settings s`);
}

/** Stores a code that confirms a member's number, unless the member has another one by now. */
export const insertConfirmation = (code: NewCode, user_id: number, typed: string) =>
  insertCode(
    code,
    'confirm',
    sql`select u.id from users u where u.id = ${user_id} and u.phone = ${typed} for share`,
  );

/**
 * Stores a code for the member who confirmed a number, if there is one. People with a role in the console sign in to
 * the console instead.
 */
export const insertSignIn = (code: NewCode) =>
  insertCode(
    code,
    'sign-in',
    sql`select u.id from users u join account_phones p on p.user_id = u.id
      where p.phone = ${code.phone} and u.status = 'active' and u.staff_role_id is null
        and not u.roles @> '{administrator}'`,
  );

const selectCodes = (purpose: Purpose, whose: SQL | undefined, now: Date) =>
  build
    .select()
    .from(accountCodes)
    .where(
      and(eq(accountCodes.purpose, purpose), whose, gt(accountCodes.expires_at, now.toISOString())),
    )
    .orderBy(desc(accountCodes.created_at));

/** Codes that sign in by a number in any spelling, newest first. A member who has changed their number has none. */
export const findCodesOf = (phone: string, now: Date) =>
  selectCodes(
    'sign-in',
    and(
      isPhone(accountCodes.phone, phone) ?? sql`false`,
      sql`exists (select from account_phones p where p.user_id = ${accountCodes.user_id}
        and p.phone = ${accountCodes.phone})`,
    ),
    now,
  );

/** Codes that confirm a member's number, newest first. */
export const findConfirmations = (user_id: SQL, now: Date) =>
  selectCodes('confirm', eq(accountCodes.user_id, user_id), now);

const open = (id: string) => and(eq(accountCodes.id, id), lt(accountCodes.tries, codeTries));

/**
 * Counts a wrong attempt.
 * @param id undefined for a number without a code, which takes the same trip
 */
export const countCodeTry = (id: string | undefined) =>
  build
    .update(accountCodes)
    .set({ tries: sql`${accountCodes.tries} + 1` })
    .where(open(id ?? ''));

/** Uses a code up. Refused after too many attempts, even parallel ones. */
export const useCode = (id: string) =>
  guard(
    build
      .update(accountCodes)
      .set({ tries: codeTries })
      .where(open(id))
      .returning({ id: accountCodes.id }),
    'rest_not_found',
  );

/** Stores a confirmed number, and takes it from the member who confirmed it before. */
export const savePhone = (user_id: number, phone: string, now: Date) => [
  raw(sql`delete from account_phones where user_id = ${user_id} or phone = ${phone}`),
  build.insert(accountPhones).values({ user_id, phone, confirmed_at: now.toISOString() }),
];

export const findPhone = (user_id: SQL) =>
  build
    .select({ phone: accountPhones.phone })
    .from(accountPhones)
    .where(eq(accountPhones.user_id, user_id));

/** Deletes the number that a member signs in with. */
export const forgetPhone = (user_id: number) =>
  build.delete(accountPhones).where(eq(accountPhones.user_id, user_id));
