import { type SQL, and, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import {
  type CouponColumns,
  couponCopies,
  couponRedemptions,
  couponUsage,
  couponUserUsage,
  coupons,
} from '../schema/coupons.ts';
import {
  type Window,
  allOf,
  asId,
  contains,
  equals,
  paged,
  trigramLength,
} from '../kernel/database/filters.ts';
import { ofOrder } from './order-columns.ts';
import { type Argument, type Write, build, guard, raw } from '../kernel/database/statements.ts';
import { updateRow } from '../kernel/database/versions.ts';
import type { DomainEvent } from '../kernel/events/define.ts';
import { publishEvents } from '../kernel/events/outbox.ts';
import type { ConditionsFor } from '../kernel/lists/query.ts';
import { askedCode } from '../lib/text.ts';
import { couponStatuses } from '../schema/lists.ts';
import type { CouponRow } from '../domain/coupon/rules.ts';
import type { CouponQuery } from '../domain/coupon/schemas.ts';

const parent = alias(coupons, 'parent');

const parentOf = eq(parent.id, coupons.coupon_parent_id);

const usage = sql<number>`coalesce(${couponUsage.used}, 0)`.mapWith(Number).as('usage');

const selectCoupons = () =>
  build
    .select({ coupon: coupons, parent, usage })
    .from(coupons)
    .leftJoin(parent, parentOf)
    .leftJoin(couponUsage, eq(couponUsage.coupon_id, coupons.id));

const present = isNull(coupons.deleted_at);

export const findCoupon = (id: number) => selectCoupons().where(and(eq(coupons.id, id), present));

/** The coupon of an order, deleted or not. */
export const findCouponOf = (order_id: number | SQL) =>
  selectCoupons().where(eq(coupons.id, ofOrder('coupon_id', order_id)));

/** The live coupon with a code: buyers name codes, not ids. */
export const findCouponByCode = (code: Argument<string>) =>
  selectCoupons().where(and(eq(coupons.code, code), present));

export const findNamedCoupon = (name: string) =>
  /^[0-9]+$/.test(name) ? findCoupon(asId(name)) : findCouponByCode(name);

type ListedBy = Omit<CouponQuery, 'user_id'> & {
  readonly user_id?: Argument<number> | undefined;
};

function filters(query: ListedBy): ConditionsFor<ListedBy, 'present'> {
  const { search, status, user_id, coupon_parent_id, product_id, templates } = query;
  const rule = sql`coalesce(${parent.rule}, ${coupons.rule})`;
  return {
    present,
    search:
      search === undefined
        ? undefined
        : search.length < trigramLength
          ? eq(coupons.id, asId(search))
          : contains(sql`lower(${coupons.code})`, askedCode(search)),
    status: status && isInForce(status),
    ...equals(coupons, { user_id, coupon_parent_id }),
    product_id:
      product_id === undefined
        ? undefined
        : sql`(coalesce(jsonb_array_length(${rule} -> 'apply_only'), 0) = 0 or ${rule} -> 'apply_only' @> to_jsonb(${product_id}::bigint))
          and ${rule} -> 'cant_apply' @> to_jsonb(${product_id}::bigint) is not true`,
    templates:
      templates === undefined
        ? undefined
        : sql`(${coupons.rule} ->> 'use_by_affiliate')::boolean is ${sql.raw(templates ? 'true' : 'not true')}`,
  };
}

/** Matches the effective status: the stricter of the coupon's and its template's. */
function isInForce(status: CouponColumns['status']): SQL | undefined {
  const milder = couponStatuses.slice(0, couponStatuses.indexOf(status));
  const byTemplate = sql`${coupons.coupon_parent_id} = any (array(
    select p.id from coupons p where p.status = ${status}))`;
  return or(
    and(
      eq(coupons.status, status),
      or(isNull(parent.id), inArray(parent.status, [...milder, status])),
    ),
    milder.length > 0 ? and(inArray(coupons.status, milder), byTemplate) : undefined,
  );
}

export const listCoupons = (query: ListedBy, window: Window) =>
  paged(selectCoupons().$dynamic(), coupons.id, filters(query), window, {
    ids: build.select({ id: coupons.id }).from(coupons).leftJoin(parent, parentOf).$dynamic(),
  });

export const countCoupons = (query: CouponQuery) =>
  build
    .select({ total: sql<string>`count(*)`.mapWith(Number) })
    .from(coupons)
    .leftJoin(parent, parentOf)
    .where(allOf(filters(query)));

/** A template that affiliates may copy. */
export const findTemplate = (id: number | null | undefined) =>
  build
    .select()
    .from(coupons)
    .where(and(eq(coupons.id, id ?? 0), present, isNull(coupons.coupon_parent_id)));

/** The coupons that affiliates may copy, at most 100. */
export const findTemplates = () =>
  selectCoupons()
    .where(and(present, sql`(${coupons.rule} ->> 'use_by_affiliate')::boolean`))
    .orderBy(sql`${coupons.id} desc`)
    .limit(100);

export const insertCoupon = ({ coupon }: CouponRow): Write[] => [
  build.insert(coupons).values(coupon),
  build.insert(couponUsage).values({ coupon_id: coupon.id }),
];

/** Counts another copy of a template for an affiliate, within the template's limit. */
export const claimCopy = (template_id: number, user_id: number, limit: number) =>
  guard(
    addCopy(template_id, user_id, limit).returning({ copies: couponCopies.copies }),
    'coupon_quota',
  );

export const saveCoupon = (before: CouponRow, after: CouponRow): Write[] => [
  updateRow(coupons, before.coupon, after.coupon),
  ...countCopies(before.coupon, after.coupon),
];

/** Counts a copy for its present owner. Only affiliates who copy have a limit; the store may exceed it. */
export function countCopies(before: CouponColumns | null, after: CouponColumns): Write[] {
  const { coupon_parent_id: template_id } = after;
  const [from, to] = [before && holderOf(before), holderOf(after)];
  if (template_id === null || from === to) return [];
  return [
    ...(from === null ? [] : [returnCopy(template_id, from)]),
    ...(to === null ? [] : [addCopy(template_id, to)]),
  ];
}

const holderOf = ({ user_id, deleted_at }: CouponColumns) => (deleted_at === null ? user_id : null);

const returnCopy = (template_id: number, user_id: number) =>
  build
    .update(couponCopies)
    .set({ copies: sql`${couponCopies.copies} - 1` })
    .where(and(eq(couponCopies.template_id, template_id), eq(couponCopies.user_id, user_id)));

/** @param limit copies that the affiliate may have, 0 = any number */
const addCopy = (template_id: number, user_id: number, limit = 0) =>
  build
    .insert(couponCopies)
    .values({ template_id, user_id, copies: 1 })
    .onConflictDoUpdate({
      target: [couponCopies.template_id, couponCopies.user_id],
      set: { copies: sql`${couponCopies.copies} + 1` },
      setWhere: limit > 0 ? sql`${couponCopies.copies} < ${limit}` : sql`true`,
    });

/** Counts a user's orders with a coupon, its template or another copy: a limit per user is the template's. */
const usesByUser = (user_id: Argument<number>, coupon: SQL) =>
  sql<number>`(select count(*) from orders o
    join coupon_redemptions r on r.order_id = o.id and r.released_at is null
    join coupons s on s.id = r.coupon_id
   where o.user_id = ${user_id} and o.coupon_id is not null
     and coalesce(s.coupon_parent_id, s.id) = ${coupon})`.mapWith(Number);

const templateId = sql`coalesce(${coupons.coupon_parent_id}, ${coupons.id})`;

/** @param code in upper case */
export const findUseByBuyer = (code: Argument<string>, user_id: Argument<number>) =>
  build
    .select({ used: usesByUser(user_id, templateId) })
    .from(coupons)
    .where(and(eq(coupons.code, code), present));

/** Takes one use of a coupon for an order. The database refuses it at the coupon's present limits. */
export const claimCoupon = (
  { id, user_id }: { id: number; user_id: number },
  coupon_id: number,
  now: Date,
): Write<'coupon_limit_reached' | 'coupon_user_limit'>[] => [
  {
    code: 'coupon_limit_reached',
    statement: raw(sql`with changed as (
        update coupon_usage u set used = u.used + 1
          from coupons c left join coupons p on p.id = c.coupon_parent_id
         where c.id = ${coupon_id} and u.coupon_id = c.id
           and (coalesce(p.limit_use, c.limit_use) = 0 or u.used < coalesce(p.limit_use, c.limit_use))
        returning 1
      ) select svc_guard(exists (select from changed), 'coupon_limit_reached')`),
  },
  // Copies of a template have counters of their own.
  raw(sql`select pg_advisory_xact_lock(hashtextextended('coupon:' || ${templateId} || ':' || ${user_id}::bigint, 0))
    from coupons where id = ${coupon_id}`),
  {
    code: 'coupon_user_limit',
    statement: raw(sql`with terms as (
        select coalesce(p.limit_use_per_user, c.limit_use_per_user) as most, coalesce(p.id, c.id) as template
          from coupons c left join coupons p on p.id = c.coupon_parent_id where c.id = ${coupon_id}
      ), changed as (
        insert into coupon_user_usage as u (coupon_id, user_id, used)
        select ${coupon_id}, ${user_id}, 1 from terms
         where most = 0 or ${usesByUser(user_id, sql`template`)} < most
        on conflict (coupon_id, user_id) do update set used = u.used + 1
        returning 1
      ) select svc_guard(exists (select from changed), 'coupon_user_limit')`),
  },
  build
    .insert(couponRedemptions)
    .values({ order_id: id, coupon_id, user_id, redeemed_at: now.toISOString() })
    .onConflictDoUpdate({
      target: couponRedemptions.order_id,
      set: { released_at: null, redeemed_at: now.toISOString() },
    }),
];

export const releaseCoupon = (
  { id, user_id }: { id: number; user_id: number },
  coupon_id: number,
  now: Date,
): Write[] => [
  build
    .update(couponUsage)
    .set({ used: sql`${couponUsage.used} - 1` })
    .where(eq(couponUsage.coupon_id, coupon_id)),
  build
    .update(couponUserUsage)
    .set({ used: sql`${couponUserUsage.used} - 1` })
    .where(and(eq(couponUserUsage.coupon_id, coupon_id), eq(couponUserUsage.user_id, user_id))),
  build
    .update(couponRedemptions)
    .set({ released_at: now.toISOString() })
    .where(eq(couponRedemptions.order_id, id)),
];

/** Publishes the event if this use reaches the coupon's limit. */
export const announceExhausted = (event: DomainEvent, limit: number, now: Date): Write =>
  raw(sql`select ${publishEvents([event], now)} from coupon_usage
    where coupon_id = ${event.data.id} and used = ${limit}`);

export const ownerOfCoupon = (code: Argument<string>) =>
  sql`(select user_id from coupons where code = ${code} and deleted_at is null)`;
