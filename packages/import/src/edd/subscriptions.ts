import { type Instant, accessGrants, subscriptionTerms } from '../../../../src/exports/store.ts';
import { type MappedRow, type Refusal, because, insertInto, mapped } from '../mapped.ts';
import { type ForeignOrder, ordersIn, withoutOrder } from '../records/order.ts';
import { isSameSpan } from '../records/recurrence.ts';
import { activationOf, boughtBy, lastingOn, subscriptionRows } from '../records/subscription.ts';
import type { StagedRow } from '../source.ts';
import { entryOf, isTruthy, utcOf } from '../values.ts';
import { isCompleted, isKept, keptRows } from './ends.ts';
import type { ReadOrder } from './order.ts';
import { orderReader } from './orders.ts';
import type { Context, EddStep, Plan } from './plan.ts';
import { presentTermReader } from './products.ts';
import { periods } from './recurrence.ts';
import { renewalsReader } from './renewals.ts';
import type { edd } from './source.ts';

type Row = StagedRow<typeof edd, 'edd_subscriptions'>;

/**
 * Imports subscriptions as access until the end of the paid time. The gateway goes on charging the buyer's card, unless
 * it was cancelled or has ended: the report has the gateway's id of the subscription. It names the first order by the
 * subscription's id, and a renewal by that id and its own.
 */
export const subscriptionsStep: EddStep = {
  entity: 'subscriptions',
  ids: [{ entity: 'subscriptions', table: 'edd_subscriptions' }],
  *map(context) {
    const chainOf = chainReader(context);
    const renewsAlike = renewalTest(context);
    const done = new Set<number>();
    const rows = context.staging.database
      .prepare('select * from edd_subscriptions order by rowid')
      .iterate() as Iterable<unknown> as Iterable<Row>;
    for (const row of rows) {
      const { links, lost } = chainOf(row);
      for (const { name, ...refusal } of lost) yield mapped('subscriptions', name, refusal);
      const root = links[0]?.order.id;
      if (root === undefined) continue;
      if (done.has(root))
        for (const { name } of links)
          yield mapped('subscriptions', name, { refusal: 'joined', outcome: 'left-out' });
      else {
        const facts = { isPart: lost.length > 0, renewsAlike: renewsAlike(row, links) };
        yield* chainRows(row, links, facts, context);
      }
      done.add(root);
    }
  },
};

/** An order of a chain, with its name in the report. */
interface Link {
  readonly name: string;
  /** The id of the shop's order. */
  readonly id: number;
  readonly order: ForeignOrder;
}

/** The orders of a subscription, in the order in which they were placed. */
interface Chain {
  readonly links: readonly Link[];
  /** Orders that aren't imported. */
  readonly lost: readonly ({ readonly name: string } & Refusal)[];
}

function chainReader({ staging, plan }: Context): (row: Row) => Chain {
  const read = orderReader(staging, plan);
  const renewalsOf = renewalsReader(staging);
  return (row) => {
    const first = read(row.parent_payment_id ?? '');
    const begun = first && 'orders' in first ? first.subscribed.get(row.id ?? '') : undefined;
    const members = [
      ...(first ? [{ id: Number(row.parent_payment_id), found: first, order: begun }] : []),
      ...renewalsOf(Number(row.id)).map((id) => {
        const found = read(String(id));
        return { id, found, order: ordersIn(found)[0] };
      }),
    ];
    if (members.length === 0)
      return { links: [], lost: [{ name: row.id ?? '', refusal: 'order-missing' }] };
    const named = members.map((member, i) => ({
      ...member,
      name: i === 0 ? (row.id ?? '') : `${row.id}-${member.id}`,
    }));
    return {
      links: named.flatMap(({ name, id, order }) => (order ? { name, id, order } : [])),
      lost: named.flatMap(({ name, found, order }) =>
        order ? [] : { name, refusal: refusalOf(found) },
      ),
    };
  };
}

/** An order that was imported without the subscription's product counts as gone. */
const refusalOf = (found: ReadOrder | undefined) =>
  found && 'orders' in found ? 'order-missing' : withoutOrder(found);

/** Statuses of subscriptions that the gateway no longer charges. */
const endedStatuses = new Set(['cancelled', 'expired', 'completed']);

/**
 * Returns who cancelled a subscription, and when. The shop keeps no time: it was before now, and before the end. The
 * store cancels one whose payments are all made, and one that would renew for another period.
 */
function cancellation(
  row: Row,
  { now, isForGood, renewsAlike }: { now: Instant; isForGood: boolean; renewsAlike: boolean },
) {
  const isByMember = row.status === 'cancelled';
  const isOver = isByMember || isCompleted(row);
  if (isForGood || (!isOver && renewsAlike)) return { cancelledAt: null };
  const end = utcOf(row.expiration);
  return {
    cancelledAt: isOver && end !== null && end < now ? end : now,
    cancelledBy: isByMember ? ('member' as const) : ('store' as const),
  };
}

/** Returns a function that tells if a subscription's own period is the one for which its product renews. */
function renewalTest(context: Context): (row: Row, links: readonly Link[]) => boolean {
  const termOf = presentTermReader(context);
  return ({ period }, links) => {
    const [span, first] = [entryOf(periods, period), links[0]];
    return span !== undefined && !!first && isSameSpan(span, termOf(first.order.productId));
  };
}

/** Compares the end of a subscription's access with the shop's. */
const endFacts = (row: Row, plan: Plan) => ({
  'paid-in-full': isKept(row, plan),
  'paid-until-end': isCompleted(row) && !plan.keepsCompleted,
  'downloads-end': !isCompleted(row) && plan.keepsDownloads,
});

const month = { duration: 1, period: 'monthly' } as const;

/** Imports the terms of a chain's orders; the first row also writes the subscription. */
function* chainRows(
  row: Row,
  links: readonly Link[],
  { isPart, renewsAlike }: { readonly isPart: boolean; readonly renewsAlike: boolean },
  { now, plan }: Context,
): Generator<MappedRow> {
  const end = utcOf(row.expiration);
  const span = entryOf(periods, row.period) ?? month;
  const [first] = links;
  if (!first) return;
  const isPaid = links.some(({ order }) => activationOf(order) !== null);
  const isForGood = isPaid && isKept(row, plan);
  // Access for good is given to the buyer of the last payment only.
  const owner = links.findLast(({ order }) => activationOf(order) !== null)?.order.userId;
  const isCharged = !endedStatuses.has(row.status ?? '') && (row.profile_id ?? '') !== '';
  const bought = lastingOn(
    links.map(({ order }, i) => {
      const next = links.slice(i + 1).flatMap((link) => activationOf(link.order) ?? [])[0];
      const one = boughtBy(order, { ...span, type: order.type, until: next ?? end });
      const counts = one.term.activated_at !== null;
      const reasons = because({
        'charged-elsewhere': i === 0 && isCharged,
        // It ends after a number of payments.
        'no-counterpart': i === 0 && isTruthy(row.bill_times ?? '') && !isCompleted(row),
        'renews-otherwise': i === 0 && !renewsAlike && !isForGood,
        ...(i === 0 && isPaid && endFacts(row, plan)),
        'several-products': first.order.id !== first.id,
        'parent-missing': String(first.id) !== row.parent_payment_id,
        'renewal-missing': isPart,
        'other-buyer': order.userId !== (isForGood ? owner : first.order.userId),
        'not-paid': !counts,
        'date-unknown': counts && !end,
      });
      return { ...one, reasons };
    }),
  );
  const made = subscriptionRows(first.order.id, Number(row.id), bought, {
    now,
    ...cancellation(row, { now, isForGood, renewsAlike }),
  });
  const chain = links.map(({ order }) => order);
  const whole = isForGood ? keptRows(chain, bought, span, made) : made;
  // Manually revoked access stays revoked.
  const rows = whole.filter(({ table }) => table !== accessGrants || !first.order.revokedAt);
  for (const [i, { order, term, reasons }] of bought.entries())
    yield mapped('subscriptions', links[i]?.name ?? '', {
      rows: [insertInto(subscriptionTerms, term), ...(i > 0 ? [] : rows)],
      targets: [order.id],
      reasons,
      detail: i === 0 && isCharged ? (row.profile_id ?? undefined) : undefined,
    });
}
