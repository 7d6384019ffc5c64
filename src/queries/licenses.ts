import { type Json, fromJson } from '../kernel/database/records.ts';
import { prepared } from '../kernel/database/prepared.ts';
import { type SQL, and, eq, gt, isNull, or, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import * as filter from '../kernel/database/filters.ts';
import { licenseActivations, licenseTerms, licenses } from '../schema/licenses.ts';
import { orders } from '../schema/orders.ts';
import { products } from '../schema/products.ts';
import { subscriptions } from '../schema/subscriptions.ts';
import { type Write, build, instantOf, raw, type Argument } from '../kernel/database/statements.ts';
import { updateRow } from '../kernel/database/versions.ts';
import type { ConditionsFor } from '../kernel/lists/query.ts';
import { licenseStatuses, openStatuses } from '../schema/lists.ts';
import { instantFromDatabase } from '../lib/instant.ts';
import { type OrderTarget } from '../domain/order/change.ts';
import { findActivation, hasCode } from './license-activations.ts';
import { askedCode, askedString } from '../domain/license/answers.ts';
import { meantCode, partsOfCode } from '../domain/license/codes.ts';
import { canonicalString } from '../domain/license/strings.ts';
import { mostPerOrder } from '../domain/license/lifecycle.ts';
import type { LicenseRow } from '../domain/license/rules.ts';
import {
  type Activation,
  type LicenseQuestion,
  type LicenseQuery,
  activationsShown,
} from '../domain/license/schemas.ts';
import type { PastPause, Term } from '../domain/license/terms.ts';
import { chainOf, quantityOfChain } from './order-chains.ts';
import { boughtTitle } from './orders.ts';
import { running } from './subscriptions.ts';

const terms = sql`(
  select coalesce(jsonb_agg(t order by t.at, t.id), '[]')
    from license_terms t where t.license_id = "licenses"."id")`
  .mapWith((json: Json<Term[]>): Term[] =>
    fromJson(json).map(({ order_id, at, days, until }) => ({
      order_id,
      at: instantFromDatabase(at),
      days,
      until: until && instantFromDatabase(until),
    })),
  )
  .as('terms');

const pauses = sql`(
  select coalesce(jsonb_agg(c order by c.at, c.id), '[]')
    from subscription_changes c
   where c.first_order_id = "licenses"."order_id" and c.kind = 'pause' and c.resumed_at is not null)`
  .mapWith((json: Json<PastPause[]>): PastPause[] =>
    fromJson(json).map(({ at, resumed_at }) => ({
      at: instantFromDatabase(at),
      resumed_at: instantFromDatabase(resumed_at),
    })),
  )
  .as('pauses');

const activations = sql`(
  select coalesce(jsonb_agg(a order by a.id), '[]') from (
    select a.* from license_activations a where a.license_id = "licenses"."id"
     order by a.id limit ${sql.raw(String(activationsShown))}
  ) a)`
  .mapWith((json: Json<Activation[]>): Activation[] =>
    fromJson(json).map((activation) => ({
      ...activation,
      first_at: instantFromDatabase(activation.first_at),
      last_seen_at: instantFromDatabase(activation.last_seen_at),
    })),
  )
  .as('activations');

const record = { license: licenses, terms, pauses, activations };

const selectLicenses = () => build.select(record).from(licenses);

export const findLicense = (id: number) => selectLicenses().where(eq(licenses.id, id));

export const findLicenseByCode = (code: string) => selectLicenses().where(hasCode(code));

/** Selects licences with the records for their verdicts. */
const selectCases = (product_title: PgColumn | SQL<string>) =>
  build
    .select({
      ...record,
      product_title: sql`${product_title}`.mapWith(String),
      order_status: orders.status,
      subscription: subscriptions,
    })
    .from(licenses)
    .innerJoin(products, eq(products.id, licenses.product_id))
    .leftJoin(orders, eq(orders.id, licenses.order_id))
    .leftJoin(subscriptions, eq(subscriptions.first_order_id, licenses.order_id));

const findCase = (code: Argument<string>) => selectCases(products.title).where(hasCode(code));

const caseOf = (code: Argument<string>, string: Argument<string> | undefined) => ({
  found: findCase(code),
  known: findActivation(code, string),
});

/** The licence to check, with the records for its verdict and its activation for the string. */
export const loadCase = (asked: LicenseQuestion) => caseOf(askedCode(asked), askedString(asked));

const preparedCase = prepared({ code: 'text', string: 'text?' }, ({ code, string }) =>
  caseOf(code, string),
);

/** The prepared form of `loadCase`. */
export const checkCase = (asked: LicenseQuestion) =>
  preparedCase({ code: askedCode(asked), string: askedString(asked) });

/** The newest licences that are registered for a string. */
export const findLicensesByString = (string: string) =>
  selectLicenses()
    .where(
      sql`${licenses.id} in (select license_id from license_activations
        where ${filter.isEither(licenseActivations.string, string)})`,
    )
    .orderBy(sql`${licenses.id} desc`)
    .limit(100);

const hasPart = (part: string) => filter.contains(sql`lower(l.code)`, part);

type ListedBy = Omit<LicenseQuery, 'user_id' | 'reveal'> & {
  user_id?: Argument<number> | undefined;
};

function filters({
  order_id,
  user_id,
  product_id,
  status,
  search,
  updated_since,
  meta,
}: ListedBy): ConditionsFor<ListedBy> {
  return {
    ...filter.equals(licenses, { order_id, user_id, product_id, status }),
    updated_since: filter.changedSince(licenses.updated_at, updated_since),
    meta: filter.hasValues(licenses.meta, meta),
    search:
      search === undefined
        ? undefined
        : search.length < filter.trigramLength
          ? eq(licenses.id, filter.asId(search))
          : sql`${licenses.id} = ${filter.searched(
              sql`select licenses.id from licenses where ${hasCode(meantCode(search))}
              union select a.license_id from license_activations a
               where a.string in ${[...filter.formsOf(search.toLowerCase()), canonicalString(search)]}`,
              sql`select l.id from licenses l where ${or(...partsOfCode(search).map(hasPart))}
              union select a.license_id from license_activations a
               where ${filter.contains(sql`lower(a.string)`, search)}`,
            )}`,
  };
}

export const listLicenses = (query: ListedBy, window: filter.Window) =>
  filter.paged(selectLicenses().$dynamic(), licenses.id, filters(query), window);

/** Matches licences that can be used on any host, as `judge` decides. */
const isValid = (now: Argument<Date>) =>
  and(
    eq(licenses.status, 'active'),
    or(isNull(licenses.expires_at), gt(licenses.expires_at, instantOf(now))),
    sql`not exists (select from subscriptions where ${subscriptions.first_order_id} = ${licenses.order_id}
      and not (${running(now)}))`,
    or(
      sql`exists (select from license_terms t where t.license_id = ${licenses.id} and t.order_id is not null)`,
      sql`not exists (select from orders o where o.id = ${licenses.order_id} and o.status in ${[...openStatuses]})`,
    ),
  );

const validOf = (user_id: Argument<number>, now: Argument<Date>) => ({
  ...filter.equals(licenses, { user_id }),
  valid: isValid(now),
});

export const listValidLicenses = (
  user_id: Argument<number>,
  now: Argument<Date>,
  window: filter.Window,
) => filter.paged(selectLicenses().$dynamic(), licenses.id, validOf(user_id, now), window);

export const countValidLicenses = (user_id: Argument<number>, now: Argument<Date>) =>
  filter.countRows([], licenses, validOf(user_id, now), []);

/** Lists licences for their owners, with the product's title at the time of purchase. */
export const listLicenseKeys = (query: ListedBy, window: filter.Window) =>
  filter.paged(selectCases(boughtTitle).$dynamic(), licenses.id, filters(query), window);

export const countLicenses = (query: ListedBy) =>
  filter.countRows(
    filter.inStatuses('licenses', licenseStatuses, query.status),
    licenses,
    filters(query),
    ['status'],
  );

export const findChain = (target: OrderTarget) =>
  selectLicenses()
    .where(eq(licenses.order_id, chainOf(target)))
    .orderBy(licenses.id);

/** Ids for the licences that an order may issue, if its product has licences. */
export const drawIds = (target: OrderTarget) => {
  const { quantity } = target;
  const order =
    target.kind === 'existing'
      ? sql`select o.product_id, o.quantity from orders o where o.id = ${target.id}`
      : sql`select ${target.product_id}::bigint as product_id, coalesce(${
          target.order_parent_id === undefined ? null : quantityOfChain(target.order_parent_id)
        }::int, 1) as quantity`;
  return raw<{ id: string }>(sql`
    select nextval('licenses_id_seq') as id
      from (${order}) o join products p on p.id = o.product_id
     cross join lateral generate_series(
       1, least(coalesce(${quantity ?? null}::int, o.quantity), ${mostPerOrder})
     )
     where (p.license ->> 'active')::boolean and not exists (
       select from licenses l where l.order_id = ${chainOf(target)} and l.ordinal is not null
     )`);
};

export function insertLicenses(rows: readonly LicenseRow[]): Write[] {
  if (rows.length === 0) return [];
  const theirTerms = rows.flatMap(({ license, terms }) =>
    terms.map((term) => ({ ...term, license_id: license.id })),
  );
  return [
    build.insert(licenses).values(rows.map(({ license }) => license)),
    build.insert(licenseTerms).values(theirTerms),
  ];
}

export const findLicensesOf = (first_order_id: SQL) =>
  selectLicenses().where(eq(licenses.order_id, first_order_id)).orderBy(licenses.id);

/**
 * Writes the licences of a chain after a change of an order, if their versions are unchanged.
 * @param heir another order, which gets the term if this order no longer counts
 */
export function saveChain(
  rows: readonly LicenseRow[],
  order_id: number,
  heir: number | undefined,
): Write[] {
  const [row] = rows;
  if (!row) return [];
  return [saveStates(rows), termsWrite(rows, order_id, heir)];
}

function termsWrite(
  rows: readonly LicenseRow[],
  order_id: number,
  heir: number | undefined,
): Write {
  const paid = rows.flatMap(({ license, terms }) =>
    terms
      .filter((term) => term.order_id === order_id)
      .map((term) => ({ ...term, license_id: license.id })),
  );
  if (paid.length > 0) return build.insert(licenseTerms).values(paid).onConflictDoNothing();
  const ofOrder = eq(licenseTerms.order_id, order_id);
  return heir === undefined
    ? build.delete(licenseTerms).where(ofOrder)
    : build.update(licenseTerms).set({ order_id: heir }).where(ofOrder);
}

/** Writes the statuses and ends of licences, if their versions are unchanged. */
export function saveStates(rows: readonly LicenseRow[]): Write {
  const states = rows.map(
    ({ license: { id, status, off_by_hand, expires_at, updated_at, version } }) => {
      return { id, status, off_by_hand, expires_at, updated_at, version };
    },
  );
  return {
    code: 'rest_conflict',
    statement: raw(sql`with changed as (
        update licenses l set status = s.status, off_by_hand = s.off_by_hand, expires_at = s.expires_at,
               updated_at = s.updated_at, version = s.version
          from jsonb_to_recordset(${JSON.stringify(states)}) as s (
               id bigint, status text, off_by_hand boolean, expires_at timestamptz, updated_at timestamptz,
               version bigint)
         where l.id = s.id and l.version = s.version - 1
        returning 1
      ) select svc_guard((select count(*) from changed) = ${rows.length}, 'rest_conflict')`),
  };
}

/** Writes manual changes, if the version is unchanged. Counters stay. */
export function saveByHand(before: LicenseRow, { license, terms }: LicenseRow): Write[] {
  const { id, status, off_by_hand, activation_limit, expires_at, note, meta } = license;
  const { updated_at, version } = license;
  const changed = updateRow(licenses, before.license, {
    status,
    off_by_hand,
    activation_limit,
    expires_at,
    note,
    meta,
    updated_at,
    version,
  });
  if (terms === before.terms) return [changed];
  return [
    changed,
    build
      .delete(licenseTerms)
      .where(and(eq(licenseTerms.license_id, id), isNull(licenseTerms.order_id))),
    ...terms
      .filter(({ order_id }) => order_id === null)
      .map((term) => build.insert(licenseTerms).values({ ...term, license_id: id })),
  ];
}
