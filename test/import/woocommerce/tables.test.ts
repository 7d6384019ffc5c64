import { expect, test } from 'vitest';
import { woocommerceImporter } from '../../../packages/import/src/woocommerce/index.ts';
import { useMoves } from '../moved.ts';
import { writeDump } from '../shops.ts';
import { type MadePost, madeShop } from './shop.ts';

const { dumpPath, moved } = useMoves();

const without = (table: string, isInTables: boolean, posts: readonly MadePost[] = []) => {
  const path = dumpPath(`${table}-${isInTables}-${posts.length}.sql`);
  const shop = madeShop(
    { posts, orders: [{ id: 10, email: 'a@people.example', total: '10' }] },
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

const permissions = 'woocommerce_downloadable_product_permissions';

const download = (days: string): MadePost => ({
  ...{ id: 601, type: 'product', title: 'Sheets' },
  meta: { _price: '10', _downloadable: 'yes', _download_expiry: days },
});

test('A shop whose downloads end after some days is refused without their ends', async () => {
  await expect(without(permissions, true, [download('30')])).rejects.toThrow(
    new RegExp(`are missing here: wp_${permissions}\\. Export all tables`),
  );
});

test('A shop whose downloads never end is imported without their permissions', async () => {
  const shop = await without(permissions, true, [download('-1')]);
  expect(await shop.query('select id from orders')).toHaveLength(1);
});
