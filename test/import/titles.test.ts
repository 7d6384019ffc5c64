import { expect } from 'vitest';
import { long } from '../harness/long.ts';
import { eddImporter } from '../../packages/import/src/edd/index.ts';
import { sejoliImporter } from '../../packages/import/src/sejoli/index.ts';
import { woocommerceImporter } from '../../packages/import/src/woocommerce/index.ts';
import { download, eddTables, item, order as sale } from './edd/shop.ts';
import { type Moved, useMoves } from './moved.ts';
import { order, sejoliTables, user } from './sejoli/shop.ts';
import { writeDump } from './shops.ts';
import { madeShop } from './woocommerce/shop.ts';

const { dumpPath, moved } = useMoves();

const titles = async (shop: Moved) =>
  (
    await shop.query<{ title: string }>('select product_title as title from orders order by id')
  ).map(({ title }) => title);

function dump(name: string, tables: Parameters<typeof writeDump>[1]): string {
  writeDump(dumpPath(name), tables);
  return dumpPath(name);
}

long(
  'Orders of a WooCommerce shop keep the names of their lines, decoded once',
  async () => {
    const made = madeShop({ orders: [{ id: 10, email: 'a@mail.example', total: '10.00' }] }, true);
    const tables = made.map((table) =>
      table.name === 'wp_woocommerce_order_items'
        ? {
            ...table,
            rows: table.rows.map((row) =>
              row.with(table.columns.indexOf('order_item_name'), 'Tom &amp; Jerry &amp;amp; Co'),
            ),
          }
        : table,
    );
    const shop = await moved(woocommerceImporter, dump('woocommerce.sql', tables));
    expect(await titles(shop)).toEqual(['Tom & Jerry &amp; Co']);
    await shop.query("update products set title = 'Renamed'");
    const api = await shop.store.key();
    expect((await api.get('/orders/10')).body.data.product.title).toBe('Tom & Jerry &amp; Co');
  },
  60_000,
);

long(
  'Orders of an EDD shop keep the names of their items',
  async () => {
    const tables = eddTables([download(21, 'Plugin', { edd_price: '50.00' })], {
      edd_orders: [sale(1), sale(2)],
      edd_order_items: [
        item(1, 1, { product_name: 'Plugin &#8211; Single Site' }),
        item(2, 2, { product_name: '' }),
      ],
    });
    const shop = await moved(eddImporter, dump('edd.sql', tables));
    expect(await titles(shop)).toEqual(['Plugin – Single Site', null]);
  },
  60_000,
);

long(
  'Orders of a Sejoli shop, which keeps no names, get the present names of their products',
  async () => {
    const tables = sejoliTables([user(1)], {
      sejolisa_orders: [order(1), order(2, { product_id: 555 })],
    });
    const shop = await moved(sejoliImporter, dump('sejoli.sql', tables));
    expect(await titles(shop)).toEqual(['Course', null]);
  },
  60_000,
);

long(
  'Whole numbers that JavaScript would change are read as texts',
  async () => {
    const details =
      'a:1:{s:11:"acquisition";a:4:{s:2:"id";i:9007199254740993;s:2:"to";d:1285704673650888701;s:3:"sum";d:1.0E+25;s:1:"n";i:7;}}';
    const tables = sejoliTables([user(1)], { sejolisa_orders: [order(1, { meta_data: details })] });
    const shop = await moved(sejoliImporter, dump('numbers.sql', tables));
    const [row] = await shop.query<{ meta: object }>(
      "select meta -> 'import' -> 'acquisition' as meta from orders",
    );
    expect(row?.meta).toEqual({
      ...{ id: '9007199254740993', to: '1285704673650888701', sum: '1e+25', n: 7 },
    });
  },
  60_000,
);
