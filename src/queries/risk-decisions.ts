import { type SQL, eq, sql } from 'drizzle-orm';
import { type Write, build, raw } from '../kernel/database/statements.ts';
import { sumOfVersions } from '../kernel/database/versions.ts';
import type { DecidedOrders, DecisionEffect } from '../domain/commission/risk-decision.ts';
import type { OrderRow } from '../domain/order/rules.ts';
import { type RiskColumns, riskOrders, risks } from '../schema/risks.ts';
import { findLedgersIn, saveLedger } from './commissions.ts';
import { findOrdersIn } from './orders.ts';
import { findBuyerSponsorsIn, findSponsoredBuyersIn } from './new-buyers.ts';
import { findSettings } from './settings.ts';
import { findProgrammesIn } from './products.ts';
import { findRisk, holdRisks, saveRisk } from './risks.ts';

/** The orders of a risk, as a subselect. */
const ordersOf = (id: number): SQL =>
  sql`select ro.order_id from risk_orders ro where ro.risk_id = ${id}`;

/** The orders that a decision on a risk makes count for their affiliates, or stop counting, as a subselect. */
export const countedBy = (id: number): SQL =>
  sql`select ro.order_id from risk_orders ro where ro.risk_id = ${id} and ro.tier = 1`;

/** Loads the data for a decision on a risk. */
export const loadRiskDecision = (id: number) => ({
  found: findRisk(id),
  orders: findOrdersIn(ordersOf(id)),
  rows: findLedgersIn(ordersOf(id)),
  risks: build
    .select({ risk: risks, tier: riskOrders.tier, order_id: riskOrders.order_id })
    .from(riskOrders)
    .innerJoin(risks, eq(risks.id, riskOrders.risk_id))
    .where(sql`${riskOrders.order_id} in (${ordersOf(id)})`),
  products: findProgrammesIn(
    sql`select o.product_id from orders o where o.id in (${ordersOf(id)})`,
  ),
  settings: findSettings(),
  buyers: findSponsoredBuyersIn(countedBy(id)),
  given: findBuyerSponsorsIn(countedBy(id)),
  ids: raw<{ id: string }>(sql`select nextval('commissions_id_seq') as id from commissions
    where kind = 'sale' and order_id in (${ordersOf(id)})`),
});

/** Writes a decision on a risk, if its orders and their risks are unchanged. */
export const saveRiskDecision = (
  before: RiskColumns,
  after: RiskColumns,
  state: DecidedOrders,
  { ledger, orders: counted }: DecisionEffect,
): Write[] => {
  const ids = state.orders.map(({ order }) => order.id);
  return [
    holdOrders(state.orders),
    ...holdRisks(ids, state.risks),
    saveRisk(before, after),
    ...(counted.length > 0 ? [saveCounted(counted)] : []),
    ...saveLedger(ids, state.rows, ledger),
  ];
};

/** Locks orders in the versions of the decision. */
const holdOrders = (rows: readonly OrderRow[]): Write => ({
  code: 'rest_conflict',
  statement: raw(sql`with held as materialized (
      select version from orders
       where id = any (${sql.param(rows.map(({ order }) => order.id))}::bigint[])
       order by id for no key update
    ) select svc_guard((select (count(*), coalesce(sum(version), 0))
        = (${rows.length}::bigint, ${sumOfVersions(rows.map(({ order }) => order))}::numeric)
        from held), 'rest_conflict')`),
});

/** Writes the affiliates of orders. */
const saveCounted = (rows: readonly OrderRow[]) =>
  raw(sql`update orders o set affiliate_id = w.affiliate_id, attribution = w.attribution,
           version = w.version, updated_at = w.updated_at
      from jsonb_to_recordset(${JSON.stringify(rows.map(({ order }) => order))}::jsonb) as w (
             id bigint, affiliate_id bigint, attribution jsonb, version bigint, updated_at timestamptz)
     where o.id = w.id`);
