import { grouped } from '../grouped.ts';
import { amountOf, idOf } from '../values.ts';
import { firstOfEach } from '../wordpress-meta.ts';
import type { StagedShop } from './gathered.ts';

/** A line, a shipment, a fee, a coupon or a tax of an order or a refund. */
export interface Item {
  readonly id: number;
  /** The id of its own order in the store; null for the first line. */
  readonly partId: number | null;
  readonly type: string;
  readonly name: string;
  readonly meta: ReadonlyMap<string, string>;
}

export function itemReader({ database }: StagedShop): (order: number) => Item[] {
  const select = database.prepare(
    `select i.order_item_id as id, p.id as part, order_item_type as type, order_item_name as name,
            meta_key, meta_value
       from woocommerce_order_items i
       left join woocommerce_order_itemmeta m on m.order_item_id = i.order_item_id
       left join part p on p.item_id = cast(i.order_item_id as integer)
      where i.order_id = ? order by cast(i.order_item_id as integer), m.rowid`,
  );
  return (order) => {
    const rows = select.all(String(order)) as Record<string, string | number | null>[];
    return [...grouped(rows, ({ id }) => id)].map((same) => {
      const [first] = same;
      return {
        id: Number(first?.['id']),
        partId: first?.['part'] == null ? null : Number(first['part']),
        type: String(first?.['type']),
        name: String(first?.['name'] ?? ''),
        meta: firstOfEach(
          same.map((row) => [String(row['meta_key'] ?? ''), String(row['meta_value'] ?? '')]),
        ),
      };
    });
  };
}

/** An amount of an item, in the smallest unit of the currency; 0 if it has none. */
export const amountIn = ({ meta }: Item, key: string, exponent: number): number =>
  amountOf(meta.get(key) ?? null, exponent)?.units ?? 0;

/** Returns the amount of an item with its tax. */
export const grossOf = (item: Item, exponent: number): number =>
  item.type === 'shipping'
    ? amountIn(item, 'cost', exponent) + amountIn(item, 'total_tax', exponent)
    : amountIn(item, '_line_total', exponent) + amountIn(item, '_line_tax', exponent);

/** The product of a line; 0 without one. */
export const productIn = ({ meta }: Item): number => idOf(meta.get('_product_id')) ?? 0;

/** The variation of a line, or its product; 0 without one. */
export const soldIn = (item: Item): number =>
  idOf(item.meta.get('_variation_id')) ?? productIn(item);
