import {
  SQL,
  is,
  and,
  arrayContains,
  eq,
  getTableColumns,
  inArray,
  ne,
  or,
  sql,
} from 'drizzle-orm';
import {
  type Window,
  asId,
  contains,
  countRows,
  equals,
  inStatuses,
  paged,
  searched,
  trigramLength,
} from '../kernel/database/filters.ts';
import { prepared } from '../kernel/database/prepared.ts';
import { userGroups } from '../schema/groups.ts';
import { ofOrder } from './orders.ts';
import { phoneEnd, userExternalIds, users } from '../schema/users.ts';
import { recordOf, recordOrNullFrom, selectRecords } from '../kernel/database/records.ts';
import {
  type Argument,
  type Write,
  build,
  guard,
  raw,
  sendIf,
} from '../kernel/database/statements.ts';
import { type RowVersion, holdRow, updateRow } from '../kernel/database/versions.ts';
import type { ConditionsFor } from '../kernel/lists/pagination.ts';
import type { UserRow } from '../domain/user/rules.ts';
import { type UserLookup, type UserQuery, visibleStatuses } from '../domain/user/schemas.ts';
import type { OrderTarget } from '../domain/order/change.ts';
import type { AffiliateLookup } from '../domain/affiliate/schemas.ts';
import { lastDigits } from '../lib/phone.ts';
import { ownerOfCoupon } from './coupons.ts';
import { hasPhonePart } from './phones.ts';

const external_ids = sql<Record<string, string>>`(
  select coalesce(jsonb_object_agg(x.provider, x.external_id), '{}')
    from user_external_ids x where x.user_id = "users"."id")`;

/** The group a user is in, as part of a record of `users`. */
export const groupOfUser = recordOrNullFrom(
  userGroups,
  eq(userGroups.id, users.group_id),
  userGroups,
);

const userRecord = recordOf({ user: users, group: groupOfUser, external_ids });

const selectUsers = () => selectRecords(userRecord).from(users);

const present = ne(users.status, 'anonymised');

/** A user by id, none when unknown or anonymised. */
export const findUser = (id: number | SQL) => selectUsers().where(and(eq(users.id, id), present));

/** The same, prepared. */
export const loadUser = prepared({ id: 'bigint' }, ({ id }) => ({ found: findUser(id) }));

/**
 * Whether a user can have a phone, in whatever spelling: theirs has the same last digits. The few who
 * can are compared by `isSamePhone`.
 */
export const canHavePhone = (phone: string) =>
  and(ne(users.phone, ''), eq(phoneEnd(users.phone), lastDigits(phone)));

/** How many rows a lookup reads: more than one user shows that it is ambiguous. */
export const lookupLimit = (phone: string | undefined) => (phone === undefined ? 2 : 100);

/** The users that a lookup names; by phone, those it can be. */
export function lookUpUsers({ id, email, phone, external_id, provider }: UserLookup) {
  const owner = build
    .select({ id: userExternalIds.user_id })
    .from(userExternalIds)
    .where(
      and(
        eq(userExternalIds.provider, provider ?? ''),
        eq(userExternalIds.external_id, external_id ?? ''),
      ),
    );
  return selectUsers()
    .where(
      and(
        present,
        id === undefined ? undefined : eq(users.id, id),
        email === undefined ? undefined : eq(users.email, email),
        phone === undefined ? undefined : canHavePhone(phone),
        external_id === undefined ? undefined : inArray(users.id, owner),
      ),
    )
    .limit(lookupLimit(phone));
}

function filters({
  search,
  role,
  group_id,
  affiliate_id,
  status,
  ids,
}: UserQuery): ConditionsFor<UserQuery, 'present'> {
  const text = sql`lower(u.display_name || ' ' || coalesce(u.email, '') || ' ' || u.phone)`;
  return {
    present,
    search:
      search === undefined
        ? undefined
        : search.length < trigramLength
          ? eq(users.id, asId(search))
          : sql`${users.id} = ${searched(
              sql`select u.id from users u where u.email = ${search.toLowerCase()}`,
              sql`select u.id from users u where ${or(contains(text, search), hasPhonePart(search))}`,
            )}`,
    role: role && arrayContains(users.roles, [role]),
    ...equals(users, { group_id, affiliate_id, status }),
    ids: ids && inArray(users.id, ids),
  };
}

export const listUsers = (query: UserQuery, window: Window) =>
  paged(selectUsers().$dynamic(), users.id, filters(query), window);

/** How many users match; all of them, and those of each status, are counted already. */
export const countUsers = (query: UserQuery) =>
  countRows(inStatuses('users', visibleStatuses, query.status), users, filters(query), [
    'present',
    'status',
  ]);

export function insertUser({ user, external_ids: ids }: UserRow) {
  return [build.insert(users).values(user), ...insertExternalIds(user.id, ids)];
}

/** Inserts a user whom nobody's e-mail address names yet; whoever comes second decides again. */
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

/** Writes a user's new state, a new place in the tree included. */
export function updateUser(before: UserRow, after: UserRow): Write<'rest_upline_cycle'>[] {
  const { id, affiliate_id } = after.user;
  const moved = before.user.affiliate_id !== affiliate_id;
  return [...(moved ? holdTree(id, affiliate_id) : []), ...saveUser(before, after)];
}

/** Writes a user's new state, in the same place of the tree, over the version it was decided on. */
export function saveUser(before: UserRow, after: UserRow): Write[] {
  const { id } = before.user;
  return [
    updateRow(users, before.user, after.user),
    build.delete(userExternalIds).where(eq(userExternalIds.user_id, id)),
    ...insertExternalIds(id, after.external_ids),
  ];
}

/**
 * Lets one change of the tree happen at a time, and none that closes a cycle. The lock is a
 * statement of its own: the check after it sees what the change before committed.
 */
function holdTree(id: number, sponsor: number | null): Write<'rest_upline_cycle'>[] {
  if (sponsor === null) return [];
  return [
    raw(sql`select pg_advisory_xact_lock(hashtext('users.affiliate_id'))`),
    {
      code: 'rest_upline_cycle',
      statement: raw(sql`${uplinesFrom(sponsor)}
        select svc_guard(not exists (select from uplines where id = ${id}), 'rest_upline_cycle')`),
    },
  ];
}

/** A user with everyone above, as `uplines (id)`. */
const uplinesFrom = (id: number) => sql`
  with recursive uplines (id) as (
    select ${id}::bigint
    union select u.affiliate_id from users u join uplines on u.id = uplines.id
    where u.affiliate_id is not null
  )`;

/** Whether a user is the sponsor or above: one row if so. */
export const findAbove = (sponsor: number | null | undefined, id: number) =>
  raw<{ id: string }>(sql`${uplinesFrom(sponsor ?? 0)} select id from uplines where id = ${id}`);

/** Lets an administrator go, one at a time, where another one stays. */
export const keepAdministrator = (leaving: number): Write<'last_administrator'> => ({
  code: 'last_administrator',
  statement: raw(sql`select svc_keep_administrator(${leaving})`),
});

/** Whether another user than `id` has the e-mail address: one row if so. */
export const findEmail = (email: string | undefined, id: number) =>
  build
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, email ?? ''), ne(users.id, id)));

/** The id of the user who has an e-mail address, null where nobody has. */
export const idOfEmail = (email: Argument<string>) =>
  sql<number>`(select id from users where email = ${email})`;

/** Whether another user than `id` has one of the external ids: rows if so. */
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

/** Only the id of a user who can be referred to. */
export const findUserId = (id: number | null | undefined) =>
  build
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id ?? 0), present));

const personRecord = recordOf({ ...getTableColumns(users), group: groupOfUser });

const selectPeople = () => selectRecords(personRecord).from(users);

/** A user with their group, as prices and attribution look at them. */
export const findPerson = (id: number | SQL | null | undefined) =>
  sendIf(is(id, SQL) || Boolean(id), () =>
    selectPeople().where(and(eq(users.id, id ?? 0), present)),
  );

/** The buyer of an order, as prices and attribution look at them. */
export const findBuyerOf = (order_id: number | SQL) =>
  selectPeople().where(eq(users.id, ofOrder('user_id', order_id)));

/** The id of a user's sponsor. */
export const sponsorOf = (user_id: number | SQL) =>
  sql`(select affiliate_id from users where id = ${user_id})`;

/** A user who can be asked about: not an anonymised one. */
export const findAccessUser = (id: Argument<number> | undefined) =>
  build
    .select({ id: users.id, status: users.status })
    .from(users)
    .where(and(eq(users.id, id ?? 0), present));

/** Who can be owed something: every user, those who were erased included. */
export const findPayee = (id: number) =>
  build
    .select({ id: users.id, display_name: users.display_name })
    .from(users)
    .where(eq(users.id, id));

/** The buyer of an order. */
export const findBuyer = (target: OrderTarget) =>
  findUser(target.kind === 'new' ? target.user_id : ofOrder('user_id', target.id));

/** Keeps other changes of a user out, in the version it was decided on. */
export const holdUser = (user: RowVersion) => holdRow(users, user);

/** One member of a group, if it has any. */
export const findMember = (group_id: number) =>
  build.select({ id: users.id }).from(users).where(eq(users.group_id, group_id)).limit(1);

/** Moves a user into a group, or out of theirs, in the version of the user it was decided on. */
export const moveUser = (user: RowVersion, group_id: number | null, now: Date) =>
  updateRow(users, user, { group_id, updated_at: now.toISOString(), version: user.version + 1 });

const coupon_codes = sql<string[]>`(
  select coalesce(jsonb_agg(c.code order by c.id), '[]')
    from coupons c where c.user_id = "users"."id" and c.deleted_at is null)`.as('coupon_codes');

/** The affiliates that a lookup names; by phone, those it can be. */
export const lookUpAffiliates = ({ id, email, phone, coupon }: AffiliateLookup) =>
  build
    .select({ person: { ...getTableColumns(users) }, group: userGroups, coupon_codes })
    .from(users)
    .leftJoin(userGroups, eq(userGroups.id, users.group_id))
    .where(
      and(
        present,
        id === undefined ? undefined : eq(users.id, id),
        email === undefined ? undefined : eq(users.email, email),
        phone === undefined ? undefined : canHavePhone(phone),
        coupon === undefined ? undefined : eq(users.id, ownerOfCoupon(coupon)),
      ),
    )
    .limit(lookupLimit(phone));
