import {
  type Instant,
  type OrderType,
  orderTypes,
  subscriptionTerms,
} from '../../../../src/exports/store.ts';
import { grouped } from '../grouped.ts';
import { type MappedRow, because, insertInto, mapped } from '../mapped.ts';
import type { Reason } from '../reasons.ts';
import { type ForeignOrder, ordersIn, withoutOrder } from '../records/order.ts';
import {
  type TermPurchase,
  type ReportedTerm,
  type Term,
  boughtBy,
  lastingOn,
  subscriptionRows,
} from '../records/subscription.ts';
import type { StagedRow } from '../source.ts';
import { idOf, isStrangeId, localOf } from '../values.ts';
import { metaReader } from '../wordpress-meta.ts';
import { orderReader, rootReader } from './orders.ts';
import type { Context, SejoliStep } from './plan.ts';
import { termOf } from './products.ts';
import type { sejoli } from './source.ts';

type Row = StagedRow<typeof sejoli, 'sejolisa_subscriptions'>;

/** Imports the terms of subscription orders, chain by chain. */
export const subscriptionsStep: SejoliStep = {
  entity: 'subscriptions',
  ids: [{ entity: 'subscriptions', table: 'sejolisa_subscriptions' }],
  *map(context) {
    const { staging, plan } = context;
    const read = orderReader(staging, plan);
    const metaOf = metaReader(staging, 'postmeta', 'post_id');
    for (const rows of chainsOf(context)) {
      const chain = new Chain();
      for (const row of rows) {
        const id = row.ID ?? '';
        const found = read(row.order_id ?? '');
        const [order] = ordersIn(found);
        if (!order) yield mapped('subscriptions', id, { refusal: withoutOrder(found) });
        else if (chain.has(order.id))
          yield mapped('subscriptions', id, { refusal: 'joined', outcome: 'left-out' });
        else {
          const type = typeOf(order, row);
          const span = termOf(metaOf(order.productId), type === 'subscription-tryout');
          chain.add(order, row, { ...span, type, ...endOf(row, context) });
        }
      }
      yield* chain.mapped(context.now);
    }
  },
};

/** Groups the rows by the chain of their orders, whatever parent a row names. */
function chainsOf({ staging, plan }: Context): Iterable<readonly Row[]> {
  const rootOf = rootReader(staging, plan);
  staging.database.function('root_of', { deterministic: true }, (id) => {
    const number = Number(id);
    return rootOf(number).rootId ?? number;
  });
  const rows = staging.database
    .prepare(
      `select *, root_of(order_id) as root from sejolisa_subscriptions
        order by root, cast(ID as integer)`,
    )
    .iterate() as Iterable<Row & { readonly root: number | null }>;
  return grouped(rows, ({ root }) => root);
}

const typeOf = ({ type }: ForeignOrder, row: Row): OrderType =>
  type === 'regular'
    ? (orderTypes.find((known) => known === `subscription-${row.type}`) ?? 'subscription-regular')
    : type;

interface End {
  readonly until: Instant | null;
  readonly isStopped: boolean;
}

/** A term that the shop switched off early ended at that time. */
function endOf(row: Row, { plan, now }: Context): End {
  const until = localOf(row.end_date, plan.timezone);
  if (row.status === 'active' || until === null || until <= now) return { until, isStopped: false };
  const stopped =
    localOf(row.updated_at, plan.timezone) ?? localOf(row.created_at, plan.timezone) ?? now;
  return { until: stopped < now ? stopped : now, isStopped: true };
}

function reasonsOf({ order, term }: TermPurchase, row: Row, { until, isStopped }: End): Reason[] {
  const saidRoot = isStrangeId(row.order_parent_id)
    ? null
    : (idOf(row.order_parent_id) ?? order.id);
  const counts = term.activated_at !== null;
  return because({
    'not-paid': !counts,
    'date-unknown': counts && !until,
    'term-stopped': counts && isStopped,
    'value-impossible': saidRoot !== term.first_order_id,
    'other-product': idOf(row.product_id) !== order.productId,
    'other-buyer': idOf(row.user_id) !== order.userId,
  });
}

class Chain {
  readonly #bought: (ReportedTerm & { readonly id: number })[] = [];

  has(orderId: number): boolean {
    return this.#bought.some(({ order }) => order.id === orderId);
  }

  add(
    order: ForeignOrder,
    row: Row,
    { isStopped, ...term }: Pick<Term, 'type' | 'duration' | 'period'> & End,
  ): void {
    const bought = boughtBy(order, term);
    const reasons = reasonsOf(bought, row, { until: term.until, isStopped });
    this.#bought.push({ ...bought, id: Number(row.ID), reasons });
  }

  /** The first row also writes the chain's subscription. */
  *mapped(now: Instant): Generator<MappedRow> {
    const bought = lastingOn(this.#bought);
    for (const [i, { order, id, term, reasons }] of bought.entries()) {
      const rows = [insertInto(subscriptionTerms, term)];
      const whole = i === 0 ? subscriptionRows(term.first_order_id, id, bought, { now }) : [];
      const all = [...rows, ...whole];
      yield mapped('subscriptions', id, { rows: all, targets: [order.id], reasons });
    }
  }
}
