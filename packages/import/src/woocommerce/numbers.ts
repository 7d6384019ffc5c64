import type { StagedShop } from './gathered.ts';
import type { Plan } from './plan.ts';

/** The number by which its buyer knows an order. */
export interface OrderNumber {
  readonly number: string;
  /** True if another order has the shop's number, or may get it here. */
  readonly isTaken: boolean;
}

/** Numbers that the store gives to new orders. */
const own = /^INV-\d{6,}$/i;

/** Reads the numbers of orders: those of Sequential Order Numbers or its Pro version, otherwise their ids. */
export function numberReader(
  { database }: StagedShop,
  { isInTables }: Plan,
): (order: number) => OrderNumber {
  const [meta, id] = isInTables ? ['wc_orders_meta', 'order_id'] : ['postmeta', 'post_id'];
  const said = (key: string) =>
    `(select nullif(trim(meta_value), '') from ${meta}
       where ${id} = cast(o.id as text) and meta_key = '${key}' limit 1)`;
  const number = `coalesce(${said('_order_number_formatted')}, ${said('_order_number')}, cast(o.id as text))`;
  const shared = database
    .prepare(
      `select number, min(id) as id from (select o.id, ${number} as number from wanted_order o)
        group by 1 having count(*) > 1`,
    )
    .all();
  const firstWith = new Map(shared.map((row) => [String(row['number']), Number(row['id'])]));
  const select = database.prepare(`select ${number} as number from shop_order o where o.id = ?`);
  return (order) => {
    const text = String(select.get(order)?.['number'] ?? order).slice(0, 100);
    const isTaken = (firstWith.get(text) ?? order) !== order || own.test(text);
    return { number: isTaken ? `${text} (${order})` : text, isTaken };
  };
}
