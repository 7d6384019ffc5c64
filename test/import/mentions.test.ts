import { expect } from 'vitest';
import { long } from '../harness/long.ts';
import { eddImporter } from '../../packages/import/src/edd/index.ts';
import { sejoliImporter } from '../../packages/import/src/sejoli/index.ts';
import { woocommerceImporter } from '../../packages/import/src/woocommerce/index.ts';
import { download, eddTables, item, order as sale } from './edd/shop.ts';
import { type Moved, useMoves } from './moved.ts';
import { commission, order, sejoliTables, user } from './sejoli/shop.ts';
import { writeDump } from './shops.ts';
import { dayOf, madeShop } from './woocommerce/shop.ts';

const { dumpPath, moved } = useMoves();

async function counted(shop: Moved, ...tables: string[]) {
  const ends = tables.map(
    (table) => `(select last_value::float8 from ${table}_id_seq) as ${table}`,
  );
  const [row] = await shop.query<Record<string, number>>(`select ${ends.join()}`);
  return row;
}

const tooLarge = '1000000000001';
const beyond = '9007199254740993';

long(
  'New records of a store that was a Sejoli shop get none of the ids that its dump mentions',
  async () => {
    writeDump(
      dumpPath('sejoli.sql'),
      sejoliTables([user(1, { _affiliate_id: '9500', _user_group: '91' })], {
        sejolisa_orders: [
          order(1, { coupon_id: 60, product_id: 0, order_parent_id: 7000 }),
          order(2, { affiliate_id: 9501, order_parent_id: beyond }),
          order(3, { product_id: 8100, grand_total: 'nonsense', order_parent_id: tooLarge }),
        ],
        sejolisa_affiliates: [commission(70, { order_id: 7777, affiliate_id: 9600 })],
        sejolisa_coupons: [
          { ID: 3, code: 'ONCE', rule: 'a:1:{s:10:"apply_only";a:1:{i:0;i:8200;}}' },
        ],
        sejolisa_licenses: [{ ID: 30, order_id: 7778, code: 'KEY-1', user_id: 1 }],
        sejolisa_confirmations: [{ ID: 40, order_id: 7776, user_id: 1 }],
      }),
    );
    const shop = await moved(sejoliImporter, dumpPath('sejoli.sql'));
    expect(
      await counted(
        shop,
        ...['users', 'orders', 'products', 'coupons', 'user_groups'],
        ...['commissions', 'licenses', 'confirmations'],
      ),
    ).toEqual({
      ...{ users: 9600, orders: 7778, products: 8200, coupons: 60, user_groups: 91 },
      ...{ commissions: 70, licenses: 30, confirmations: 40 },
    });
    const { notes } = sejoliImporter.plan(shop.staging, {});
    expect(notes).toContain(
      `Texts name ids of orders above 1000000000000 (${tooLarge}, ${beyond}): new ids do not continue from these.`,
    );
  },
  60_000,
);

long(
  'Guests and parts of orders of a WooCommerce shop get none of the ids that its dump mentions',
  async () => {
    const shop = await moved(
      woocommerceImporter,
      made(
        'woocommerce.sql',
        madeShop(
          {
            users: [{ id: 1, email: 'one@mail.example' }],
            posts: [
              { id: 60, type: 'shop_coupon', title: 'ONCE', meta: { product_ids: '501,8200' } },
            ],
            orders: [
              { id: 7776, email: 'guest@mail.example', total: '20.00', lines: [{}, {}] },
              { id: 7780, customer: 9500, currency: 'XXX', total: '10.00' },
              {
                ...{ id: 7781, customer: 1, total: '10.00' },
                coupons: [{ code: 'gone', coupon_info: '[75,"gone","percent",8]' }],
              },
            ],
            more: {
              comments: [
                {
                  ...{ comment_ID: '1', comment_post_ID: '7777', comment_type: 'order_note' },
                  ...{ comment_date_gmt: dayOf(1), comment_content: 'Sent' },
                },
              ],
              lic_key_tbl: [
                { id: '5', license_key: '', purchase_id_: '9000', product_ref: '8300' },
              ],
            },
          },
          true,
        ),
      ),
    );
    const orders = await shop.query<{ id: number }>('select id::int from orders order by id');
    expect(orders.map(({ id }) => id)).toEqual([7776, 7778, 7781]);
    const [guest] = await shop.query<{ id: number }>(
      "select id::int from users where email = 'guest@mail.example'",
    );
    expect(guest?.id).toBe(9501);
    expect(await counted(shop, 'users', 'orders', 'products', 'coupons', 'licenses')).toEqual({
      ...{ users: 9501, orders: 9000, products: 8300, coupons: 75, licenses: 5 },
    });
  },
  60_000,
);

long(
  'Guests and parts of orders of an EDD shop get none of the ids that its dump mentions',
  async () => {
    const shop = await moved(
      eddImporter,
      made(
        'edd.sql',
        eddTables(
          [
            download(21, 'Plugin', {
              edd_price: '50.00',
              _edd_bundled_products: 'a:1:{i:0;s:6:"8100_2";}',
            }),
          ],
          {
            edd_orders: [
              sale(7776, { customer_id: 0, email: 'guest@mail.example', total: '100.00' }),
              sale(7780, { currency: 'XXX', user_id: 9500 }),
            ],
            edd_order_items: [item(1, 7776), item(2, 7776, { cart_index: 1 }), item(3, 7777)],
            edd_order_adjustments: [
              { id: 1, object_id: 7790, object_type: 'order', type: 'discount', type_id: 75 },
            ],
            edd_licenses: [],
            edd_licensemeta: [],
            edd_license_activations: [{ site_id: 1, license_id: 44, site_name: 'a.example' }],
          },
        ),
      ),
    );
    const orders = await shop.query<{ id: number }>('select id::int from orders order by id');
    expect(orders.map(({ id }) => id)).toEqual([7776, 7778]);
    expect(await counted(shop, 'users', 'orders', 'products', 'coupons', 'licenses')).toEqual({
      ...{ users: 9502, orders: 7790, products: 8100, coupons: 75, licenses: 44 },
    });
  },
  60_000,
);

function made(name: string, tables: Parameters<typeof writeDump>[1]): string {
  writeDump(dumpPath(name), tables);
  return dumpPath(name);
}
