import {
  type Instant,
  addPeriod,
  orders,
  subscriptionChanges,
  subscriptions,
  subscriptionTerms,
} from '../../../../src/exports/store.ts';
import { grouped } from '../grouped.ts';
import { type ChangedRow, type MappedRow, because, change, insertInto, mapped } from '../mapped.ts';
import type { Numbers } from '../numbers.ts';
import { type ForeignOrder, ordersIn } from '../records/order.ts';
import { type Span, isSameSpan } from '../records/recurrence.ts';
import {
  type ReportedTerm,
  boughtBy,
  isRunning,
  lastingOn,
  paidActivationOf,
  pausedRows,
  subscriptionRows,
} from '../records/subscription.ts';
import { utcOf } from '../values.ts';
import { metaReader } from '../wordpress-meta.ts';
import type { StagedShop } from './gathered.ts';
import { ignored, orderIds, orderReader } from './orders.ts';
import { type Plan, type WooStep, ignoredStatuses } from './plan.ts';
import { presentTermReader } from './present.ts';
import { spanOf } from './recurrence.ts';
import { type RenewalPrice, renewalPriceReader } from './renewals.ts';
import { readVariations } from './variations.ts';

type Row = Readonly<Record<'id', number>> &
  Readonly<Record<'status' | 'gateway' | 'updated', string | null>>;

/**
 * Imports subscriptions as access until the end of the paid time. The gateway goes on charging the buyer's card. The
 * report names the first order by the subscription's id, and a renewal by that id and its own.
 */
export const subscriptionsStep: WooStep = {
  entity: 'subscriptions',
  ids: orderIds('subscriptions', `is 'shop_subscription'`),
  *map(context) {
    const { staging, plan, numbers, now } = context;
    const chainsOf = chainReader(staging, plan);
    const variations = readVariations(staging, plan);
    const priceOf = renewalPriceReader(staging, plan, variations);
    const termOf = presentTermReader(staging, plan, variations);
    const metaOf = plan.isInTables
      ? metaReader(staging, 'wc_orders_meta', 'order_id')
      : metaReader(staging, 'postmeta', 'post_id');
    const rows = staging.database
      .prepare(`select * from shop_order where type = 'shop_subscription' order by id`)
      .iterate() as Iterable<unknown> as Iterable<Row>;
    for (const row of rows) {
      if (ignoredStatuses.includes(row.status ?? '')) {
        yield mapped('subscriptions', row.id, ignored);
        continue;
      }
      const chains = chainsOf(row.id);
      if (!chains.some(({ n }) => n === 1))
        yield mapped('subscriptions', row.id, { refusal: 'order-missing' });
      const meta = metaOf(row.id);
      for (const chain of chains) {
        for (const order of chain.lost)
          yield mapped('subscriptions', nameOf(row, chain, order), {
            refusal: 'order-not-imported',
          });
        if (chain.links.length === 0) continue;
        const id = chain.n === 1 ? row.id : numbers.next(subscriptions);
        const isAlike = renewsAlike(chain, ownSpan(meta), termOf);
        const renewal = isAlike ? priceOf(row.id, chain.item) : undefined;
        yield* chainRows(row, chain, meta, { id, now, numbers, renewal });
      }
    }
  },
};

/** The report's name of an order of a chain. */
function nameOf(row: Row, { n, links, lost }: Chain, order: number): string {
  const name = n === 1 ? String(row.id) : `${row.id}.${n}`;
  return order === (links[0]?.id ?? lost[0]) ? name : `${name}-${order}`;
}

/** Imports the terms of a chain's orders; the first row also writes the subscription. */
function* chainRows(
  row: Row,
  chain: Chain,
  meta: ReadonlyMap<string, string>,
  { id, now, numbers, renewal }: Made & { readonly numbers: Numbers },
): Generator<MappedRow> {
  const { links } = chain;
  const bought = lastingOn(termsOf(row, chain, meta, now));
  const isSuspended = waiting.includes(row.status ?? '') && isRunning(bought, now);
  const isCharged = row.status === 'wc-active' && (row.gateway ?? '') !== '';
  const whole = wholeRows(row, bought, meta, { id, now, renewal });
  const pause = () => pausedRows(whole, numbers.next(subscriptionChanges), bought, now);
  const reasons = [
    ...because({
      'charged-elsewhere': isCharged,
      suspended: isSuspended,
      'renews-otherwise': renewal === undefined,
    }),
    ...(renewal?.reasons ?? []),
  ];
  for (const [i, one] of bought.entries()) {
    const isFirst = i === 0;
    const own = isFirst ? (isSuspended ? pause() : whole) : [];
    yield mapped('subscriptions', nameOf(row, chain, links[i]?.id ?? 0), {
      rows: [insertInto(subscriptionTerms, one.term), ...parentRows(links[i]), ...own],
      targets: [one.order.id],
      reasons: [...(isFirst ? reasons : []), ...one.reasons],
      detail: isFirst && isCharged ? (row.gateway ?? undefined) : undefined,
    });
  }
}

/**
 * Tells if the renewals of a chain are the subscription's own: they repeat the root of the chain, for the present term of
 * its product.
 */
const renewsAlike = (
  { links }: Chain,
  span: Span | undefined,
  termOf: (product: number) => Span,
): boolean =>
  links.some(
    ({ order, isPresent }) =>
      order.rootId === null &&
      isPresent &&
      span !== undefined &&
      isSameSpan(span, termOf(order.productId)),
  );

/** The period that a subscription is charged for, whatever its product has today; undefined if it is unknown. */
const ownSpan = (meta: ReadonlyMap<string, string>): Span | undefined =>
  spanOf(meta.get('_billing_period'), meta.get('_billing_interval'));

interface Made {
  readonly id: number;
  readonly now: Instant;
  /** Undefined if the renewals would be others than in the shop: the subscription then ends with its paid time. */
  readonly renewal: RenewalPrice | undefined;
}

function wholeRows(
  row: Row,
  bought: readonly ReportedTerm[],
  meta: ReadonlyMap<string, string>,
  { id, now, renewal }: Made,
) {
  const root = bought[0]?.term.first_order_id ?? 0;
  const cancelledAt = cancellationOf(row, meta, now);
  return subscriptionRows(root, id, bought, {
    now,
    ...(renewal
      ? { cancelledAt, nextPrice: renewal.nextPrice }
      : { cancelledAt: cancelledAt ?? now, cancelledBy: 'store' }),
  });
}

/** Names the root of orders that were placed before it. */
const parentRows = (link: Link | undefined): ChangedRow[] =>
  (link?.parts ?? []).map(({ id, rootId }) => change(orders, id, { order_parent_id: rootId }));

/** Statuses in which a subscription gives no access, and may again. */
const waiting = ['wc-on-hold', 'wc-pending'];

/** Statuses in which a subscription may still give access. */
const lasting = ['wc-active', 'wc-pending-cancel', ...waiting];

const month = { duration: 1, period: 'monthly' } as const;

function termsOf(
  row: Row,
  { links, lost, isOther }: Chain,
  meta: ReadonlyMap<string, string>,
  now: Instant,
): ReportedTerm[] {
  const { end, isStopped } = endOf(row, meta, now);
  const span = ownSpan(meta) ?? month;
  return links.map(({ order }, i) => {
    const activatedAt = paidActivationOf(order);
    const until = endBefore(links.slice(i + 1), span, end);
    const counts = activatedAt !== null;
    const reasons = because({
      'renewal-missing': lost.length > 0,
      'other-product': isOther,
      'other-buyer': order.userId !== links[0]?.order.userId,
      'not-paid': !counts,
      'date-unknown': counts && !end,
      'term-stopped': counts && isStopped,
    });
    return {
      ...boughtBy(order, { ...span, type: 'subscription-regular', until, activatedAt }),
      reasons,
    };
  });
}

/**
 * Returns the end of a term before some other orders: the shop's end without the terms of the renewals among them, but
 * no earlier than the next of them. A switch pays for no time of its own.
 */
function endBefore(
  later: readonly Link[],
  { duration, period }: Span,
  end: Instant | null,
): Instant | null {
  const paid = later.filter(({ order }) => paidActivationOf(order));
  const [next] = paid;
  if (!next) return end;
  const begins = paidActivationOf(next.order);
  const renewed = paid.filter(({ isSwitch }) => !isSwitch).length * duration;
  // An end so far back is before any order.
  const before = end && renewed < 100_000 ? addPeriod(end, -renewed, period, 'UTC') : null;
  return before && begins && before > begins ? before : begins;
}

/** An order of a chain, and the id of the shop's order that it comes from. */
interface Link {
  readonly id: number;
  readonly order: ForeignOrder;
  /** All orders of the shop's order that were placed before the root of this chain. */
  readonly parts: readonly ForeignOrder[];
  /** True if it has the variation and quantity of the subscription's own line. */
  readonly isPresent: boolean;
  /** True if it changed the product or its variant while a term was running. */
  readonly isSwitch: boolean;
}

/**
 * Returns the end of the paid time: the next payment, while one is expected. A subscription in any other status gives no
 * access, whatever its end says.
 */
function endOf(
  { status, updated }: Row,
  meta: ReadonlyMap<string, string>,
  now: Instant,
): { end: Instant | null; isStopped: boolean } {
  const [next, stop] = ['_schedule_next_payment', '_schedule_end'].map((key) =>
    utcOf(meta.get(key) ?? null),
  );
  const goesOn = status === 'wc-active' || waiting.includes(status ?? '');
  const end = (goesOn ? (next ?? stop) : (stop ?? next)) ?? null;
  if (lasting.includes(status ?? '') || end === null || end <= now)
    return { end, isStopped: false };
  const stopped = utcOf(updated) ?? now;
  return { end: stopped < now ? stopped : now, isStopped: true };
}

/** Returns the time at which a subscription was cancelled, at once or for the end of its term; null if it wasn't. */
function cancellationOf(
  { status, updated }: Row,
  meta: ReadonlyMap<string, string>,
  now: Instant,
): Instant | null {
  if (status !== 'wc-pending-cancel' && status !== 'wc-cancelled') return null;
  return utcOf(meta.get('_schedule_cancelled') ?? null) ?? utcOf(updated) ?? now;
}

/** The orders of a subscription's product, in the order in which they were placed. */
interface Chain {
  /** The number of the product within the subscription, from 1. */
  readonly n: number;
  /** The id of the subscription's own line. */
  readonly item: number;
  /** True if the subscription has another product than these orders. */
  readonly isOther: boolean;
  readonly links: readonly Link[];
  /** Ids of the shop's orders that aren't imported. */
  readonly lost: readonly number[];
}

/** Reads the orders of a subscription, product by product. */
function chainReader(staging: StagedShop, plan: Plan): (subscription: number) => Chain[] {
  const read = orderReader(staging, plan);
  const select = staging.database.prepare(
    'select n, item_id, is_other, is_present, is_switch, order_id, part from chain where subscription = ? order by n, order_id',
  );
  return (subscription) =>
    [...grouped(select.all(subscription), ({ n }) => n)].map((rows) => {
      const links = rows.flatMap(({ order_id, part, is_present, is_switch }): Link[] => {
        const found = ordersIn(read(Number(order_id)));
        const order = found.find(({ id }) => id === part);
        if (!order) return [];
        const parts = found.filter(
          (one) => one.isBeforeRoot && one.rootId !== null && one.rootId === order.rootId,
        );
        const [isPresent, isSwitch] = [is_present === 1, is_switch === 1];
        return [{ id: Number(order_id), order, parts, isPresent, isSwitch }];
      });
      const kept = new Set(links.map(({ id }) => id));
      return {
        n: Number(rows[0]?.['n']),
        item: Number(rows[0]?.['item_id']),
        isOther: rows[0]?.['is_other'] === 1,
        links,
        lost: rows.flatMap(({ order_id }) => (kept.has(Number(order_id)) ? [] : Number(order_id))),
      };
    });
}
