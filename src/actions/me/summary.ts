import type { SessionPrincipal } from '../../kernel/auth/principals.ts';
import { type Results, type Argument } from '../../kernel/database/statements.ts';
import { type OrderStatus, type StatusGroup, statusGroupMembers } from '../../schema/lists.ts';
import { countAccess, countLiveGrants } from '../../queries/access.ts';
import {
  findBalances,
  findHeld,
  findStoreBalances,
  findStoreHeld,
} from '../../queries/commission-earnings.ts';
import { findLeaders, findOwnRank } from '../../queries/rankings.ts';
import { toPlace } from '../../domain/affiliate/rules.ts';
import { countConfirmations } from '../../queries/confirmations.ts';
import { countLicenses, countValidLicenses } from '../../queries/licenses.ts';
import { findLatest } from '../../queries/orders.ts';
import {
  countByStatus,
  countOwnByStatus,
  findDays,
  findTopProducts,
} from '../../queries/order-totals.ts';
import { inEveryStatus, toOrder } from '../../domain/order/rules.ts';
import { findSettings } from '../../queries/settings.ts';
import { countRunning, countStoreSubscriptions } from '../../queries/subscriptions.ts';
import { countWebhooks } from '../../queries/webhooks.ts';
import { type PeriodRow, findOwnPeriods, findStorePeriods } from '../../queries/order-periods.ts';
import { seenBy } from './rules.ts';
import type { AdminSummary, HomeSummary, PeriodFigures } from './summary-schemas.ts';

const recentOrders = 5;
const topPlaces = 10;
const chartDays = 30;

export const loadHome = (user_id: Argument<number>, now: Argument<Date>) => ({
  settings: findSettings(),
  periods: findOwnPeriods(user_id, now),
  balances: findBalances(user_id, {}),
  held: findHeld(user_id, {}, now),
  statuses: countOwnByStatus(user_id),
  access: countAccess(user_id, now),
  subscriptions: countRunning(user_id, now),
  licenses: countValidLicenses(user_id, now),
  rank: findOwnRank(user_id),
  latest: findLatest(recentOrders, user_id),
});

export const loadAdmin = (now: Date) => ({
  settings: findSettings(),
  periods: findStorePeriods(now),
  balances: findStoreBalances(),
  held: findStoreHeld(now),
  statuses: countByStatus(),
  access: countLiveGrants(now),
  subscriptions: countStoreSubscriptions(now),
  licenses: countLicenses({ status: 'active' }),
  latest: findLatest(recentOrders),
  confirmations: countConfirmations({ status: 'pending' }),
  webhooks: countWebhooks({ status: 'paused' }),
  products: findTopProducts(topPlaces),
  affiliates: findLeaders({ calculate: 'revenue' }, topPlaces),
  days: findDays(chartDays, now),
});

export function only<T>(rows: readonly T[]): T {
  const [row] = rows;
  if (row === undefined) throw new Error('A figure is missing.');
  return row;
}

export function homeSummary(
  loaded: Results<ReturnType<typeof loadHome>>,
  principal: SessionPrincipal,
): HomeSummary {
  const [rank] = loaded.rank.rows;
  return {
    ...blocksOf(loaded),
    orders: inGroups(inEveryStatus(loaded.statuses)),
    access_count: only(loaded.access).total,
    licenses_count: only(loaded.licenses).total,
    rank: rank ? Number(rank.rank) : null,
    recent_orders: loaded.latest.map((row) => seenBy(principal, toOrder(row))),
  };
}

export function adminSummary(loaded: Results<ReturnType<typeof loadAdmin>>): AdminSummary {
  const settings = only(loaded.settings);
  const blocks = blocksOf(loaded);
  const orders_by_status = inEveryStatus(loaded.statuses);
  const days = loaded.days.rows;
  return {
    ...blocks,
    orders: inGroups(orders_by_status),
    orders_by_status,
    access_count: only(loaded.access).total,
    licenses_count: only(loaded.licenses).total,
    confirmations_pending: only(loaded.confirmations).total,
    payouts_due: blocks.commission.unpaid - blocks.commission.held,
    webhooks_paused: only(loaded.webhooks).total,
    top_products: loaded.products,
    top_affiliates: loaded.affiliates.rows.map((row) => toPlace(row, 'revenue', settings)),
    chart: {
      labels: days.map(({ date }) => date),
      quantity: days.map(({ quantity }) => Number(quantity)),
      revenue: days.map(({ revenue }) => Number(revenue)),
    },
    recent_orders: loaded.latest.map((row) => toOrder(row)),
  };
}

type Shared = 'settings' | 'periods' | 'balances' | 'held' | 'subscriptions';

function blocksOf({
  settings,
  periods,
  balances,
  held,
  subscriptions,
}: Pick<Results<ReturnType<typeof loadAdmin>>, Shared>) {
  const { currency, timezone } = only(settings);
  const { pending, unpaid, paid } = only(balances);
  const { active, expiring_7d } = only(subscriptions);
  const figures = (name: PeriodRow['period']) =>
    figuresOf(periods.rows.find(({ period }) => period === name));
  return {
    currency,
    timezone,
    today: figures('today'),
    yesterday: figures('yesterday'),
    this_month: figures('this_month'),
    all: figures('all'),
    commission: { pending, unpaid, paid, held: only(held).held },
    subscriptions: { active, expiring_7d },
  };
}

/** Zeros if nothing happened. */
export const figuresOf = (row: PeriodRow | undefined): PeriodFigures => ({
  lead: Number(row?.lead ?? 0),
  sales: Number(row?.sales ?? 0),
  revenue: Number(row?.revenue ?? 0),
  commission: Number(row?.commission ?? 0),
});

function inGroups(counts: Record<OrderStatus, number>) {
  const total = (group: StatusGroup) =>
    statusGroupMembers[group].reduce((sum, status) => sum + counts[status], 0);
  return {
    unpaid: total('unpaid'),
    processing: total('processing'),
    completed: total('completed'),
  };
}
