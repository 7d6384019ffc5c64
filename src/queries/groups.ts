import { type SQL, and, eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import * as filter from '../kernel/database/filters.ts';
import { groupMoves } from '../schema/group-moves.ts';
import { type GroupColumns, userGroups } from '../schema/groups.ts';
import { orders } from '../schema/orders.ts';
import { findCountedOrders } from './order-chains.ts';
import { ofOrder } from './order-columns.ts';
import { findUser } from './users.ts';
import { type Write, build, guard, raw } from '../kernel/database/statements.ts';
import { updateRow } from '../kernel/database/versions.ts';
import type { ConditionsFor } from '../kernel/lists/query.ts';
import type { OrderTarget } from '../domain/order/change.ts';
import type { GroupMove } from '../domain/group/moves.ts';
import type { UserGroupQuery } from '../domain/group/schemas.ts';

const select = () => build.select().from(userGroups);

export const findGroup = (id: number | SQL | null | undefined) =>
  select().where(eq(userGroups.id, id ?? 0));

/** The group that completed orders of a product give their buyers. */
export const findGroupOfProduct = (target: OrderTarget) => {
  const product_id = target.kind === 'new' ? target.product_id : ofOrder('product_id', target.id);
  return findGroup(
    sql`(select (p."group" ->> 'update_group_to')::bigint from products p where p.id = ${product_id})`,
  );
};

const origins = alias(userGroups, 'origins');

/** The group moves of a user, with their groups and the first orders of their subscriptions. */
const findMovesOf = (user_id: SQL) =>
  build
    .select({
      move: groupMoves,
      first_order_id: sql<string>`coalesce(${orders.order_parent_id}, ${orders.id})`.mapWith(
        Number,
      ),
      group: userGroups,
      origin: origins,
    })
    .from(groupMoves)
    .innerJoin(orders, eq(orders.id, groupMoves.order_id))
    .innerJoin(userGroups, eq(userGroups.id, groupMoves.group_id))
    .leftJoin(origins, eq(origins.id, groupMoves.from_group_id))
    .where(eq(groupMoves.user_id, user_id))
    .orderBy(groupMoves.order_id);

/** The group moves of an order's buyer. */
export const findMovesOfBuyer = (order_id: number | SQL) =>
  findMovesOf(ofOrder('user_id', order_id));

const userOfSubscription = (id: number) =>
  sql`(select s.user_id from subscriptions s where s.id = ${id})`;

/** Rows that decide the group which a subscription gives its user. */
export const loadGroupOfSubscription = (id: number) => ({
  user: findUser(userOfSubscription(id)),
  group: findGroup(
    sql`(select (p."group" ->> 'update_group_to')::bigint
      from subscriptions s join products p on p.id = s.product_id where s.id = ${id})`,
  ),
  moves: findMovesOf(userOfSubscription(id)),
  orders: findCountedOrders(id),
});

/** Writes the group that an order gives its buyer. The buyer's row is locked. */
export const saveMove = (move: GroupMove) =>
  build
    .insert(groupMoves)
    .values(move)
    .onConflictDoUpdate({ target: groupMoves.order_id, set: move });

/** Forgets what orders gave a user: a group that is set by hand takes the place of it. */
export const deleteMovesOf = (user_id: number) =>
  build.delete(groupMoves).where(eq(groupMoves.user_id, user_id));

export const deleteMove = ({ order_id }: GroupMove) =>
  build.delete(groupMoves).where(eq(groupMoves.order_id, order_id));

/** Requires that the group moves of a locked user are unchanged since the decision. */
export const sameMoves = (user_id: number, moves: readonly GroupMove[]): Write => ({
  code: 'rest_conflict',
  statement: raw(sql`select svc_guard((
      select jsonb_agg(m order by m.order_id) from ${groupMoves} m where m.user_id = ${user_id}
    ) = ${JSON.stringify(moves)}::jsonb, 'rest_conflict')`),
});

const filters = ({ search }: UserGroupQuery): ConditionsFor<UserGroupQuery> => ({
  search:
    search === undefined
      ? undefined
      : search.length < filter.trigramLength
        ? eq(userGroups.id, filter.asId(search))
        : filter.contains(sql`lower(${userGroups.name})`, search),
});

export const listGroups = (query: UserGroupQuery, window: filter.Window) =>
  filter.paged(select().$dynamic(), userGroups.id, filters(query), window);

export const countGroups = (query: UserGroupQuery) =>
  build
    .select({ total: sql<string>`count(*)`.mapWith(Number) })
    .from(userGroups)
    .where(filter.allOf(filters(query)));

export const insertGroup = (group: GroupColumns) => build.insert(userGroups).values(group);

export const saveGroup = (before: GroupColumns, after: GroupColumns) =>
  updateRow(userGroups, before, after);

export const deleteGroupRow = ({ id, version }: GroupColumns): Write<'group_has_users'> =>
  guard(
    build
      .delete(userGroups)
      .where(
        and(
          eq(userGroups.id, id),
          eq(userGroups.version, version),
          sql`not exists (select from users where group_id = ${id})`,
        ),
      )
      .returning({ id: userGroups.id }),
    'group_has_users',
  );
