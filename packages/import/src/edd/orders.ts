import { sellerReader } from '../affiliatewp/affiliates.ts';
import type { ImportedRow, Refusal } from '../mapped.ts';
import { mentionedIds } from '../mentions.ts';
import { type ForeignOrder, orderMade, ordersIn } from '../records/order.ts';
import { FreeIds } from '../records/split.ts';
import { SaleValues } from '../sale-values.ts';
import { idOf } from '../values.ts';
import { metaReader } from '../wordpress-meta.ts';
import { buyerOf } from './buyers.ts';
import { codesOf } from './codes.ts';
import { type OrderContext, type ReadOrder, readOrder } from './order.ts';
import type { ItemRow, OrderRow } from './source.ts';
import { orderMentions } from './mentions.ts';
import { type Plan, type StagedShop, eachRow } from './plan.ts';
import { type Pricing, pricingOf } from './products.ts';
import type { RefundRow } from './refunds.ts';
import { renewalsReader } from './renewals.ts';

/** Imports orders, renewals after the orders that they renew. Refunds become part of their orders. */
export const ordersStep = eachRow({
  entity: 'orders',
  table: 'edd_orders',
  order: `type = 'refund', cast(id as integer) in (select order_id from renewal), cast(id as integer)`,
  reader({ staging, plan, numbers }) {
    const read = orderReader(staging, plan);
    return ({ id, type, parent }) => {
      if (type === 'refund') return refundMade(read(String(parent)), String(parent));
      // All other orders are sales.
      return orderMade(read(id ?? '') ?? { refusal: 'value-impossible' }, numbers);
    };
  },
});

const refundMade = (order: ReadOrder | undefined, detail: string): ImportedRow | Refusal =>
  ordersIn(order).length > 0
    ? { rows: [], targets: [], reasons: ['joined'], detail }
    : { refusal: 'order-not-imported', outcome: 'left-out', detail };

export function orderReader(
  staging: StagedShop,
  plan: Plan,
): (id: string) => ReadOrder | undefined {
  const { database } = staging;
  const select = database.prepare(`select * from edd_orders where id = ? and type = 'sale'`);
  const items = database.prepare(
    `select * from edd_order_items where order_id = ? order by cast(cart_index as integer), cast(id as integer)`,
  );
  const refundsOf = refundReader(staging);
  const couponOf = couponReader(staging);
  const subscribedTo = subscriptionReader(staging);
  const pricings = pricingReader(staging, plan);
  const partIds = idsOfParts(staging);
  const sellerOf = sellerReader(staging, plan.affiliates, 'edd');
  const transaction = database.prepare(
    `select transaction_id as id from edd_order_transactions
      where object_id = ? and object_type = 'order' and status = 'complete' limit 1`,
  );
  const firstWith = sharedNumbers(staging);
  const rootOf = rootReader(staging, (id) => read(id, null));
  const renews = database.prepare('select 1 from renewal where order_id = ?');
  return (id) => read(id, rootOf(id));

  function read(id: string, root: ForeignOrder | null): ReadOrder | undefined {
    const row = select.get(id) as OrderRow | undefined;
    if (!row) return undefined;
    const own = items.all(id) as unknown as ItemRow[];
    const { coupon, hasOtherCoupons } = couponOf(id);
    return readOrder(row, {
      plan,
      items: own,
      refunds: refundsOf(id),
      coupon,
      hasOtherCoupons,
      transaction: (transaction.get(id)?.['id'] as string | undefined) ?? null,
      userId: buyerOf(row, plan.buyers) ?? plan.buyers.ofOrder.get(Number(id)) ?? 0,
      affiliateId: sellerOf(id),
      renews: renews.get(Number(id)) !== undefined,
      root,
      isNumberTaken: (firstWith.get(row.order_number || id) ?? id) !== id,
      subscribed: subscribedTo(id),
      ids: [Number(id), ...(partIds.get(Number(id)) ?? [])],
      pricingOf: pricings,
    });
  }
}

/**
 * The first order of each repeated number. An order without a number has its id instead, which may be another's number.
 */
function sharedNumbers({ database }: StagedShop): ReadonlyMap<string, string> {
  const rows = database
    .prepare(
      `select number, cast(min(cast(id as integer)) as text) as id from (
         select id, coalesce(nullif(order_number, ''), id) as number from edd_orders where type = 'sale')
        group by 1 having count(*) > 1`,
    )
    .all();
  return new Map(rows.map(({ number, id }) => [String(number), String(id)]));
}

/** Ids for the second and later parts of orders with several products, near the order's id. */
function idsOfParts(staging: StagedShop): ReadonlyMap<number, readonly number[]> {
  const { database } = staging;
  const free = new FreeIds(mentionedIds(staging, orderMentions));
  const several = database
    .prepare(
      `select cast(i.order_id as integer) as id, count(*) as n from edd_order_items i
         join edd_orders o on o.id = i.order_id and o.type = 'sale'
        group by 1 having n > 1 order by 1`,
    )
    .iterate();
  const ids = new Map<number, number[]>();
  for (const { id, n } of several) {
    const own: number[] = [];
    for (let part = 1; part < Number(n); part++) own.push(free.after(own.at(-1) ?? Number(id)));
    ids.set(Number(id), own);
  }
  return ids;
}

function refundReader({ database }: StagedShop): (order: string) => RefundRow[] {
  const refunds = database.prepare(
    `select id, total, date_created from edd_orders
      where parent = ? and type = 'refund' and status = 'complete' order by cast(id as integer)`,
  );
  const items = database.prepare(
    'select parent as "itemId", total from edd_order_items where order_id = ?',
  );
  return (order) =>
    refunds.all(order).map((refund) => ({
      at: refund['date_created'] as string | null,
      total: refund['total'] as string | null,
      items: items.all(String(refund['id'])) as unknown as RefundRow['items'],
    }));
}

function couponReader(staging: StagedShop) {
  const codes = codesOf(staging);
  const select = staging.database.prepare(
    `select type_id, description from edd_order_adjustments
      where object_id = ? and object_type = 'order' and type = 'discount' order by cast(id as integer)`,
  );
  return (order: string) => {
    const [first, ...others] = select.all(order);
    const id = idOf(first?.['type_id'] as string | undefined);
    const code = id === null ? undefined : codes.get(id);
    const coupon = first
      ? { id: code === undefined ? null : id, code: code ?? String(first['description'] ?? '') }
      : null;
    return { coupon, hasOtherCoupons: others.length > 0 };
  };
}

function subscriptionReader({
  database,
}: StagedShop): (order: string) => OrderContext['subscribed'] {
  const select = database.prepare(
    `select id, product_id, price_id from edd_subscriptions where parent_payment_id = ?
      order by cast(id as integer)`,
  );
  return (order) => select.all(order) as unknown as OrderContext['subscribed'];
}

/**
 * Finds the first order of a renewal's chain: the part that its subscription began with or, without it, the first of
 * the renewals.
 * @param read reads an order, without its chain
 */
function rootReader(staging: StagedShop, read: (id: string) => ReadOrder | undefined) {
  const renewalsOf = renewalsReader(staging);
  const select = staging.database.prepare(
    `select subscription, parent, parent in (select order_id from renewal) as is_renewal
       from renewal where order_id = ?`,
  );
  return (id: string): ForeignOrder | null => {
    const own = select.get(Number(id));
    if (!own) return null;
    const subscription = Number(own['subscription']);
    const first = own['is_renewal'] ? undefined : read(String(own['parent']));
    const begun = first && 'orders' in first && first.subscribed.get(String(subscription));
    if (begun) return begun;
    for (const renewal of renewalsOf(subscription)) {
      if (renewal === Number(id)) break;
      const [order] = ordersIn(read(String(renewal)));
      if (order) return order;
    }
    return null;
  };
}

function pricingReader(staging: StagedShop, plan: Plan): (id: number) => Pricing {
  const metaOf = metaReader(staging, 'postmeta', 'post_id');
  const known = new Map<number, Pricing>();
  return (id) => {
    const pricing = known.get(id) ?? pricingOf(metaOf(id), new SaleValues(plan.exponent));
    known.set(id, pricing);
    return pricing;
  };
}
