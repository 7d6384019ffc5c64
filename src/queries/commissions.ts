import { type SQL, and, arrayOverlaps, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import {
  type Window,
  changedSince,
  equals,
  isDated,
  paged,
  since,
  until,
} from '../kernel/database/filters.ts';
import { commissions, type CommissionColumns } from '../schema/commissions.ts';
import { type Write, build, raw, unsent, type Argument } from '../kernel/database/statements.ts';
import { sumOfVersions } from '../kernel/database/versions.ts';
import type { ConditionsFor } from '../kernel/lists/query.ts';
import type { OrderTarget } from '../domain/order/change.ts';
import type { Person } from '../domain/user/rules.ts';
import { movedLines } from '../domain/commission/drafts.ts';
import type { OrderRisk, PairRisk } from '../domain/commission/order-risks.ts';
import type { HandState } from '../domain/commission/rules.ts';
import type { Trust } from '../domain/risk/finding.ts';
import type { Contacts } from '../domain/risk/kinds/suspect.ts';
import { type LedgerChange } from '../domain/commission/ledger-change.ts';
import type { CommissionFilters } from '../domain/commission/schemas.ts';
import { ofOrder } from './order-columns.ts';
import { holdOrder } from './order-guards.ts';
import { findOrderColumns } from './orders.ts';
import { moveLines } from './payout-lines.ts';
import { findProductOf } from './products.ts';
import { findRisksOfOrder, holdRisks } from './risks.ts';

const select = () => build.select().from(commissions);

const present = isNull(commissions.deleted_at);

export const findCommission = (id: number) => select().where(and(eq(commissions.id, id), present));

const orderOf = (id: number) => sql`(select order_id from commissions where id = ${id})`;

/** All commissions of an order, including deleted ones. */
const findLedger = (order_id: number | SQL) =>
  select().where(eq(commissions.order_id, order_id)).orderBy(asc(commissions.id));

/** The ledgers of orders, by a query of their ids. */
export const findLedgersIn = (order_ids: SQL) =>
  select()
    .where(sql`${commissions.order_id} in (${order_ids})`)
    .orderBy(asc(commissions.id));

/** Ids for the adjustments that a change of an order may make: one for each tier. */
const drawAdjustmentIds = (order_id: number | SQL, more: number) =>
  raw<{ id: string }>(sql`select nextval('commissions_id_seq') as id from generate_series(1, (
    select count(*) from commissions where order_id = ${order_id} and kind = 'sale') + ${more})`);

/** Loads the data for a manual change of a commission. */
export const loadByHand = (id: number) => ({
  found: findCommission(id),
  rows: findLedger(orderOf(id)),
  order: findOrderColumns(orderOf(id)),
  product: findProductOf(orderOf(id)),
  ids: drawAdjustmentIds(orderOf(id), 0),
  risks: findRisksOfOrder(orderOf(id)),
});

/** A person who may earn from an order, with the id of their commission. */
export interface ChainRow extends Record<string, unknown> {
  root: string;
  tier: number;
  commission_id: string;
  sales: string;
  person: Person;
  others: Contacts[];
  /** Risks that were found with another affiliate. */
  pairs: PairRisk[];
  trusts: Trust[];
  /** In milliseconds. */
  recent: number[];
  risk_ids: number[];
}

/**
 * Returns everybody who may earn from an order of a product, for each affiliate it may count for (`root`). It goes up
 * the tree by the product's number of tiers, and stops at a user that it has met already.
 */
const findChains = (product_id: number | SQL, candidates: SQL, buyer_id: number | SQL) =>
  raw<ChainRow>(sql`select * from svc_earners(${product_id},
    array(select c.id from ${candidates} c (id)), ${buyer_id})`);

/** The most tiers a product can have. */
const mostTiers = 20;

/** Loads the rows that an order's commissions depend on, without the order. */
export function loadLedger(target: OrderTarget) {
  const nobody = sql`(select null::bigint where false)`;
  if (target.kind === 'new') {
    return {
      rows: unsent(findLedger),
      chains: findChains(target.product_id, target.candidates, target.user_id),
      ids: unsent(drawAdjustmentIds),
    };
  }
  const { id, candidates } = target;
  return {
    rows: findLedger(id),
    chains: findChains(ofOrder('product_id', id), candidates ?? nobody, ofOrder('user_id', id)),
    ids: drawAdjustmentIds(id, candidates ? mostTiers : 0),
  };
}

/**
 * Writes changed ledgers of orders; `before` has their former rows. If another change, a payout or its draft came first,
 * everything is decided again, even if nothing changes here.
 */
export function saveLedger(
  order_id: number | readonly number[],
  before: readonly CommissionColumns[],
  { changed, added }: LedgerChange,
): Write[] {
  if (before.length + added.length === 0) return [];
  const ids = sql.param([order_id].flat());
  return [
    ...moveLines(movedLines(before, [...changed, ...added])),
    {
      code: 'rest_conflict',
      statement: raw(sql`select svc_guard(
        (select (count(*), coalesce(sum(version), 0)) = (${before.length}::bigint, ${sumOfVersions(before)}::numeric)
           from (select version from commissions where order_id = any (${ids}::bigint[]) order by id for share) c),
        'rest_conflict')`),
    },
    ...(changed.length > 0 ? [updateRows(changed)] : []),
    ...(added.length > 0 ? [build.insert(commissions).values([...added])] : []),
  ];
}

/** Writes a manual change of a ledger, if its order and the order's risks are unchanged. */
export const saveByHand = (
  { order, rows }: HandState,
  risks: readonly OrderRisk[],
  outcome: LedgerChange,
): Write[] => [
  holdOrder(order),
  ...holdRisks([order.id], risks),
  ...saveLedger(order.id, rows, outcome),
];

/** Updates the changeable columns of rows in their former versions. */
const updateRows = (rows: readonly CommissionColumns[]): Write => ({
  code: 'rest_conflict',
  statement: raw(sql`with wanted as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as (
        id bigint, version bigint, status text, cancellation text, hold_until timestamptz,
        held boolean, paid_at timestamptz, commission bigint, base_amount bigint, rate_source text, note text,
        payout_line_id bigint, deleted_at timestamptz, updated_at timestamptz)
    ), held as materialized (
      select c.id from commissions c join wanted w on w.id = c.id and w.version = c.version + 1
       order by c.id for update of c
    ), changed as (
      update commissions c set version = w.version, status = w.status,
             cancellation = w.cancellation, hold_until = w.hold_until, held = w.held, paid_at = w.paid_at,
             commission = w.commission, base_amount = w.base_amount,
             rate_source = w.rate_source, note = w.note, deleted_at = w.deleted_at,
             payout_line_id = w.payout_line_id,
             updated_at = w.updated_at
        from held h join wanted w on w.id = h.id
       where c.id = h.id and w.version = c.version + 1
      returning c.id
    ) select svc_guard((select count(*) from changed) = ${rows.length}, 'rest_conflict')`),
});

const byStatus = (status: CommissionFilters['status']): SQL | undefined => {
  if (status === undefined) return undefined;
  if (status === 'paid') return isNotNull(commissions.paid_at);
  if (status === 'unpaid') return and(eq(commissions.status, 'added'), isNull(commissions.paid_at));
  return eq(commissions.status, status);
};

export type ListedBy = Omit<CommissionFilters, 'affiliate_id' | 'order_id'> & {
  affiliate_id?: Argument<number> | undefined;
  order_id?: Argument<number> | undefined;
};

export function commissionFilters(query: ListedBy): ConditionsFor<ListedBy, 'present'> {
  const { affiliate_id, product_id, order_id } = query;
  return {
    present,
    ...equals(commissions, { affiliate_id, product_id, order_id }),
    status: byStatus(query.status),
    flags: query.flags && arrayOverlaps(commissions.flags, query.flags),
    date_start: since(commissions.created_at, query.date_start),
    date_end: until(commissions.created_at, query.date_end),
    updated_since: changedSince(commissions.updated_at, query.updated_since),
  };
}

export const listCommissions = (query: ListedBy, window: Window) =>
  paged(select().$dynamic(), commissions.id, commissionFilters(query), window, {
    time: isDated(query) ? commissions.created_at : undefined,
  });
