import { expect, test } from 'vitest';
import { woocommerceImporter } from '../../../packages/import/src/woocommerce/index.ts';
import { useMoves } from '../moved.ts';
import { writeDump } from '../shops.ts';
import { madeShop } from './shop.ts';

const { dumpPath, moved } = useMoves();

const without = (table: string, isInTables: boolean) => {
  const path = dumpPath(`${table}-${isInTables}.sql`);
  const shop = madeShop(
    { orders: [{ id: 10, email: 'a@people.example', total: '10' }] },
    isInTables,
  );
  writeDump(
    path,
    shop.filter(({ name }) => name !== `wp_${table}`),
  );
  return moved(woocommerceImporter, path);
};

test.each(['wc_orders', 'wc_order_addresses', 'wc_order_operational_data', 'wc_orders_meta'])(
  'A shop that keeps its orders in tables is refused without %s, and not imported without orders',
  async (table) => {
    await expect(without(table, true)).rejects.toThrow(
      new RegExp(`are missing here: wp_${table}\\. Export all tables`),
    );
  },
);

test.each([
  ...['posts', 'postmeta', 'woocommerce_order_items', 'woocommerce_order_itemmeta'].flatMap(
    (table) => [
      { table, isInTables: true },
      { table, isInTables: false },
    ],
  ),
])('No order is imported without the table $table', async ({ table, isInTables }) => {
  await expect(without(table, isInTables)).rejects.toThrow(/missing: wp_|no woocommerce shop/);
});
