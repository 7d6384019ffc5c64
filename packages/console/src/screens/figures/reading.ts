import { useQueries } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { OrderStatus } from '../../api/generated.ts';
import { useMay } from '../../context/session.ts';
import type { Period } from '../../lib/periods.ts';

/** Filters of the figures, besides the days. */
export interface Narrowing {
  readonly product_id?: number | undefined;
  readonly affiliate_id?: number | undefined;
  /** The code of a coupon. */
  readonly search?: string | undefined;
}

export interface Totals {
  readonly placed: number;
  readonly sold: number;
  readonly quantity: number;
  readonly gross: number;
  readonly refunded: number;
  readonly net: number;
}

/** The statuses of sold orders: paid, to be paid on delivery, or refunded in full. */
const sold: readonly OrderStatus[] = ['in-progress', 'shipping', 'completed', 'refunded'];

async function totalsOf(
  { from, to }: Period,
  narrowing: Narrowing,
  signal: AbortSignal,
): Promise<Totals> {
  const query = { ...narrowing, date_start: from, date_end: to };
  const [count, ...sums] = await Promise.all([
    api.orders.count(query, { signal }),
    ...sold.map((status) => api.orders.sum({ ...query, status }, { signal })),
  ]);
  const amounts = sums.flatMap(({ data }) => data.sums);
  const sum = (name: 'quantity' | 'grand_total' | 'refunded_total' | 'net_total') =>
    amounts.reduce((total, { [name]: amount }) => total + amount, 0);
  return {
    placed: count.data.count,
    sold: sold.reduce((total, status) => total + count.data.by_status[status], 0),
    quantity: sum('quantity'),
    gross: sum('grand_total'),
    refunded: sum('refunded_total'),
    net: sum('net_total'),
  };
}

/** The totals of both periods; undefined until they are read. */
export function useTotals(periods: readonly [Period, Period], narrowing: Narrowing) {
  const [now, before] = useQueries({
    queries: periods.map((period) => ({
      queryKey: ['figures', 'totals', period, narrowing],
      queryFn: ({ signal }: { signal: AbortSignal }) => totalsOf(period, narrowing, signal),
    })),
  });
  return {
    totals: now?.data && before?.data && ([now.data, before.data] as const),
    error: now?.error ?? before?.error ?? null,
  };
}

/** The revenue of a product or affiliate in both periods. */
export interface Ranked {
  readonly id: number;
  readonly name: string;
  readonly now: number;
  readonly before: number;
}

interface Row {
  readonly id: number;
  readonly name: string;
  readonly revenue: number;
}

/** Joins the rows of two periods, the highest present revenue first. */
function joined([now, before]: readonly (readonly Row[])[]): readonly Ranked[] {
  const rows = new Map<number, Ranked>();
  for (const { id, name, revenue } of now ?? [])
    rows.set(id, { id, name, now: revenue, before: 0 });
  for (const { id, name, revenue } of before ?? [])
    rows.set(id, { id, name, now: rows.get(id)?.now ?? 0, before: revenue });
  return [...rows.values()].sort((a, b) => b.now - a.now || b.before - a.before);
}

type Read = (period: Period, signal: AbortSignal) => Promise<readonly Row[]>;

function useRanked(
  name: string,
  periods: readonly [Period, Period],
  narrowing: Narrowing,
  isRead: boolean,
  read: Read,
): readonly Ranked[] | undefined {
  const answers = useQueries({
    queries: periods.map((period) => ({
      queryKey: ['figures', name, period, narrowing],
      queryFn: ({ signal }: { signal: AbortSignal }) => read(period, signal),
      enabled: isRead,
    })),
  });
  const pages = answers.flatMap(({ data }) => (data ? [data] : []));
  return pages.length === 2 ? joined(pages) : undefined;
}

/** The revenue of each product, if no other filter is set. */
export const useProductsSold = (periods: readonly [Period, Period], narrowing: Narrowing) =>
  useRanked(
    'products',
    periods,
    narrowing,
    Object.values(narrowing).every((value) => value === undefined),
    async ({ from, to }, signal) =>
      (await api.products.figures({ date_start: from, date_end: to }, { signal })).data.map(
        ({ product_id, title, revenue }) => ({ id: product_id, name: title, revenue }),
      ),
  );

/** The revenue of each affiliate, for one product or all. */
export function useAffiliatesSold(periods: readonly [Period, Period], narrowing: Narrowing) {
  const may = useMay();
  const { product_id, affiliate_id, search } = narrowing;
  const isRead = may('affiliates:read') && affiliate_id === undefined && search === undefined;
  return useRanked('affiliates', periods, narrowing, isRead, async ({ from, to }, signal) => {
    const query = { calculate: 'revenue', date_start: from, date_end: to, limit: 100 } as const;
    const { data } = await api.affiliates.leaderboard({ ...query, product_id }, { signal });
    return data.map(({ id, name, raw_total }) => ({ id, name, revenue: raw_total }));
  });
}
