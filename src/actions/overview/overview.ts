import type { ScopedPrincipal } from '../../kernel/auth/principals.ts';
import type { Results } from '../../kernel/database/statements.ts';
import { countMutations } from '../../queries/bank-mutations.ts';
import { findStoreBalances, findStoreHeld } from '../../queries/commission-earnings.ts';
import { countConfirmations, findLongestPending } from '../../queries/confirmations.ts';
import { countMessages } from '../../queries/messages.ts';
import { type PeriodRow, findStorePeriods } from '../../queries/order-periods.ts';
import { countWithoutCode } from '../../queries/order-transfers.ts';
import { countByStatus, findDays, findTopProductsOfDays } from '../../queries/order-totals.ts';
import { findLatest } from '../../queries/orders.ts';
import { findLeadersOfDays } from '../../queries/rankings.ts';
import { countFailedRefunds } from '../../queries/provider-refunds.ts';
import { countByHand } from '../../queries/refunds.ts';
import { countReminders } from '../../queries/reminders.ts';
import { findSettings } from '../../queries/settings.ts';
import { countRisks, findOldestOpen } from '../../queries/risks.ts';
import { countReasons } from '../../queries/subscriptions.ts';
import { countUnexpected } from '../../queries/unexpected-payments.ts';
import { findPublished } from '../../queries/products.ts';
import { countTroubled } from '../../queries/webhooks.ts';
import type { Config } from '../../config.ts';
import { gatewaysOf } from '../../providers/payments/index.ts';
import { sendersOf } from '../../providers/messages/index.ts';
import { offeredGateways } from '../../domain/payment/rules.ts';
import { toPlace } from '../../domain/affiliate/rules.ts';
import { inEveryStatus, toOrder } from '../../domain/order/rules.ts';
import { figuresOf, only } from '../me/summary.ts';
import type { Scope } from '../../schema/scopes.ts';
import { type Overview, storeNeeds } from './schemas.ts';

const cancelReasons = 10;
const daysByHand = 7;

const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * 86_400_000);

const chartDays = 30;
const topPlaces = 10;
const recentOrders = 10;

/** The key's scopes arrive only with the results, so everything is read. */
export const loadOverview = (now: Date) => ({
  settings: findSettings(),
  periods: findStorePeriods(now),
  days: findDays(chartDays, now),
  statuses: countByStatus(),
  latest: findLatest(recentOrders),
  products: findTopProductsOfDays(chartDays, now, topPlaces),
  affiliates: findLeadersOfDays(chartDays, now, topPlaces),
  confirmations: countConfirmations({ status: 'pending' }),
  longest: findLongestPending(),
  webhooks: countTroubled(),
  unexpected: countUnexpected({ status: 'open' }),
  refunds: countFailedRefunds(),
  byHand: countByHand(daysBefore(now, daysByHand)),
  withoutCode: countWithoutCode(),
  mutations: countMutations({ status: 'open' }),
  balances: findStoreBalances(),
  held: findStoreHeld(now),
  messages: countMessages({ status: 'failed' }),
  reminders: countReminders({ status: 'failed' }),
  risks: countRisks({ status: 'open' }),
  oldestRisk: findOldestOpen(),
  published: findPublished(),
  reasons: countReasons(daysBefore(now, chartDays), cancelReasons),
});

type Loaded = Results<ReturnType<typeof loadOverview>>;

export function overview(loaded: Loaded, principal: ScopedPrincipal, config: Config): Overview {
  const settings = only(loaded.settings);
  const figures = (name: PeriodRow['period']) =>
    figuresOf(loaded.periods.rows.find(({ period }) => period === name));
  return {
    currency: settings.currency,
    timezone: settings.timezone,
    missing: missingOf(loaded, config),
    to_do: toDo(loaded, principal),
    today: figures('today'),
    yesterday: { ...figures('yesterday'), before: figures('day_before') },
    this_month: { ...figures('this_month'), before: figures('last_month') },
    all: figures('all'),
    days: loaded.days.rows.map(({ date, ...row }) => ({
      date,
      lead: Number(row.lead),
      sales: Number(row.sales),
      revenue: Number(row.revenue),
    })),
    orders_by_status: inEveryStatus(loaded.statuses),
    recent_orders: loaded.latest.map((row) => toOrder(row)),
    cancel_reasons: principal.has('subscriptions:read') ? loaded.reasons : null,
    top_products: loaded.products,
    top_affiliates: principal.has('affiliates:read')
      ? loaded.affiliates.rows.map((row) => toPlace(row, 'revenue', settings))
      : null,
  };
}

/** Names what a store still needs before it can sell, most important first. */
function missingOf({ settings, published }: Loaded, config: Config): Overview['missing'] {
  const store = only(settings);
  const { published: hasProduct, cod } = only(published.rows);
  const isPaid = offeredGateways(store, gatewaysOf(config)).some(
    ({ type, active }) => active && (type === 'manual' || type === 'redirect'),
  );
  const has = {
    currency: store.currency !== null,
    payment: isPaid || cod,
    sender: Object.keys(sendersOf(config)).length > 0,
    product: hasProduct,
  };
  return storeNeeds.filter((need) => !has[need]);
}

/** Counts open tasks that the caller may read. */
function toDo(loaded: Loaded, principal: ScopedPrincipal): Overview['to_do'] {
  const may = <T>(scope: Scope, value: T): T | null => (principal.has(scope) ? value : null);
  const totalOf = (rows: readonly { total: number }[]) => only(rows).total;
  return {
    confirmations: may('confirmations:read', {
      pending: totalOf(loaded.confirmations),
      oldest_at: loaded.longest[0]?.at ?? null,
    }),
    risks: may('risks:read', {
      open: totalOf(loaded.risks),
      oldest_at: loaded.oldestRisk[0]?.at ?? null,
    }),
    webhooks: may('webhooks:read', only(loaded.webhooks)),
    unexpected_payments: may('payments:read', totalOf(loaded.unexpected)),
    refunds_failed: may('payments:read', totalOf(loaded.refunds)),
    refunds_by_hand: may('payments:read', totalOf(loaded.byHand)),
    orders_without_code: may('payments:read', totalOf(loaded.withoutCode)),
    bank_mutations: may('payments:read', totalOf(loaded.mutations)),
    payouts_due: may('commissions:read', only(loaded.balances).unpaid - only(loaded.held).held),
    messages_failed: may('messages:read', totalOf(loaded.messages)),
    reminders_failed: may('reminders:read', totalOf(loaded.reminders)),
  };
}
