import { type SQL, and, asc, desc, eq, inArray, or, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { type Window, allOf, equals, paged } from '../kernel/database/filters.ts';
import { recordFrom, recordOf, selectRecords } from '../kernel/database/records.ts';
import { type Write, build, lockValue, raw, unsent } from '../kernel/database/statements.ts';
import { updateRow, sumOfVersions } from '../kernel/database/versions.ts';
import type { ConditionsFor } from '../kernel/lists/query.ts';
import type { OrderTarget } from '../domain/order/change.ts';
import type { OrderColumns } from '../schema/orders.ts';
import type { RiskChange } from '../domain/commission/order-risks.ts';
import { isOfPair } from '../domain/risk/finding.ts';
import type { RiskQuery } from '../domain/risk/schemas.ts';
import { pairKinds } from '../schema/lists.ts';
import { type RiskColumns, riskOrders, risks } from '../schema/risks.ts';
import { users } from '../schema/users.ts';

const suspected = (column: PgColumn) =>
  recordFrom(users, eq(users.id, column), {
    id: users.id,
    display_name: users.display_name,
    email: users.email,
    phone: users.phone,
    bank_info: users.bank_info,
    status: users.status,
  });

const riskRecord = recordOf({
  risk: risks,
  affiliate: suspected(risks.affiliate_id),
  other: suspected(risks.other_id),
  orders: sql<number[]>`(select coalesce(json_agg(order_id), '[]') from (
    select distinct order_id from risk_orders where risk_id = ${risks.id}
     order by order_id desc limit 20) latest)`,
  commission: sql<number>`(select to_json(coalesce(sum(commission), 0)) from commissions
    where kind = 'sale' and cancellation is distinct from 'reassigned' and deleted_at is null
      and id in (select c.id from commissions c
      join risk_orders ro on ro.order_id = c.order_id and ro.tier in (1, c.tier)
     where ro.risk_id = ${risks.id}))`,
});

const selectRisks = () => selectRecords(riskRecord).from(risks);

/** A risk with the records that are shown with it. */
export const findRisk = (id: number) => selectRisks().where(eq(risks.id, id));

const filters = ({ status, kind, affiliate_id }: RiskQuery): ConditionsFor<RiskQuery> => ({
  ...equals(risks, { status, kind }),
  affiliate_id:
    affiliate_id === undefined
      ? undefined
      : or(
          eq(risks.affiliate_id, affiliate_id),
          and(eq(risks.other_id, affiliate_id), inArray(risks.kind, [...pairKinds])),
        ),
});

export const listRisks = (query: RiskQuery, window: Window) =>
  paged(selectRisks().$dynamic(), risks.id, filters(query), window);

export const countRisks = (query: RiskQuery) =>
  build
    .select({ total: sql<string>`count(*)`.mapWith(Number) })
    .from(risks)
    .where(allOf(filters(query)));

export const findOldestOpen = () =>
  build
    .select({ at: risks.created_at })
    .from(risks)
    .where(eq(risks.status, 'open'))
    .orderBy(asc(risks.id))
    .limit(1);

/** The risks of an order, a row for each of their tiers. */
export const findRisksOfOrder = (order_id: number | SQL) =>
  build
    .select({ risk: risks, tier: riskOrders.tier })
    .from(riskOrders)
    .innerJoin(risks, eq(risks.id, riskOrders.risk_id))
    .where(eq(riskOrders.order_id, order_id))
    .orderBy(desc(risks.id));

export const findRisksOfTarget = (target: OrderTarget) =>
  target.kind === 'new' ? unsent(findRisksOfOrder) : findRisksOfOrder(target.id);

export const saveRisk = (before: RiskColumns, after: RiskColumns) =>
  updateRow(risks, before, after);

/** Requires that no other decision was made on a risk of these locked orders. */
export function holdRisks(
  order_ids: readonly number[],
  loaded: readonly { readonly risk: RiskColumns }[],
): Write[] {
  if (loaded.length === 0) return [];
  const distinct = [...new Map(loaded.map(({ risk }) => [risk.id, risk])).values()];
  return [
    {
      code: 'rest_conflict',
      statement: raw(sql`select svc_guard((select (count(*), coalesce(sum(version), 0))
          = (${distinct.length}::bigint, ${sumOfVersions(distinct)}::numeric)
          from risks where id in (select risk_id from risk_orders
            where order_id = any (${sql.param(order_ids)}::bigint[]))), 'rest_conflict')`),
    },
  ];
}

/** Writes changes of an order's former risks. Comes before the order's ledger, whose triggers read them. */
export const saveFormerRisks = (order_id: number, { changed, isDropped }: RiskChange): Write[] => [
  ...changed.map(({ before, after }) => saveRisk(before, after)),
  ...(isDropped ? [build.delete(riskOrders).where(eq(riskOrders.order_id, order_id))] : []),
];

/** Writes the risks that a change of an order finds. Comes after the order's ledger. */
export const saveFoundRisks = ({ added, joined, tiers }: RiskChange, now: Date): Write[] => [
  // A parallel decision on the risk must see this order.
  ...joined.map((risk) =>
    updateRow(risks, risk, { updated_at: now.toISOString(), version: risk.version + 1 }),
  ),
  ...added.filter(({ kind }) => isOfPair(kind)).flatMap(holdPair),
  ...(added.length > 0 ? [build.insert(risks).values([...added])] : []),
  ...(tiers.length > 0 ? [build.insert(riskOrders).values([...tiers])] : []),
];

/** The number of a buyer's latest orders through an affiliate that `svc_earners` returns. `velocity_orders` can't exceed it. */
const considered = 20;

/**
 * Serialises a buyer's sales, and requires that the number of the buyer's other orders through the affiliate is that of
 * the decision.
 */
export const holdRecent = (
  { id, user_id, affiliate_id }: Pick<OrderColumns, 'id' | 'user_id' | 'affiliate_id'>,
  recent: number,
): Write<'rest_conflict'>[] => [
  lockValue(`sales:${user_id}`),
  {
    code: 'rest_conflict',
    statement: raw(sql`select svc_guard(${recent} = (
      select count(*) from (select from orders
        where user_id = ${user_id} and affiliate_id = ${affiliate_id} and id <> ${id}
        order by id desc limit ${considered}) latest), 'rest_conflict')`),
  },
];

/** Locks a pair of affiliates, so that only one order finds it. */
const holdPair = ({ kind, affiliate_id, other_id }: RiskColumns): Write[] => {
  const pair = [kind, Math.min(affiliate_id, other_id), Math.max(affiliate_id, other_id)];
  return [
    lockValue(`risk:${pair.join(':')}`),
    {
      code: 'rest_conflict',
      statement: raw(sql`select svc_guard(not exists (select from risks
        where status = 'open' and kind = ${kind} and affiliate_id in (${affiliate_id}, ${other_id})
          and other_id in (${affiliate_id}, ${other_id})), 'rest_conflict')`),
    },
  ];
};
