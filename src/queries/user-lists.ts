import { and, arrayContains, eq, getTableColumns, inArray, ne, or, sql } from 'drizzle-orm';
import type { AffiliateLookup } from '../domain/affiliate/schemas.ts';
import { type UserLookup, type UserQuery, visibleStatuses } from '../domain/user/schemas.ts';
import * as filter from '../kernel/database/filters.ts';
import { build } from '../kernel/database/statements.ts';
import type { ConditionsFor } from '../kernel/lists/query.ts';
import { lastDigits } from '../lib/phone.ts';
import { userGroups } from '../schema/groups.ts';
import { phoneEnd, userExternalIds, users } from '../schema/users.ts';
import { ownerOfCoupon } from './coupons.ts';
import { hasPhonePart } from './phones.ts';
import { present, selectUsers } from './users.ts';

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
        : search.length < filter.trigramLength
          ? eq(users.id, filter.asId(search))
          : sql`${users.id} = ${filter.searched(
              sql`select u.id from users u where u.email = ${search.toLowerCase()}`,
              sql`select u.id from users u where ${or(filter.contains(text, search), hasPhonePart(search))}`,
            )}`,
    role: role && arrayContains(users.roles, [role]),
    ...filter.equals(users, { group_id, affiliate_id, status }),
    ids: ids && inArray(users.id, ids),
  };
}

export const listUsers = (query: UserQuery, window: filter.Window) =>
  filter.paged(selectUsers().$dynamic(), users.id, filters(query), window);

/** How many users match; all of them, and those of each status, are counted already. */
export const countUsers = (query: UserQuery) =>
  filter.countRows(
    filter.inStatuses('users', visibleStatuses, query.status),
    users,
    filters(query),
    ['present', 'status'],
  );

/**
 * Whether a user can have a phone, in whatever spelling: theirs has the same last digits. The few who
 * can are compared by `isSamePhone`.
 */
const canHavePhone = (phone: string) =>
  and(ne(users.phone, ''), eq(phoneEnd(users.phone), lastDigits(phone)));

/** How many rows a lookup reads: more than one user shows that it is ambiguous. */
const lookupLimit = (phone: string | undefined) => (phone === undefined ? 2 : 100);

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
