import { expect, test } from 'vitest';
import { woocommerceImporter } from '../../../packages/import/src/woocommerce/index.ts';
import { useMoves } from '../moved.ts';
import { writeDump } from '../shops.ts';
import { madeShop } from './shop.ts';

const { dumpPath, moved } = useMoves();

const lines = [{ total: '5' }, { total: '5' }];

const orders = [10, 20, 30, 40, 50, 60].map((id) => ({
  ...{ id, email: 'ada@people.example', total: '10.00' },
  ...(id === 20 ? { lines } : {}),
}));

const said = [
  [10, '_order_number', '1'],
  [20, '_order_number', '2'],
  [20, '_order_number_formatted', 'RE-2024-2'],
  [30, '_order_number_formatted', ''],
  // The numbers of two orders are the same, or one has the id of the other.
  [40, '_order_number', '1'],
  [50, '_order_number', '30'],
  // A new order here could get it.
  [60, '_order_number_formatted', 'INV-000070'],
] as const;

test.each([true, false])(
  'Orders keep the numbers of Sequential Order Numbers, with orders in tables: %s',
  async (isInTables) => {
    const id = isInTables ? 'order_id' : 'post_id';
    const meta = said.map(([order, meta_key, meta_value]) => ({
      ...{ [id]: String(order), meta_key, meta_value },
    }));
    const more = { [isInTables ? 'wc_orders_meta' : 'postmeta']: meta };
    const path = dumpPath(`numbers-${isInTables}.sql`);
    writeDump(path, madeShop({ orders, more }, isInTables));
    const shop = await moved(woocommerceImporter, path);
    expect(await shop.query('select id::int, number from orders order by id')).toEqual([
      { id: 10, number: '1' },
      { id: 20, number: 'RE-2024-2' },
      { id: 21, number: 'RE-2024-2-2' },
      { id: 30, number: '30' },
      { id: 40, number: '1 (40)' },
      { id: 50, number: '30 (50)' },
      { id: 60, number: 'INV-000070 (60)' },
    ]);
    const reasons = orders.map((order) => shop.reported('orders', order.id)?.reason);
    expect(reasons).toEqual([null, 'several-products', null, 'renamed', 'renamed', 'renamed']);
  },
);
