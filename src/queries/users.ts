import { SQL, is, and, eq, getTableColumns, ne, or, sql } from 'drizzle-orm';
import { prepared } from '../kernel/database/prepared.ts';
import { userGroups } from '../schema/groups.ts';
import { forgetPhone } from './account-codes.ts';
import { ofOrder } from './order-columns.ts';
import { userExternalIds, users } from '../schema/users.ts';
import { recordOf, recordOrNullFrom, selectRecords } from '../kernel/database/records.ts';
import {
  type Argument,
  type Write,
  build,
  guard,
  lockName,
  raw,
  sendIf,
} from '../kernel/database/statements.ts';
import { type RowVersion, holdRow, updateRow } from '../kernel/database/versions.ts';
import type { UserRow } from '../domain/user/rules.ts';
import type { OrderTarget } from '../domain/order/change.ts';

const external_ids = sql<Record<string, string>>`(
  select coalesce(jsonb_object_agg(x.provider, x.external_id), '{}')
    from user_external_ids x where x.user_id = "users"."id")`;

export const groupOfUser = recordOrNullFrom(
  userGroups,
  eq(userGroups.id, users.group_id),
  userGroups,
);

const userRecord = recordOf({ user: users, group: groupOfUser, external_ids });

export const selectUsers = () => selectRecords(userRecord).from(users);

/** Users who were not erased. */
export const present = ne(users.status, 'anonymised');

export const findUser = (id: number | SQL) => selectUsers().where(and(eq(users.id, id), present));

export const loadUser = prepared({ id: 'bigint' }, ({ id }) => ({ found: findUser(id) }));

export function insertUser({ user, external_ids: ids }: UserRow) {
  return [build.insert(users).values(user), ...insertExternalIds(user.id, ids)];
}

/** Inserts a user with an unused e-mail address. The later of two callers decides again. */
export const insertBuyer = ({ user }: UserRow) =>
  guard(
    build
      .insert(users)
      .values(user)
      .onConflictDoNothing({ target: users.email })
      .returning({ id: users.id }),
    'rest_conflict',
  );

const insertExternalIds = (user_id: number, ids: Record<string, string>) => {
  const rows = Object.entries(ids).map(([provider, external_id]) => ({
    user_id,
    provider,
    external_id,
  }));
  return rows.length > 0 ? [build.insert(userExternalIds).values(rows)] : [];
};

export function updateUser(before: UserRow, after: UserRow): Write<'rest_upline_cycle'>[] {
  const { id, affiliate_id } = after.user;
  const moved = before.user.affiliate_id !== affiliate_id;
  return [...(moved ? holdTree(id, affiliate_id) : []), ...saveUser(before, after)];
}

/** Keeps a user from being erased until the commit, so that nothing of theirs is written after it was erased. */
export const holdPresent = (id: number) =>
  guard(
    build
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, id), present))
      .for('key share'),
    'rest_conflict',
  );

/** Writes a user's new state, if the version is unchanged. The place in the tree is the same. */
export function saveUser(before: UserRow, after: UserRow): Write[] {
  const { id } = before.user;
  return [
    updateRow(users, before.user, after.user),
    // A confirmed number opens the account only as long as it is the person's.
    ...(before.user.phone === after.user.phone ? [] : [forgetPhone(id)]),
    build.delete(userExternalIds).where(eq(userExternalIds.user_id, id)),
    ...insertExternalIds(id, after.external_ids),
  ];
}

/** Serialises changes of the tree, and refuses a cycle. */
function holdTree(id: number, sponsor: number | null): Write<'rest_upline_cycle'>[] {
  if (sponsor === null) return [];
  return [
    lockName('users.affiliate_id'),
    {
      code: 'rest_upline_cycle',
      statement: raw(sql`${uplinesFrom(sponsor)}
        select svc_guard(not exists (select from uplines where id = ${id}), 'rest_upline_cycle')`),
    },
  ];
}

/** A user and everybody above, as `uplines (id)`. */
const uplinesFrom = (id: number) => sql`
  with recursive uplines (id) as (
    select ${id}::bigint
    union select u.affiliate_id from users u join uplines on u.id = uplines.id
    where u.affiliate_id is not null
  )`;

/** Returns a row if a user is the sponsor or above the sponsor. */
export const findAbove = (sponsor: number | null | undefined, id: number) =>
  raw<{ id: string }>(sql`${uplinesFrom(sponsor ?? 0)} select id from uplines where id = ${id}`);

/** Removes an administrator's role if another administrator stays. Such changes are serialised. */
export const keepAdministrator = (leaving: number): Write<'last_administrator'> => ({
  code: 'last_administrator',
  statement: raw(sql`select svc_keep_administrator(${leaving})`),
});

/** Returns a row if another user has the e-mail address. */
export const findEmail = (email: string | undefined, id: number) =>
  build
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, email ?? ''), ne(users.id, id)));

/** Returns a row if somebody has the address that a link was sent to. */
export const findEmailOf = ({ prefix }: { readonly prefix: string }) =>
  build
    .select({ id: users.id })
    .from(users)
    .where(sql`${users.email} = (select l.email from account_links l where l.prefix = ${prefix})`);

/** The id of the user with the e-mail address; null if nobody has it. */
export const idOfEmail = (email: Argument<string>) =>
  sql<number>`(select id from users where email = ${email})`;

/** The id of the user with an id in another system; null if nobody has it. */
export const idOfExternalId = ({
  provider,
  external_id,
}: {
  readonly provider: string;
  readonly external_id: string;
}) =>
  sql<number>`(select user_id from user_external_ids
    where provider = ${provider} and external_id = ${external_id})`;

/** Returns rows if another user has one of the external ids. */
export const findExternalIds = (ids: Record<string, string> = {}, id: number) =>
  build
    .select({ id: userExternalIds.user_id })
    .from(userExternalIds)
    .where(
      and(
        ne(userExternalIds.user_id, id),
        or(
          sql`false`,
          ...Object.entries(ids).map(([provider, external_id]) =>
            and(
              eq(userExternalIds.provider, provider),
              eq(userExternalIds.external_id, external_id),
            ),
          ),
        ),
      ),
    );

/** Reads only the id. */
export const findUserId = (id: number | null | undefined) =>
  build
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id ?? 0), present));

const personRecord = recordOf({ ...getTableColumns(users), group: groupOfUser });

const selectPeople = () => selectRecords(personRecord).from(users);

export const findPerson = (id: number | SQL | null | undefined) =>
  sendIf(is(id, SQL) || Boolean(id), () =>
    selectPeople().where(and(eq(users.id, id ?? 0), present)),
  );

/** The buyer of an order, for prices and attribution. */
export const findBuyerOf = (order_id: number | SQL) =>
  selectPeople().where(eq(users.id, ofOrder('user_id', order_id)));

export const sponsorOf = (user_id: number | SQL) =>
  sql`(select affiliate_id from users where id = ${user_id})`;

export const findAccessUser = (id: Argument<number> | undefined) =>
  build
    .select({ id: users.id, status: users.status })
    .from(users)
    .where(and(eq(users.id, id ?? 0), present));

/** Every user can be owed money, even an erased one. */
export const findPayee = (id: number) =>
  build
    .select({ id: users.id, display_name: users.display_name })
    .from(users)
    .where(eq(users.id, id));

export const findBuyer = (target: OrderTarget) =>
  findUser(target.kind === 'new' ? target.user_id : ofOrder('user_id', target.id));

export const holdUser = (user: RowVersion) => holdRow(users, user);

export const findMember = (group_id: number) =>
  build.select({ id: users.id }).from(users).where(eq(users.group_id, group_id)).limit(1);

/** Moves a user into a group, or out of one. Fails if the user has changed since the decision. */
export const moveUser = (user: RowVersion, group_id: number | null, now: Date) =>
  updateRow(users, user, { group_id, updated_at: now.toISOString(), version: user.version + 1 });
