import { describe, expect, test } from 'vitest';
import { couponCodes } from '../../packages/import/src/coupon-codes.ts';
import { eddImporter } from '../../packages/import/src/edd/index.ts';
import { sejoliImporter } from '../../packages/import/src/sejoli/index.ts';
import { woocommerceImporter } from '../../packages/import/src/woocommerce/index.ts';
import { long } from '../harness/long.ts';
import { StoreFixture } from '../harness/store-fixture.ts';
import { download, eddTables, item, order as eddOrder } from './edd/shop.ts';
import { type Moved, useMoves } from './moved.ts';
import { order, post, sejoliTables, timeOf, user } from './sejoli/shop.ts';
import { cellsOf, writeDump } from './shops.ts';
import { madeShop } from './woocommerce/shop.ts';

const { dumpPath, moved } = useMoves();

const codesOf = async (shop: Moved) =>
  Object.fromEntries(
    (
      await shop.query<{ id: string; code: string }>('select id, code from coupons order by id')
    ).map(({ id, code }) => [id, code]),
  );

const slugsOf = async (shop: Moved) =>
  Object.fromEntries(
    (
      await shop.query<{ id: string; slug: string }>('select id, slug from products order by id')
    ).map(({ id, slug }) => [id, slug]),
  );

const said = (shop: Moved, entity: string, ...ids: readonly (number | string)[]) =>
  ids.map((id) => {
    const { reason, detail } = shop.reported(entity, id) ?? {};
    return [reason, detail].filter(Boolean).join(': ') || null;
  });

/** Returns the id of the coupon that a typed code opens. */
async function opened(shop: Moved, code: string): Promise<number | undefined> {
  const { api } = await StoreFixture.open(shop.store);
  const { body } = await api.get(`/coupons/${encodeURIComponent(code)}`);
  return body.data?.id as number | undefined;
}

describe('Coupons whose codes the store considers equal are explained, and codes open the same as before', () => {
  long('of Sejoli', async () => {
    const path = dumpPath('sejoli.sql');
    const coupon = (ID: number, code: string, status = 'active') => ({
      ...{ ID, code, status, user_id: 0, coupon_parent_id: 0, deleted_at: '0000-00-00 00:00:00' },
      ...{ discount: 'a:0:{}', rule: 'a:0:{}', usage: 0 },
    });
    writeDump(
      path,
      sejoliTables([user(1)], {
        sejolisa_coupons: [
          coupon(1, 'Sale', 'pending'),
          coupon(2, 'SALE\t'),
          coupon(3, 'sale'),
          coupon(4, 'SALE-3'),
          coupon(5, 'Été'),
          coupon(6, 'ete'),
          coupon(7, 'straße'),
          coupon(8, 'summer\u3000'),
        ],
      }),
    );
    const shop = await moved(sejoliImporter, path);
    expect(await codesOf(shop)).toEqual({
      ...{ 1: 'SALE-1', 2: 'SALE', 3: 'SALE-3-3', 4: 'SALE-3', 5: 'ETE-5', 6: 'ETE' },
      ...{ 7: 'STRASSE', 8: 'SUMMER' },
    });
    expect(said(shop, 'coupons', 1, 2, 3, 4, 5, 6, 7, 8)).toEqual([
      ...['code-taken: Sale → SALE-1', null, 'code-taken: sale → SALE-3-3', null],
      ...['code-taken: Été → ETE-5', null, null, null],
    ]);
    expect(await opened(shop, ' sale ')).toBe(2);
    expect(await opened(shop, 'été')).toBe(6);
    expect(await opened(shop, 'straße')).toBe(7);
  });

  test('of WooCommerce, which opens the newest published one', async () => {
    const path = dumpPath('woocommerce.sql');
    const coupon = (id: number, title: string, status = 'publish') => ({
      ...{ id, title, status, type: 'shop_coupon' },
      meta: { discount_type: 'percent', coupon_amount: '10', usage_count: id === 604 ? '1' : '0' },
    });
    const shop = await (writeDump(
      path,
      madeShop(
        {
          users: [{ id: 1, email: 'one@mail.example' }],
          posts: [
            coupon(601, 'sale', 'draft'),
            coupon(602, 'Sale'),
            coupon(603, 'SALE\u00A0'),
            coupon(604, 'ÉTÉ'),
          ],
          orders: [{ id: 9, customer: 1, total: '10.00', coupons: ['été'] }],
        },
        true,
      ).map((table) => (table.name === 'wp_posts' ? withDates(table) : table)),
    ),
    moved(woocommerceImporter, path));
    expect(await codesOf(shop)).toEqual({
      601: 'SALE-601',
      602: 'SALE-602',
      603: 'SALE',
      604: 'ETE',
    });
    expect(said(shop, 'coupons', 601, 602, 603, 604)).toEqual([
      ...['code-taken: sale → SALE-601', 'code-taken: Sale → SALE-602', null, 'renamed: ÉTÉ → ETE'],
    ]);
    expect(await shop.query('select coupon_id::int from orders where id = 9')).toEqual([
      { coupon_id: 604 },
    ]);
    expect(await opened(shop, 'été')).toBe(604);
  });

  long('of Easy Digital Downloads', async () => {
    const path = dumpPath('edd.sql');
    const discount = (id: number, code: string, status = 'active') => ({
      ...{ id, code, status, type: 'discount', amount_type: 'percent', amount: '10', use_count: 0 },
    });
    writeDump(
      path,
      eddTables([download(21, 'Plugin', { edd_price: '50' })], {
        edd_orders: [eddOrder(1)],
        edd_order_items: [item(1, 1)],
        edd_adjustments: [
          discount(1, 'sale', 'expired'),
          discount(2, 'Sale'),
          discount(3, 'ＢＩＧ'),
        ],
      }),
    );
    const shop = await moved(eddImporter, path);
    expect(await codesOf(shop)).toEqual({ 1: 'SALE-1', 2: 'SALE', 3: 'BIG' });
    expect(said(shop, 'coupons', 1, 2, 3)).toEqual([
      ...['code-taken: sale → SALE-1', null, 'renamed: ＢＩＧ → BIG'],
    ]);
    expect(await opened(shop, 'sale')).toBe(2);
  });
});

/** Dates coupons by their ids. */
function withDates<T extends { columns: readonly string[]; rows: readonly (readonly unknown[])[] }>(
  table: T,
): T {
  const [id, date] = [table.columns.indexOf('ID'), table.columns.indexOf('post_date')];
  const rows = table.rows.map((row) =>
    row.with(date, `2024-01-01 00:0${String(row[id]).at(-1)}:00`),
  );
  return { ...table, rows };
}

test('A code that is derived from another one belongs to no other coupon', () => {
  const codes = couponCodes(
    ['SALE', 'sale', 'SALE-2', 'SALE-2-2'].map((code, i) => ({ id: i + 1, code, isLive: true })),
  );
  expect([...codes].sort(([a], [b]) => a - b).map(([, code]) => code)).toEqual([
    ...['SALE', 'SALE-2-2-2', 'SALE-2', 'SALE-2-2'],
  ]);
});

long(
  'Addresses of products that the store considers equal are explained, and other addresses stay',
  async () => {
    const path = dumpPath('slugs.sql');
    const product = (id: number, slug: string, status = 'publish') => {
      const made = post(id, 'sejoli-product', `Product ${id}`, { _price: '1' }, status);
      return { ...made, post: { ...made.post, post_name: slug } };
    };
    const products = [
      product(101, 'Shirt'),
      product(102, 'shirt'),
      product(103, 'shirt-101'),
      product(104, 'r%c3%a9sum%c3%a9'),
      product(105, '2024'),
      product(106, ''),
      product(107, 'deleted-product-109'),
      product(108, 'Bin', 'trash'),
    ];
    writeDump(
      path,
      sejoliTables([user(1)], {
        posts: products.map((one) => one.post),
        postmeta: products.flatMap((one) => one.meta),
        sejolisa_orders: [order(1, { product_id: 109 })],
      }),
    );
    const shop = await moved(sejoliImporter, path);
    expect(await slugsOf(shop)).toEqual({
      ...{ 101: 'shirt-101-101', 102: 'shirt', 103: 'shirt-101', 104: 'resume', 105: '2024-105' },
      ...{
        106: 'product-106',
        107: 'deleted-product-109',
        108: 'bin',
        109: 'deleted-product-109-109',
      },
    });
    expect(said(shop, 'products', 101, 102, 103, 104, 105, 106, 108)).toEqual([
      ...['slug-taken: Shirt → shirt-101-101', null, null, 'renamed: résumé → resume'],
      ...['renamed: 2024 → 2024-105', null, null],
    ]);
    expect(await shop.query('select product_id::int from orders')).toEqual([{ product_id: 109 }]);
  },
);

long(
  'E-mail addresses that differ only by case, blanks or escapes belong to one person, as the report says',
  async () => {
    const path = dumpPath('people.sql');
    const person = (id: number, user_email: string) => {
      const made = user(id);
      return { ...made, user: { ...made.user, user_email } };
    };
    writeDump(
      path,
      sejoliTables(
        [
          person(1, 'Ann@mail.example'),
          person(2, 'ann@mail.example\t'),
          person(3, 'b&amp;c@mail.example'),
          person(4, 'B&C@mail.example\u3000'),
          person(5, 'josé@mail.example'),
          person(6, 'jose@mail.example'),
        ],
        {},
      ),
    );
    const shop = await moved(sejoliImporter, path);
    const people = await shop.query<{ email: string | null }>(
      'select email from users order by id',
    );
    expect(people.map(({ email }) => email)).toEqual([
      ...[null, 'ann@mail.example', null, 'b&c@mail.example', null, 'jose@mail.example'],
    ]);
    expect(said(shop, 'users', 1, 2, 3, 4, 5, 6)).toEqual([
      ...['email-taken', null, 'email-taken', null, 'email-impossible', null],
    ]);
  },
);

long('User groups whose names differ only by case are explained', async () => {
  const path = dumpPath('groups.sql');
  const groups = [
    post(91, 'sejoli-user-group', 'gold (92)', {}),
    post(92, 'sejoli-user-group', 'Gold', {}),
    post(93, 'sejoli-user-group', 'GOLD', {}),
    post(94, 'sejoli-user-group', 'Gold (93)', {}),
    post(95, 'sejoli-user-group', '\u212Aelvin', {}),
    post(96, 'sejoli-user-group', 'kelvin', {}),
  ];
  writeDump(path, sejoliTables([user(1)], { posts: groups.map((one) => one.post) }));
  const shop = await moved(sejoliImporter, path);
  const names = await shop.query<{ name: string }>('select name from user_groups order by id');
  expect(names.map(({ name }) => name)).toEqual([
    ...['gold (92)', 'Gold', 'GOLD (93)', 'Gold (93) (94)', '\u212Aelvin', 'kelvin (96)'],
  ]);
  expect(said(shop, 'groups', 92, 93, 94, 95, 96)).toEqual([
    ...[null, 'name-taken', 'name-taken', null, 'name-taken'],
  ]);
});

long(
  'Licence codes that become equal in capitals are two codes, and each opens its own licence',
  async () => {
    const path = dumpPath('licences.sql');
    const licence = (ID: number, code: string, string: string) => ({
      ...{ ID, created_at: timeOf(0), updated_at: timeOf(0), deleted_at: '0000-00-00 00:00:00' },
      ...{ order_id: ID, user_id: 1, product_id: 101, code, string, status: 'active' },
    });
    writeDump(
      path,
      sejoliTables([user(1)], {
        sejolisa_orders: [order(1), order(2), order(3), order(4)],
        sejolisa_licenses: [
          licence(1, 'gruß-1', 'one.example'),
          licence(2, 'GRUSS-1', 'two.example'),
          licence(3, 'KEY-3\u3000', 'three.example'),
          licence(4, '""', 'four.example'),
        ],
      }),
    );
    const shop = await moved(sejoliImporter, path);
    const { api } = await StoreFixture.open(shop.store);
    for (const [license, string] of [
      ['gruß-1', 'one.example'],
      ['gruss-1', 'two.example'],
      ['key-3', 'three.example'],
    ])
      expect((await api.post('/licenses/validate', { license, string })).body.code).toBe('VALID');
    expect(said(shop, 'licenses', 1, 2, 3, 4)).toEqual([null, null, null, 'no-code']);
  },
);

long(
  'A code of Software License Manager with unusual blanks around it is imported as it is',
  async () => {
    const path = dumpPath('keys.sql');
    const key = (id: number, license_key: string) =>
      cellsOf({
        ...{ id, license_key, product_ref: '501', lic_status: 'active', email: 'a@people.example' },
        ...{ max_allowed_domains: '1', max_allowed_devices: '0', date_created: '2024-02-01' },
      });
    writeDump(
      path,
      madeShop({ orders: [], more: { lic_key_tbl: [key(1, '\u2003KEY-1')] } }, false),
    );
    const shop = await moved(woocommerceImporter, path);
    expect(said(shop, 'licenses', 1)).toEqual([null]);
  },
);
