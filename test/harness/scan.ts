import type { OrderStatus } from '../../src/schema/lists.ts';
import type { StoreFixture } from './store-fixture.ts';

// Recomputes the stored totals of a store from all of its rows.

export const zone = 'Asia/Jakarta';

export interface OrderRow {
  id: number;
  user_id: number;
  affiliate_id: number | null;
  product_id: number;
  status: OrderStatus;
  quantity: number;
  grand_total: number;
  refunded_total: number;
  created_at: string;
}

export interface CommissionRow {
  order_id: number;
  affiliate_id: number;
  product_id: number;
  tier: number;
  kind: string;
  status: string;
  commission: number;
  paid_at: string | null;
  hold_until: string | null;
  created_at: string;
}

export async function scan<T>({ store }: StoreFixture, table: string): Promise<T[]> {
  const { rows } = await store.database.query<{ row: T }>(
    `select to_jsonb(t) as row from ${table} t where to_jsonb(t) ->> 'deleted_at' is null`,
  );
  return rows.map(({ row }) => row);
}

const dates = new Intl.DateTimeFormat('en-CA', { timeZone: zone });
export const dateOf = (instant: string | number | Date) => dates.format(new Date(instant));
export const total = <T>(rows: readonly T[], figure: (row: T) => number) =>
  rows.reduce((sum, row) => sum + figure(row), 0);
export const isPaid = ({ status }: OrderRow) =>
  ['in-progress', 'shipping', 'completed'].includes(status);
export const net = (order: OrderRow) => order.grand_total - order.refunded_total;
export const amount = ({ commission }: CommissionRow) => commission;
const isUnpaid = ({ status, paid_at }: CommissionRow) => status === 'added' && paid_at === null;

/**
 * The blocks of both summaries, computed from every order and commission.
 * @param orders all of the store, those that were sold and those that others sold
 */
export function blocks(orders: OrderRow[], sold: OrderRow[], earned: CommissionRow[], now: Date) {
  const today = dateOf(now);
  const period = (within: (date: string) => boolean) => {
    const placed = sold.filter(({ created_at }) => within(dateOf(created_at)));
    const sales = placed.filter(isPaid);
    const paid = orders.filter((order) => isPaid(order) && within(dateOf(order.created_at)));
    const ids = new Set(paid.map(({ id }) => id));
    const made = earned.filter(
      ({ order_id, status }) => status !== 'cancelled' && ids.has(order_id),
    );
    const figures = { lead: placed.length, sales: sales.length, revenue: total(sales, net) };
    return { ...figures, commission: total(made, amount) };
  };
  const unpaid = earned.filter(isUnpaid);
  const held = unpaid.filter(({ hold_until }) => hold_until && new Date(hold_until) > now);
  return {
    currency: 'USD',
    timezone: zone,
    today: period((date) => date === today),
    yesterday: period((date) => date === dateOf(now.getTime() - 86_400_000)),
    this_month: period((date) => date.slice(0, 7) === today.slice(0, 7)),
    all: period(() => true),
    commission: {
      pending: total(
        earned.filter(({ status }) => status === 'pending'),
        amount,
      ),
      unpaid: total(unpaid, amount),
      paid: total(
        earned.filter(({ paid_at }) => paid_at !== null),
        amount,
      ),
      held: total(held, amount),
    },
  };
}

export function inGroups(rows: OrderRow[]) {
  const count = (...statuses: OrderStatus[]) =>
    rows.filter(({ status }) => statuses.includes(status)).length;
  return {
    unpaid: count('on-hold', 'payment-confirm'),
    processing: count('in-progress', 'shipping'),
    completed: count('completed'),
  };
}

export const newest = (rows: OrderRow[]) =>
  rows
    .map(({ id }) => id)
    .sort((a, b) => b - a)
    .slice(0, 5);

/** Groups rows by a key, in the order of the first of each. */
export const grouped = <T, K>(rows: readonly T[], key: (row: T) => K) => [
  ...Map.groupBy(rows, key),
];

export const ids = (rows: { id: number }[]) => rows.map(({ id }) => id);

interface Owned {
  user_id: number;
  product_id: number;
  status: string;
  start: string | null;
  end_active: string | null;
  end_date: string | null;
}

type License = { id: number; order_id: number | null; status: string; expires_at: string | null };
type Ending = { first_order_id: number; status: string; end_date: string | null };

/** Tells which licences can be used. */
async function validity(fixture: StoreFixture, now: Date) {
  const orders = await scan<OrderRow>(fixture, 'orders');
  const subscriptions = await scan<Ending>(fixture, 'subscriptions');
  const terms = await scan<{ license_id: number; order_id: number | null }>(
    fixture,
    'license_terms',
  );
  const isOver = (end: string | null) => end !== null && new Date(end) <= now;
  return ({ id, order_id, status, expires_at }: License): boolean => {
    const order = orders.find((one) => one.id === order_id);
    const run = subscriptions.find(({ first_order_id }) => first_order_id === order_id);
    const isPaidFor = terms.some((term) => term.license_id === id && term.order_id !== null);
    const waits = order && ['on-hold', 'payment-confirm', 'in-progress'].includes(order.status);
    if (status !== 'active' || isOver(expires_at) || (waits && !isPaidFor)) return false;
    return !run || (run.status === 'active' && !isOver(run.end_date));
  };
}

/** Counts the access, subscriptions and licences of a user, or of everybody. */
export async function belongings(fixture: StoreFixture, user_id: number | undefined, now: Date) {
  const owned = async <T = unknown>(table: string) =>
    (await scan<Owned & T>(fixture, table)).filter(
      (row) => user_id === undefined || row.user_id === user_id,
    );
  const access = await owned('access_grants');
  const licenses = await owned<License>('licenses');
  const live = access.filter(({ status, start, end_active }) => {
    const ended = end_active !== null && new Date(end_active) <= now;
    return status === 'active' && start !== null && new Date(start) <= now && !ended;
  });
  const running = (await owned('subscriptions')).filter(
    ({ status, end_date }) => status === 'active' && end_date && new Date(end_date) > now,
  );
  return {
    access_count:
      user_id === undefined ? live.length : new Set(live.map(({ product_id }) => product_id)).size,
    subscriptions: {
      active: running.length,
      expiring_7d: running.filter(
        ({ end_date }) => end_date && Date.parse(end_date) - now.getTime() <= 7 * 86_400_000,
      ).length,
    },
    licenses_count:
      user_id === undefined
        ? licenses.filter(({ status }) => status === 'active').length
        : licenses.filter(await validity(fixture, now)).length,
  };
}
