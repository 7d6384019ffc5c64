import { sellerReader } from '../affiliatewp/affiliates.ts';
import { plainText } from '../html-text.ts';
import { type Entity, type ImportedRow, type Refusal, mapped } from '../mapped.ts';
import { type OwnIds, withoutIds } from '../own-ids.ts';
import { type ReadOrder, orderMade, ordersIn } from '../records/order.ts';
import { SaleValues } from '../sale-values.ts';
import { amountOf, idOf, utcOf } from '../values.ts';
import { readCoupons } from './coupon-lines.ts';
import { permissionReader } from './downloads.ts';
import { type StagedShop, type OrderRow, unknownProduct } from './gathered.ts';
import { grossOf, itemReader } from './items.ts';
import { type OrderContext, type Root, readOrder } from './order.ts';
import { addressReader } from './people.ts';
import { metaReader } from '../wordpress-meta.ts';
import { type Plan, type WooStep, ignoredStatuses } from './plan.ts';
import { numberReader } from './numbers.ts';
import { presentPriceReader } from './present.ts';
import { typeReader } from './products.ts';
import type { Refund } from './refunds.ts';
import { countersOf, ownStock, takenFrom } from './stock.ts';
import { readVariations } from './variations.ts';

/** Orders of some types: in tables of their own, or among the posts. */
export const orderIds = (entity: Entity, types: string): OwnIds[] => {
  const isInTables = `exists (select 1 from options
    where option_name = 'woocommerce_custom_orders_table_enabled' and option_value = 'yes')`;
  return [
    { entity, table: 'wc_orders', where: `type ${types} and ${isInTables}` },
    { entity, table: 'posts', where: `post_type ${types} and not ${isInTables}` },
  ];
};

/** Imports each line as an order. Refunds become part of their orders. */
export const ordersStep: WooStep = {
  entity: 'orders',
  ids: orderIds('orders', `in ('shop_order', 'shop_order_refund')`),
  *map({ staging, plan, numbers }) {
    const read = orderReader(staging, plan);
    const rows = staging.database
      .prepare(
        `select o.id, o.type, o.status, p.id as parent from shop_order o left join shop_order p on p.id = o.parent
          where o.type is not 'shop_subscription'
          order by o.id`,
      )
      .iterate();
    for (const { id, type, status, parent } of rows) {
      const made = () => {
        if (ignoredStatuses.includes(String(status))) return ignored;
        if (type === 'shop_order_refund')
          return refundMade(parent === null ? undefined : read(Number(parent)), String(parent));
        // The query leaves out subscriptions, so every row that is not a refund is a sale.
        return orderMade(read(Number(id)) ?? { refusal: 'value-impossible' }, numbers);
      };
      yield mapped('orders', Number(id), made());
    }
  },
};

export const ignored = { refusal: 'status-ignored', outcome: 'left-out' } as const;

function refundMade(order: ReadOrder | undefined, detail: string): ImportedRow | Refusal {
  if (!order) return { refusal: 'order-missing' };
  return 'orders' in order
    ? { rows: [], targets: [], reasons: ['joined'], detail }
    : { refusal: 'order-not-imported', outcome: 'left-out', detail };
}

export function orderReader(
  staging: StagedShop,
  plan: Plan,
): (id: number) => ReadOrder | undefined {
  const select = staging.database.prepare(
    `select * from shop_order where id = ? and type = 'shop_order'`,
  );
  const rootsOf = rootReader(staging, (id) => read(id, () => null));
  const strays = staging.database.prepare('select product from stray where order_id = ?');
  const sellerOf = sellerReader(staging, plan.affiliates, 'woocommerce');
  const itemsOf = itemReader(staging);
  const refundsOf = refundReader(staging, plan);
  const address = addressReader(staging, plan.isInTables);
  const lost = staging.database.prepare(
    `select 1 from ${withoutIds('woocommerce_order_items')} where order_id = ?`,
  );
  const coupons = readCoupons(staging);
  const variations = readVariations(staging, plan);
  const takenCounters = counterReader(staging, plan, variations);
  const presentOf = presentPriceReader(staging, plan, variations);
  const permissionsOf = permissionReader(staging);
  const numberOf = numberReader(staging, plan);
  const unknown = unknownProduct(staging);
  return (id) => read(id, rootsOf(id));

  function read(id: number, rootOf: OrderContext['rootOf']): ReadOrder | undefined {
    const row = select.get(id) as unknown as OrderRow | undefined;
    if (!row) return undefined;
    const items = itemsOf(id);
    const isSent = items.some(({ type }) => type === 'shipping');
    const shipping = isSent ? address(id, 'shipping') : new Map<string, string>();
    return readOrder(row, {
      plan,
      items,
      refunds: refundsOf(id),
      hasLostItems: lost.get(String(id)) !== undefined,
      address: isSent && !shipping.get('address_1') ? address(id, 'billing') : shipping,
      unknownProduct: unknown,
      affiliateId: sellerOf(String(id)),
      rootOf,
      strays: new Set(strays.all(id).map(({ product }) => Number(product))),
      variations,
      surchargeOf: (line) => presentOf(line).surcharge,
      countersOf: takenCounters,
      permissionOf: permissionsOf(id),
      number: numberOf(id),
      couponOf: (line) => {
        const id = coupons.named(line) ?? null;
        const known = id === null ? undefined : coupons.codeOf.get(id);
        return { id, code: known ?? plainText(line.code).toUpperCase().slice(0, 40) };
      },
    });
  }
}

/** Finds the counter that the shop takes units from: the variation's own, otherwise the product's. */
function counterReader(
  staging: StagedShop,
  plan: Plan,
  variations: OrderContext['variations'],
): OrderContext['countersOf'] {
  const metaOf = metaReader(staging, 'postmeta', 'post_id');
  const typeOf = typeReader(staging);
  const byProduct = Map.groupBy(variations.values(), ({ productId }) => productId);
  const stocks = new Map<number, ReturnType<typeof read>>();
  const read = (product: number) => {
    const values = new SaleValues(plan.exponent);
    const own = ownStock(metaOf(product), plan, values);
    const sold = typeOf(product).startsWith('variable') ? (byProduct.get(product) ?? []) : [];
    return { isManaged: own.isManaged, counters: countersOf(sold, values, () => own) };
  };
  return (product, variation) => {
    const stock = stocks.get(product) ?? read(product);
    stocks.set(product, stock);
    return takenFrom(stock, variation === null ? undefined : variations.get(variation));
  };
}

/**
 * Finds the order that each line of an order renews: the first imported one of its chain that has the subscription's
 * present variation and quantity, since the renewals of a chain repeat its root. Without one it is the first of all.
 * @param read reads an order, without its chains
 */
function rootReader({ database }: StagedShop, read: (id: number) => ReadOrder | undefined) {
  const select = database.prepare(
    `select c.product, c.part, f.order_id as first, f.part as root from chain c
       join chain f on f.subscription = c.subscription and f.n = c.n
      where c.order_id = ? order by c.part, f.is_present desc, f.order_id`,
  );
  return (id: number): OrderContext['rootOf'] => {
    const byPart = new Map<number, Root>();
    const byProduct = new Map<number, Root>();
    for (const row of select.all(id)) {
      const [product, part, first, root] = ['product', 'part', 'first', 'root'].map((name) =>
        Number(row[name]),
      ) as [number, number, number, number];
      if (byPart.has(part)) continue;
      if (first !== id && !ordersIn(read(first)).some((one) => one.id === root)) continue;
      const found = { id: root, isLater: first > id };
      byPart.set(part, found);
      if (!byProduct.has(product)) byProduct.set(product, found);
    }
    // Several lines of a subscribed product are one subscription, unless each has its own.
    return (part, product) => byPart.get(part) ?? byProduct.get(product) ?? null;
  };
}

/** Reads the refunds of an order, the oldest first. */
function refundReader(
  staging: StagedShop,
  { exponent, isInTables }: Plan,
): (order: number) => Refund[] {
  const itemsOf = itemReader(staging);
  const [meta, key] = isInTables ? ['wc_orders_meta', 'order_id'] : ['postmeta', 'post_id'];
  const metaOf = (name: string) =>
    `(select meta_value from ${meta} where ${key} = cast(o.id as text) and meta_key = '${name}' limit 1)`;
  const select = staging.database.prepare(
    `select o.id, o.total, o.created, o.updated,
            ${metaOf('_refund_amount')} as said, ${metaOf('_refund_reason')} as reason
       from shop_order o where o.parent = ? and o.parent > 0 and o.type = 'shop_order_refund'
        and o.status <> 'trash' order by o.created, o.id`,
  );
  return (order) =>
    (select.all(order) as Record<string, string | null>[]).map((row) => {
      const [total, said] = [row['total'], row['said']].map((text) =>
        amountOf(text ?? null, exponent),
      );
      const amount = Math.max(0, -(total?.units ?? 0));
      const named = itemsOf(Number(row['id'])).flatMap((item) => {
        const line = idOf(item.meta.get('_refunded_item_id'));
        return line === null ? [] : [[line, -grossOf(item, exponent)] as const];
      });
      return {
        at: utcOf(row['created'] ?? null) ?? utcOf(row['updated'] ?? null) ?? '',
        amount,
        isRounded: (total?.rounded ?? false) || (said?.rounded ?? false),
        isTold: said?.units === amount,
        reason: row['reason'] || null,
        named: new Map(named),
      };
    });
}
