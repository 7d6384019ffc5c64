import { type SQL, and, desc, eq, sql } from 'drizzle-orm';
import { type Write, build, guard, lockName, raw } from '../kernel/database/statements.ts';
import { codeTries, linkLifetime, mostCodes, mostLinks } from '../domain/console/rules.ts';
import { addSeconds } from '../lib/instant.ts';
import { consoleCodes } from '../schema/console.ts';
import type { SignInKind } from '../schema/lists.ts';
import { users } from '../schema/users.ts';

/** The recipient of a mail: an id, or an address that may be nobody's. */
type Addressee = { readonly user_id: number } | { readonly email: string };

/** A mail to a person with a role in the console. The key identifies it. */
interface Mail {
  readonly key: string;
  readonly to: Addressee;
  readonly now: Date;
}

const countMails = lockName('console.mails');

const isAddressee = (to: Addressee) =>
  'email' in to ? eq(users.email, to.email) : eq(users.id, to.user_id);

/** Queues a mail if its recipient exists and is below the hourly limit. */
const queueMail = (kind: SignInKind, { key, to, now }: Mail, most: number): SQL => {
  const at = now.toISOString();
  return sql`
    insert into messages (key, kind, medium, user_id, status, due_at, created_at, updated_at)
    select ${key}::uuid, ${kind}, 'email', ${users.id}, 'queued', ${at}::timestamptz, ${at}::timestamptz,
           ${at}::timestamptz
      from ${users}
     where ${and(isAddressee(to), eq(users.status, 'active'))}
       and (${users.staff_role_id} is not null or ${users.roles} @> '{administrator}')
       and ${most} > (select count(*) from messages m
                       where m.user_id = ${users.id} and m.kind = ${kind}
                         and m.created_at > ${addSeconds(at, -3600)}::timestamptz)
    returning id`;
};

interface KeptLink {
  readonly prefix: string;
  readonly hash: string;
  readonly version: number;
}

const saveLink = ({ prefix, hash, version }: KeptLink, { key, now }: Mail) =>
  raw(sql`
    insert into console_links (prefix, hash, pepper_version, user_id, created_at, expires_at)
    select ${prefix}, ${hash}, ${version}, m.user_id, m.created_at,
           ${addSeconds(now.toISOString(), linkLifetime)}::timestamptz
      from messages m where m.key = ${key}::uuid`);

/** Queues a mail with a link, without revealing if there is a recipient. */
export const queueLink = (link: KeptLink, mail: Mail): Write[] => [
  countMails,
  raw(queueMail('sign-in-link', mail, mostLinks)),
  saveLink(link, mail),
];

/** Queues a mail with a link. Refused beyond an hourly limit. */
export const sendLink = (link: KeptLink, mail: Mail): Write<'svc_console_mail_limit'>[] => [
  countMails,
  guard(queueMail('sign-in-link', mail, mostLinks), 'svc_console_mail_limit'),
  saveLink(link, mail),
];

/** Queues a mail with a code for a session. Refused beyond an hourly limit. */
export const sendCode = (
  hash: string,
  session_id: number,
  mail: Mail,
): Write<'svc_console_mail_limit'>[] => [
  countMails,
  guard(queueMail('sign-in-code', mail, mostCodes), 'svc_console_mail_limit'),
  raw(sql`
    insert into console_codes (hash, user_id, session_id, created_at, expires_at)
    select ${hash}, m.user_id, ${session_id}, m.created_at,
           ${addSeconds(mail.now.toISOString(), linkLifetime)}::timestamptz
      from messages m where m.key = ${mail.key}::uuid`),
];

/** Queues a notice to a person of a new session in their name. */
export function queueSignInNotice(user_id: number, session_id: number, now: Date) {
  const at = now.toISOString();
  return raw(sql`
    insert into messages (kind, medium, user_id, record_id, status, due_at, created_at, updated_at)
    values ('signed-in', 'email', ${user_id}, ${session_id}, 'queued', ${at}, ${at}, ${at})`);
}

export const findCode = (session_id: SQL) =>
  build
    .select()
    .from(consoleCodes)
    .where(eq(consoleCodes.session_id, session_id))
    .orderBy(desc(consoleCodes.id))
    .limit(1);

/** Counts an attempt to enter a code, up to a limit that also holds for parallel callers. A correct code is used up. */
export const countTry = ({ id, tries }: typeof consoleCodes.$inferSelect, used_at: string | null) =>
  guard(
    build
      .update(consoleCodes)
      .set({ tries: tries + 1, used_at })
      .where(
        and(
          eq(consoleCodes.id, id),
          eq(consoleCodes.tries, tries),
          sql`${consoleCodes.tries} < ${codeTries} and ${consoleCodes.used_at} is null`,
        ),
      )
      .returning({ id: consoleCodes.id }),
    'rest_conflict',
  );
