import type { Instant } from '../../../lib/instant.ts';
import { type OrderType, orderTypes } from '../../../schema/lists.ts';
import { subscriptionTerms, subscriptions } from '../../../schema/subscriptions.ts';
import { grouped } from '../grouped.ts';
import {
  type Mapped,
  type StepContext,
  imported,
  insertInto,
  without,
  withReasons,
} from '../mapped.ts';
import type { Reason } from '../reasons.ts';
import type { ForeignOrder } from '../records/order.ts';
import { type Term, boughtBy, subscriptionRows } from '../records/subscription.ts';
import type { StagedRow } from '../source.ts';
import { idOf, isStrangeId, localOf } from '../values.ts';
import { metaReader } from '../wordpress-meta.ts';
import { orderReader, rootReader } from './orders.ts';
import type { Plan } from './plan.ts';
import { termOf } from './products.ts';
import type { sejoli } from './source.ts';

type Context = StepContext<typeof sejoli, Plan>;
type Row = StagedRow<typeof sejoli, 'sejolisa_subscriptions'>;

/** What each subscription order bought, chain by chain; the end of each stays what it was. */
export function* subscriptionsStep(context: Context): Generator<Mapped> {
  const { staging, plan, numbers } = context;
  const read = orderReader(staging, plan);
  const metaOf = metaReader(staging, 'postmeta', 'post_id');
  for (const rows of chainsOf(context)) {
    const chain = new Chain();
    for (const row of rows) {
      const id = row.ID ?? '';
      numbers.above(subscriptions, Number(id));
      const found = read(row.order_id ?? '');
      if (!found || 'refusal' in found)
        yield without(
          'subscriptions',
          id,
          'refused',
          found ? 'order-not-imported' : 'order-missing',
        );
      else if (chain.has(found.order.id)) yield without('subscriptions', id, 'left-out', 'joined');
      else {
        const type = typeOf(found.order, row);
        const span = termOf(metaOf(found.order.productId), type === 'subscription-tryout');
        chain.add(found.order, Number(id), {
          ...span,
          type,
          until: localOf(row.end_date, plan.timezone),
          saidRoot: isStrangeId(row.order_parent_id)
            ? null
            : (idOf(row.order_parent_id) ?? found.order.id),
        });
      }
    }
    yield* chain.mapped(context.now);
  }
}

/** The rows of each chain, by its first order: that of the orders, whatever the rows say. */
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

/** The orders of a chain, and what they come to together. */
class Chain {
  readonly #bought: {
    readonly order: ForeignOrder;
    readonly id: number;
    readonly term: Term;
    readonly reasons: readonly Reason[];
  }[] = [];

  has(orderId: number): boolean {
    return this.#bought.some(({ order }) => order.id === orderId);
  }

  add(
    order: ForeignOrder,
    id: number,
    {
      until,
      saidRoot,
      ...term
    }: Pick<Term, 'type' | 'duration' | 'period'> & {
      until: Instant | null;
      saidRoot: number | null;
    },
  ): void {
    const { term: row } = boughtBy(order, { ...term, until });
    const reasons: Reason[] = [
      ...(row.activated_at ? [] : (['not-paid'] as const)),
      ...(row.activated_at && !until ? (['date-unknown'] as const) : []),
      ...(saidRoot === row.first_order_id ? [] : (['value-impossible'] as const)),
    ];
    this.#bought.push({ order, id, term: row, reasons });
  }

  /** The reported rows; the first has what is of all of them. */
  *mapped(now: Instant): Generator<Mapped> {
    for (const [i, { order, id, term, reasons }] of this.#bought.entries()) {
      const rows = [insertInto(subscriptionTerms, term)];
      const whole = i === 0 ? subscriptionRows(term.first_order_id, id, this.#bought, now) : [];
      yield withReasons(imported('subscriptions', id, [order.id], [...rows, ...whole]), reasons);
    }
  }
}
