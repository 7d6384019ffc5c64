import { SQL, is, and, eq, getTableColumns, ne, or, sql } from 'drizzle-orm';
import { prepared } from '../kernel/database/prepared.ts';
import { userGroups } from '../schema/groups.ts';
import { ofOrder } from './order-columns.ts';
import { userExternalIds, users } from '../schema/users.ts';
import { recordOf, recordOrNullFrom, selectRecords } from '../kernel/database/records.ts';
import { type Argument, build, raw, sendIf } from '../kernel/database/statements.ts';
import { type RowVersion, holdRow, updateRow } from '../kernel/database/versions.ts';
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

/** A user and everybody above, as `uplines (id)`. */
export const uplinesFrom = (id: number) => sql`
  with recursive uplines (id) as (
    select ${id}::bigint
    union select u.affiliate_id from users u join uplines on u.id = uplines.id
    where u.affiliate_id is not null
  )`;

/** Returns a row if a user is the sponsor or above the sponsor. */
export const findAbove = (sponsor: number | null | undefined, id: number) =>
  raw<{ id: string }>(sql`${uplinesFrom(sponsor ?? 0)} select id from uplines where id = ${id}`);

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
