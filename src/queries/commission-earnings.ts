import { type SQL, and, asc, desc, eq, gt, isNotNull, isNull, ne, or, sql } from 'drizzle-orm';
import { allOf, withinDays } from '../kernel/database/filters.ts';
import { commissionDays, commissionRollups, commissions } from '../schema/commissions.ts';
import { products } from '../schema/products.ts';
import { type Results, build, type Argument, instantOf } from '../kernel/database/statements.ts';
import { commissionFilters } from './commissions.ts';
import { findSettings } from './settings.ts';
import type { CommissionInfo, InfoQuery } from '../domain/affiliate/schemas.ts';
import { findPerson } from './users.ts';

const sum = (amount: SQL, condition: SQL) =>
  sql<string>`coalesce(sum(${amount}) filter (where ${condition}), 0)`.mapWith(Number);

const balancesOf = ({
  status,
  amount,
  sales,
}: typeof commissionRollups | typeof commissionDays) => ({
  pending: sum(sql`${amount}`, eq(status, 'pending')),
  unpaid: sum(sql`${amount}`, eq(status, 'unpaid')),
  paid: sum(sql`${amount}`, eq(status, 'paid')),
  orders: sum(sql`${sales}`, ne(status, 'cancelled')),
});

/** All-time balances of the store or of an affiliate. */
const findAllBalances = (dimension: 'store' | 'affiliate', key: Argument<number>) =>
  build
    .select(balancesOf(commissionRollups))
    .from(commissionRollups)
    .where(and(eq(commissionRollups.dimension, dimension), eq(commissionRollups.key, key)));

export const findStoreBalances = () => findAllBalances('store', 0);

/** The rolled-up days of an affiliate in a query with dates. */
const daysOf = (affiliate_id: Argument<number>, { product_id, date_start, date_end }: InfoQuery) =>
  and(
    eq(commissionDays.affiliate_id, affiliate_id),
    product_id === undefined ? undefined : eq(commissionDays.product_id, product_id),
    withinDays(commissionDays.day, date_start, date_end),
  );

const isInstant = (date: string | undefined) => date !== undefined && date.length > 10;

export const isUnfiltered = (query: InfoQuery) =>
  Object.values(query).every((value) => value === undefined);

/** The balances of an affiliate. Between instants they are computed from the commissions, otherwise from rollups. */
export function findBalances(affiliate_id: Argument<number>, query: InfoQuery) {
  if (isInstant(query.date_start) || isInstant(query.date_end)) {
    return countBalances(affiliate_id, query);
  }
  if (isUnfiltered(query)) {
    return findAllBalances('affiliate', affiliate_id);
  }
  return build
    .select(balancesOf(commissionDays))
    .from(commissionDays)
    .where(daysOf(affiliate_id, query));
}

function countBalances(affiliate_id: Argument<number>, query: InfoQuery) {
  const { commission, status, paid_at, kind } = commissions;
  const amount = sql`${commission}`;
  return build
    .select({
      pending: sum(amount, sql`${status} = 'pending'`),
      unpaid: sum(amount, sql`${status} = 'added' and ${paid_at} is null`),
      paid: sum(amount, sql`${paid_at} is not null`),
      orders: sum(sql`1`, sql`${kind} = 'sale' and ${status} <> 'cancelled'`),
    })
    .from(commissions)
    .where(allOf(commissionFilters({ ...query, affiliate_id })));
}

export const findHeld = (affiliate_id: Argument<number>, query: InfoQuery, now: Argument<Date>) =>
  build
    .select({ held: sql<string>`coalesce(sum(${commissions.commission}), 0)`.mapWith(Number) })
    .from(commissions)
    .where(
      and(
        allOf(commissionFilters({ ...query, affiliate_id, status: 'unpaid' })),
        or(commissions.held, gt(commissions.hold_until, instantOf(now))),
      ),
    );

/**
 * Adds up the store's held commissions. Later days, and commissions held by risks, come from rollups; the rest of today
 * from the rows.
 */
export function findStoreHeld(now: Date) {
  const at = now.toISOString();
  const midnight = sql`date_trunc('day', ${at}::timestamptz, 'UTC') + interval '1 day'`;
  const { dimension, key, amount } = commissionRollups;
  const unpaid = allOf(commissionFilters({ status: 'unpaid' }));
  return build
    .select({
      held: sql<string>`coalesce(sum(${amount}), 0) + (
        select coalesce(sum(${commissions.commission}), 0) from ${commissions}
         where ${and(unpaid, eq(commissions.held, false), gt(commissions.hold_until, at))} and ${commissions.hold_until} < ${midnight})`.mapWith(
        Number,
      ),
    })
    .from(commissionRollups)
    .where(and(eq(dimension, 'hold'), gt(key, sql`${at.slice(0, 10)}::date - date '2000-01-01'`)));
}

const findLastPaid = (affiliate_id: Argument<number>) =>
  build
    .select({
      at: sql`greatest(max(${commissions.paid_at}), (
        select max(created_at) from payouts where affiliate_id = ${affiliate_id} and status = 'paid'))`.mapWith(
        commissions.paid_at,
      ),
    })
    .from(commissions)
    .where(
      and(
        eq(commissions.affiliate_id, affiliate_id),
        isNotNull(commissions.paid_at),
        isNull(commissions.payout_id),
      ),
    );

/** Statements about an affiliate's earnings, for `commissionInfoOf`. */
export const loadCommissionInfo = (
  affiliate_id: Argument<number>,
  query: InfoQuery,
  now: Argument<Date>,
) => ({
  affiliate: findPerson(affiliate_id),
  settings: findSettings(),
  balances: findBalances(affiliate_id, query),
  held: findHeld(affiliate_id, query, now),
  lastPaid: findLastPaid(affiliate_id),
});

const orders = sql<string>`sum(${commissionDays.sales})`.mapWith(Number);

const commission = sql<string>`sum(${commissionDays.amount})`.mapWith(Number);

/** Selects the commissions of some days that aren't cancelled. */
const earned = (affiliate_id: Argument<number>, query: InfoQuery) =>
  and(daysOf(affiliate_id, query), ne(commissionDays.status, 'cancelled'));

const something = sql`(sum(${commissionDays.sales}), sum(${commissionDays.amount})) <> (0, 0)`;

/** Adds up an affiliate's earnings by product, highest first. */
export const findEarnedByProduct = (affiliate_id: Argument<number>, query: InfoQuery) =>
  build
    .select({ product_id: commissionDays.product_id, title: products.title, orders, commission })
    .from(commissionDays)
    .innerJoin(products, eq(products.id, commissionDays.product_id))
    .where(earned(affiliate_id, query))
    .groupBy(commissionDays.product_id, products.title)
    .having(something)
    .orderBy(desc(sql`sum(${commissionDays.amount})`), asc(commissionDays.product_id))
    .limit(100);

export const findEarnedByTier = (affiliate_id: Argument<number>, query: InfoQuery) =>
  build
    .select({ tier: commissionDays.tier, orders, commission })
    .from(commissionDays)
    .where(earned(affiliate_id, query))
    .groupBy(commissionDays.tier)
    .having(something)
    .orderBy(asc(commissionDays.tier));

/** Adds up an affiliate's earnings by day, latest first. */
export const findEarnedByDay = (affiliate_id: Argument<number>, query: InfoQuery) =>
  build
    .select({
      date: sql`(date '2000-01-01' + ${commissionDays.day})::text`.mapWith(String),
      orders,
      commission,
    })
    .from(commissionDays)
    .where(earned(affiliate_id, query))
    .groupBy(commissionDays.day)
    .having(something)
    .orderBy(desc(commissionDays.day))
    .limit(366);

/** Undefined if the affiliate doesn't exist. */
export function commissionInfoOf(
  loaded: Results<ReturnType<typeof loadCommissionInfo>>,
): CommissionInfo | undefined {
  const { affiliate, settings, balances, held: sums, lastPaid } = loaded;
  if (!affiliate[0] || !settings[0] || !balances[0]) return undefined;
  const { id, display_name, bank_info } = affiliate[0];
  const { currency } = settings[0];
  const { pending, unpaid, paid, orders } = balances[0];
  const held = sums[0]?.held ?? 0;
  return {
    affiliate_id: id,
    display_name,
    currency,
    pending_commission: pending,
    unpaid_commission: unpaid,
    paid_commission: paid,
    held_commission: held,
    payable_commission: unpaid - held,
    total_commission: pending + unpaid + paid,
    orders,
    last_paid_at: lastPaid[0]?.at ?? null,
    bank_info,
  };
}
