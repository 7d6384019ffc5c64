import { and, arrayContains, eq, getTableColumns, inArray, ne, not, or, sql } from 'drizzle-orm';
import type { AffiliateLookup } from '../domain/affiliate/schemas.ts';
import { type UserLookup, type UserQuery, visibleStatuses } from '../domain/user/schemas.ts';
import {
  type Window,
  asId,
  changedSince,
  contains,
  countRows,
  equals,
  hasValues,
  inStatuses,
  paged,
  searched,
  trigramLength,
} from '../kernel/database/filters.ts';
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
  staff,
  group_id,
  affiliate_id,
  status,
  ids,
  updated_since,
  meta,
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
    staff: staff === undefined ? undefined : staff ? staffOnly : not(staffOnly),
    ...equals(users, { group_id, affiliate_id, status }),
    ids: ids && inArray(users.id, ids),
    updated_since: changedSince(users.updated_at, updated_since),
    meta: hasValues(users.meta, meta),
  };
}

const staffOnly = sql`(${users.staff_role_id} is not null or ${users.roles} @> '{administrator}')`;

export const listUsers = (query: UserQuery, window: Window) =>
  paged(selectUsers().$dynamic(), users.id, filters(query), window);

export const countUsers = (query: UserQuery) =>
  countRows(inStatuses('users', visibleStatuses, query.status), users, filters(query), [
    'present',
    'status',
  ]);

/** Matches users by the last digits of a phone. These are few, and `isSamePhone` compares them. */
const canHavePhone = (phone: string) =>
  and(ne(users.phone, ''), eq(phoneEnd(users.phone), lastDigits(phone)));

/** The rows that a lookup reads. A second user shows that it is ambiguous. */
const lookupLimit = (phone: string | undefined) => (phone === undefined ? 2 : 100);

/** The users of a lookup; by phone, candidates. */
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

/** The affiliates of a lookup; by phone, candidates. */
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
