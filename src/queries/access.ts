import { type SQL, and, arrayContains, eq, gt, isNull, lte, ne, or, sql } from 'drizzle-orm';
import { type Window, allOf, countRows, equals, paged } from '../kernel/database/filters.ts';
import {
  accessContent,
  accessEnds,
  accessGrants,
  type ContentRow,
  type Grant,
} from '../schema/access.ts';
import { products } from '../schema/products.ts';
import {
  type Argument,
  type Write,
  build,
  instantOf,
  lockValue,
  raw,
} from '../kernel/database/statements.ts';
import { deleteRow, sumOfVersions, updateRow } from '../kernel/database/versions.ts';
import type { ConditionsFor } from '../kernel/lists/query.ts';
import { timezone } from './settings.ts';
import type { OrderTarget } from '../domain/order/change.ts';
import type { ContentQuery } from '../domain/access/content-schemas.ts';
import { grantsBeside } from '../domain/access/rules.ts';
import type { AccessQuery, AccessStatus } from '../domain/access/schemas.ts';
import { chainOf, firstOrderOfSubscription } from './order-chains.ts';

const selectGrants = () =>
  build
    .select({ grant: accessGrants, product: { title: products.title }, timezone })
    .from(accessGrants)
    .innerJoin(products, eq(products.id, accessGrants.product_id));

const present = isNull(accessGrants.deleted_at);

export const findGrant = (id: number) =>
  selectGrants().where(and(eq(accessGrants.id, id), present));

function inStatus(status: AccessStatus, now: Argument<Date>): SQL | undefined {
  const at = instantOf(now);
  const { start, end_active } = accessGrants;
  const active = eq(accessGrants.status, 'active');
  switch (status) {
    case 'pending':
      return or(eq(accessGrants.status, 'pending'), and(active, gt(start, at)));
    case 'active':
      return and(active, lte(start, at), or(isNull(end_active), gt(end_active, at)));
    case 'expired':
      return and(active, lte(end_active, at));
    case 'revoked':
      return eq(accessGrants.status, 'revoked');
  }
}

const grantFilters = (
  { user_id, product_id, order_id, status }: AccessQuery,
  now: Date,
): ConditionsFor<AccessQuery, 'present'> => ({
  present,
  ...equals(accessGrants, { user_id, product_id, order_id }),
  status: status && inStatus(status, now),
});

export const listGrants = (query: AccessQuery, now: Date, window: Window) =>
  paged(selectGrants().$dynamic(), accessGrants.id, grantFilters(query, now), window);

export const countGrants = (query: AccessQuery, now: Date) =>
  countRows(['access_grants'], accessGrants, grantFilters(query, now), ['present']);

/** Includes grants taken away by hand. */
export const findGrants = (user_id: Argument<number>, product_id: Argument<number>) =>
  build
    .select()
    .from(accessGrants)
    .where(and(eq(accessGrants.user_id, user_id), eq(accessGrants.product_id, product_id)));

/** The other grants that a grant's user has of its product. */
export const findGrantsBeside = (id: number) =>
  build
    .select()
    .from(accessGrants)
    .where(
      and(
        sql`(${accessGrants.user_id}, ${accessGrants.product_id}) =
          (select g.user_id, g.product_id from access_grants g where g.id = ${id})`,
        ne(accessGrants.id, id),
      ),
    );

/** A user's grants with their products, except grants taken away by hand. */
export const findGrantsOf = (user_id: Argument<number>) =>
  selectGrants().where(and(eq(accessGrants.user_id, user_id), present));

const lockGrants = (user_id: number) => lockValue(`grants:${user_id}`);

const unchanged = (filter: SQL | undefined, grants: readonly Grant[]): Write => ({
  code: 'rest_conflict',
  statement: raw(sql`select svc_guard(
    (select (count(*), coalesce(sum(version), 0)) = (${grants.length}::bigint, ${sumOfVersions(grants)}::numeric)
       from access_grants where ${filter}), 'rest_conflict')`),
});

/** Serialises changes of a user's grants, and requires them to be unchanged. */
export const holdGrants = (user_id: number, grants: readonly Grant[]): Write[] => [
  lockGrants(user_id),
  unchanged(and(eq(accessGrants.user_id, user_id), present), grants),
];

/** Counts the products that a user has access to at a moment. */
export const countAccess = (user_id: Argument<number>, now: Argument<Date>) =>
  build
    .select({
      total: sql<string>`count(distinct ${accessGrants.product_id})`.mapWith(Number),
    })
    .from(accessGrants)
    .where(and(eq(accessGrants.user_id, user_id), present, inStatus('active', now)));

/**
 * Counts the store's live grants at a moment: the stored number of grants that end on a later day, and grants that end
 * later today, minus grants that haven't started.
 */
export function countLiveGrants(now: Date) {
  const at = now.toISOString();
  const today = sql`${at.slice(0, 10)}::date`;
  const active = and(present, eq(accessGrants.status, 'active'));
  const { start, end_active } = accessGrants;
  const endsToday = sql`${end_active} > ${at} and ${end_active} < (${today} + 1)::timestamp at time zone 'UTC'`;
  const toCome = and(gt(start, at), or(isNull(end_active), gt(end_active, at)));
  return build
    .select({
      total: sql<string>`coalesce(sum(${accessEnds.grants}), 0)
        + (select count(*) from ${accessGrants} where ${and(active, endsToday)})
        - (select count(*) from ${accessGrants} where ${and(active, toCome)})`.mapWith(Number),
    })
    .from(accessEnds)
    .where(gt(accessEnds.day, sql`${today} - date '2000-01-01'`));
}

export const insertGrants = (grants: readonly Grant[]) =>
  grants.length > 0 ? [build.insert(accessGrants).values([...grants])] : [];

/** Adds a grant. One that gives access waits for parallel changes of the user's other grants. */
export const addGrant = (grant: Grant): Write[] => [
  ...(grant.start === null ? [] : [lockGrants(grant.user_id)]),
  ...insertGrants([grant]),
];

export const saveGrant = (after: Grant) =>
  updateRow(accessGrants, { id: after.id, version: after.version - 1 }, after);

/**
 * Saves a grant if the user's other grants of the product are unchanged. The event says if one of
 * them still gives access.
 * @param grants may include the grant itself, and grants of other users or products
 */
export function saveGrantBeside(after: Grant, grants: readonly Grant[]): Write[] {
  const { id, user_id, product_id } = after;
  const ofProduct = and(eq(accessGrants.user_id, user_id), eq(accessGrants.product_id, product_id));
  return [
    lockGrants(user_id),
    unchanged(and(ofProduct, ne(accessGrants.id, id)), grantsBeside(after, grants)),
    saveGrant(after),
  ];
}

export const drawGrantIds = (count: number) =>
  raw<{ id: string }>(
    sql`select nextval('access_grants_id_seq') as id from generate_series(1, ${count}::int)`,
  );

/**
 * Every grant of a user for a product, and of the user who has the grant of a chain: an import may bring renewals of
 * other buyers.
 * @param owner selects a user and a product
 */
const findGrantsOfChain = (first_order_id: SQL, owner: SQL) =>
  build
    .select()
    .from(accessGrants)
    .where(
      sql`(${accessGrants.user_id}, ${accessGrants.product_id}) in (${owner}
        union select g.user_id, g.product_id from access_grants g where g.order_id = ${first_order_id})`,
    );

export const findGrantsBesideOrder = (target: OrderTarget) =>
  findGrantsOfChain(
    chainOf(target),
    target.kind === 'existing'
      ? sql`select o.user_id, o.product_id from orders o where o.id = ${target.id}`
      : sql`select ${target.user_id}::bigint, ${target.product_id}::bigint`,
  );

export const findGrantsOfSubscription = (id: number) =>
  findGrantsOfChain(
    firstOrderOfSubscription(id),
    sql`select s.user_id, s.product_id from subscriptions s where s.id = ${id}`,
  );

/** Draws the id of the grant that an order may give; none if its chain has one. */
export const drawGrantId = (target: OrderTarget) =>
  raw<{ id: string }>(sql`select nextval('access_grants_id_seq') as id
    where not exists (select from access_grants where order_id = ${chainOf(target)})`);

const selectContent = () => build.select().from(accessContent);

export const findContent = (id: Argument<number>) =>
  selectContent().where(eq(accessContent.id, id));

const contentFilters = ({ status, product_id }: ContentQuery): ConditionsFor<ContentQuery> => ({
  ...equals(accessContent, { status }),
  product_id:
    product_id === undefined ? undefined : arrayContains(accessContent.product_ids, [product_id]),
});

export const listContent = (query: ContentQuery, window: Window) =>
  paged(selectContent().$dynamic(), accessContent.id, contentFilters(query), window);

export const countContent = (query: ContentQuery) =>
  build
    .select({ total: sql<string>`count(*)`.mapWith(Number) })
    .from(accessContent)
    .where(allOf(contentFilters(query)));

export const productsOfContent = (content_id: Argument<number>) =>
  sql`(select unnest(c.product_ids) from access_content c where c.id = ${content_id})`;

/** A user's grants of all products that open a content. */
export const findContentGrants = (
  user_id: Argument<number> | undefined,
  content_id: Argument<number>,
) =>
  build
    .select()
    .from(accessGrants)
    .where(
      and(
        eq(accessGrants.user_id, user_id ?? 0),
        sql`${accessGrants.product_id} in ${productsOfContent(content_id)}`,
      ),
    );

export const insertContent = (content: ContentRow) => build.insert(accessContent).values(content);

export const saveContent = (before: ContentRow, after: ContentRow) =>
  updateRow(accessContent, before, after);

export const deleteContent = (before: ContentRow) => deleteRow(accessContent, before);
