import { serialize } from 'php-serialize';
import { beforeAll, describe, expect, test } from 'vitest';
import { long } from '../harness/long.ts';
import { eddImporter } from '../../packages/import/src/edd/index.ts';
import { sejoliImporter } from '../../packages/import/src/sejoli/index.ts';
import { woocommerceImporter } from '../../packages/import/src/woocommerce/index.ts';
import { download, eddTables } from './edd/shop.ts';
import { type Moved, useMoves } from './moved.ts';
import { post, sejoliTables, timeOf, user } from './sejoli/shop.ts';
import { writeDump } from './shops.ts';
import { type MadePost, madeShop } from './woocommerce/shop.ts';

const { dumpPath, moved } = useMoves();

async function sold(shop: Moved, table: 'products' | 'coupons', id: number, columns: string) {
  const [row] = await shop.query<Record<string, unknown>>(
    `select status, ${columns} from ${table} where id = $1`,
    [id],
  );
  return { ...row, reason: shop.reported(table, id)?.reason ?? '' };
}

describe('In a WooCommerce shop', () => {
  let shop: Moved;

  const product = (id: number, meta: MadePost['meta']): MadePost => ({
    ...{ id, type: 'product', title: `Product ${id}` },
    meta: { _virtual: 'yes', ...meta },
  });

  const coupon = (id: number, meta: MadePost['meta']): MadePost => ({
    ...{ id, type: 'shop_coupon', title: `COUPON-${id}` },
    meta: { discount_type: 'percent', coupon_amount: '8', ...meta },
  });

  const onSale = { _price: '20', _sale_price: '20', _regular_price: '100' };
  const scheduled = [
    [530, { _sale_price_dates_to: '4102444800' }],
    [531, { _price: '100', _sale_price_dates_from: '4102444800' }],
    [532, { _sale_price_dates_from: '1704103200' }],
    [533, { _sale_price_dates_from: '', _sale_price_dates_to: '' }],
    [534, { _sale_price: '', _price: '100', _sale_price_dates_to: '4102444800' }],
    [535, { _regular_price: '', _sale_price_dates_to: '4102444800' }],
    [536, { _sale_price_dates_to: 'soon' }],
  ] as const;

  beforeAll(async () => {
    const path = dumpPath('woocommerce.sql');
    const posts = [
      product(510, { _price: '10,50' }),
      product(511, { _price: '1.0E+5' }),
      product(512, { _price: 'nonsense' }),
      product(513, { _price: '-1' }),
      product(514, {}),
      product(515, { _price: '0' }),
      product(516, { _price: '10', _manage_stock: 'yes', _stock: '12,0' }),
      product(517, { _price: '10', _manage_stock: 'yes', _stock: 'many' }),
      product(518, { _price: '10', _stock_status: 'outofstock' }),
      ...scheduled.map(([id, meta]) => product(id, { ...onSale, ...meta })),
      product(519, { _price: '20' }),
      { ...product(520, { _price: 'x' }), type: 'product_variation', parent: 519 },
      { ...product(521, { _price: '20' }), type: 'product_variation', parent: 519 },
      product(522, { _price: '20' }),
      { ...product(523, { _price: '' }), type: 'product_variation', parent: 522 },
      product(540, { _price: '20' }),
      {
        ...product(541, { ...onSale, _sale_price_dates_to: '4102444800' }),
        ...{ type: 'product_variation', parent: 540 },
      },
      { ...product(542, { _price: '30' }), type: 'product_variation', parent: 540 },
      coupon(601, { usage_limit: '1,5', coupon_amount: '12,5' }),
      coupon(602, { usage_limit: 'few' }),
      coupon(603, { date_expires: 'soon' }),
      coupon(604, { minimum_amount: 'much' }),
      coupon(606, { usage_limit: '-1' }),
      coupon(605, { date_expires: '0', usage_limit: '', minimum_amount: '' }),
    ];
    writeDump(
      path,
      madeShop(
        { posts, orders: [], types: { 519: 'variable', 522: 'variable', 540: 'variable' } },
        false,
      ),
    );
    shop = await moved(woocommerceImporter, path);
  }, 60_000);

  const columns = 'price::int, enable_sale';

  test.each([
    [510, { status: 'publish', price: 1000, enable_sale: true, reason: 'number-cut' }],
    [511, { status: 'publish', price: 10_000_000, enable_sale: true, reason: '' }],
    [512, { status: 'draft', price: 0, reason: 'value-impossible not-on-sale' }],
    [513, { status: 'draft', price: 0, reason: 'value-impossible not-on-sale' }],
    [514, { status: 'publish', price: 0, enable_sale: false, reason: 'no-price' }],
    [515, { status: 'publish', price: 0, enable_sale: true, reason: '' }],
    [517, { status: 'draft', reason: 'value-impossible not-on-sale' }],
    [519, { status: 'draft', reason: 'value-impossible not-on-sale' }],
    [522, { status: 'publish', enable_sale: false, reason: 'no-price' }],
  ])('product %i is on sale at the price that PHP reads, or not at all', async (id, expected) => {
    expect(await sold(shop, 'products', id, columns)).toMatchObject(expected);
  });

  test.each([
    [530, 10_000, null, 'sale-by-date'],
    [531, 10_000, null, 'sale-by-date'],
    [532, 2000, 10_000, ''],
    [533, 2000, 10_000, ''],
    [534, 10_000, null, ''],
    [536, 10_000, null, 'sale-by-date'],
  ])(
    'product %i costs its sale price only if the sale has begun and has no end',
    async (id, price, regular_price, reason) => {
      expect(await sold(shop, 'products', id, 'price::int, regular_price::int')).toEqual({
        ...{ status: 'publish', price, regular_price, reason },
      });
    },
  );

  test('a product without a regular price is not for sale if its sale has an end', async () => {
    const expected = { enable_sale: false, reason: 'sale-by-date no-price' };
    expect(await sold(shop, 'products', 535, columns)).toMatchObject(expected);
  });

  test('a variation costs its regular price if its sale has an end', async () => {
    const extra = `variants -> 0 -> 'options' -> 0 ->> 'extra_price' as extra`;
    expect(await sold(shop, 'products', 540, `price::int, ${extra}`)).toEqual({
      ...{ status: 'publish', price: 3000, extra: '7000', reason: 'sale-by-date' },
    });
  });

  test('stock is the number that PHP reads, and 0 for sold-out products', async () => {
    expect(
      await shop.query('select product_id::int as id, units::int from product_stock order by 1'),
    ).toEqual([
      { id: 516, units: 12 },
      { id: 517, units: 0 },
      { id: 518, units: 0 },
    ]);
  });

  test.each([
    [601, { status: 'active', limit_use: 1, value: 12, reason: 'number-cut' }],
    [602, { status: 'pending' }],
    [603, { status: 'pending' }],
    [604, { status: 'pending' }],
    [606, { status: 'pending' }],
    [605, { status: 'active', limit_use: 0, reason: '' }],
  ])('coupon %i keeps its limits as PHP reads them, or is switched off', async (id, expected) => {
    const said = `limit_use::int, (discount ->> 'value')::float as value`;
    const found = await sold(shop, 'coupons', id, said);
    expect(found).toMatchObject(expected);
    if (expected.status === 'pending') expect(found.reason).toContain('switched-off');
  });
});

long(
  'A shop whose amounts have more decimals than the store has is asked about it, and rounded',
  async () => {
    const path = dumpPath('decimals.sql');
    const options = { woocommerce_price_num_decimals: '8', woocommerce_currency: 'BTC' };
    const posts = [
      { id: 510, type: 'product', title: 'Coin', meta: { _price: '0.00125', _virtual: 'yes' } },
    ];
    writeDump(path, madeShop({ posts, orders: [], options }, false));
    await expect(moved(woocommerceImporter, path)).rejects.toThrow(/exponent/);
    const shop = await moved(woocommerceImporter, path, { exponent: '4' });
    expect(await shop.query('select currency, currency_exponent from settings')).toEqual([
      { currency: 'BTC', currency_exponent: 4 },
    ]);
    expect(await sold(shop, 'products', 510, 'price::int')).toMatchObject({
      price: 13,
      reason: 'amount-rounded',
    });
  },
);

test('A shop in an unsupported currency is refused with the reason', async () => {
  const path = dumpPath('currency.sql');
  writeDump(path, madeShop({ orders: [], options: { woocommerce_currency: 'USDT' } }, false));
  await expect(moved(woocommerceImporter, path)).rejects.toThrow('currency is "USDT"');
});

describe('In a Sejoli shop', () => {
  let shop: Moved;

  const product = (id: number, meta: Readonly<Record<string, string>>) =>
    post(id, 'sejoli-product', `Product ${id}`, {
      ...{ _price: '1000', _product_type: 'digital', _enable_sale: 'yes', ...meta },
    });

  const coupon = (ID: number, fields: Readonly<Record<string, string>>) => ({
    ...{ ID, created_at: timeOf(0), updated_at: timeOf(0), deleted_at: '0000-00-00 00:00:00' },
    ...{ user_id: 0, coupon_parent_id: 0, code: `COUPON-${ID}`, usage: 0, status: 'active' },
    ...{ rule: serialize({}), limit_use: '0', limit_date: null },
    discount: serialize({ value: '10,5', type: 'percentage', usage: 'total' }),
    ...fields,
  });

  beforeAll(async () => {
    const path = dumpPath('sejoli.sql');
    const products = [
      product(201, { _price: '1500,75' }),
      product(202, { _price: 'gratis?' }),
      product(203, { _disable_sale_time: 'tomorrow' }),
      product(204, { _limit_buy_time: 'three' }),
      product(212, { _limit_buy_time: '-3' }),
      product(205, { _license_active: 'yes', _license_count: 'many' }),
      product(206, {
        _subscription_has_signup_fee: 'yes',
        _subscription_signup_fee: 'fifty',
        _payment_type: 'recurring',
      }),
      product(207, {
        '_sejoli_commission|number|0|0|value': '12,5',
        '_sejoli_commission|type|0|0|value': 'percentage',
        '_sejoli_commission|number|1|0|value': 'half',
        '_sejoli_commission|type|1|0|value': 'percentage',
      }),
      product(208, {
        '_product_variants|name|0|0|value': 'Size',
        '_product_variants|variant:name|0:0|0|value': 'XL',
        '_product_variants|variant:extra_price|0:0|0|value': 'more',
      }),
      product(209, { _user_group_buy_permission: 'yes', '_user_group_buy_list|||0|value': '99' }),
      product(210, { _enable_ppn: 'yes' }),
      product(211, { _price: '', _limit_buy_time: '', _disable_sale_time: '' }),
    ];
    const options = { blogname: 'Toko', timezone_string: 'Asia/Jakarta', _sejoli_ppn_price: 'n/a' };
    writeDump(
      path,
      sejoliTables([user(1)], {
        options: Object.entries(options).map(([option_name, option_value]) => ({
          option_name,
          option_value,
        })),
        posts: products.map((one) => one.post),
        postmeta: products.flatMap((one) => one.meta),
        sejolisa_coupons: [
          coupon(1, {}),
          coupon(2, { limit_use: 'few' }),
          coupon(3, { limit_date: '2024-02-31 00:00:00' }),
          coupon(4, { limit_use: '-5' }),
        ],
      }),
    );
    shop = await moved(sejoliImporter, path);
  }, 60_000);

  test.each([201, 211])('product %i is on sale as PHP reads it', async (id) => {
    const price = id === 201 ? 1500 : 0;
    expect(await sold(shop, 'products', id, 'price::int')).toMatchObject({
      status: 'publish',
      price,
    });
  });

  test.each([202, 203, 204, 205, 206, 207, 208, 209, 210, 212])(
    'product %i, with an unreadable condition, is a draft',
    async (id) => {
      const found = await sold(shop, 'products', id, 'price::int');
      expect(found).toMatchObject({ status: 'draft' });
      expect(found.reason).toContain('not-on-sale');
    },
  );

  test.each([
    [1, 'active', 10],
    [2, 'pending', 10],
    [3, 'pending', 10],
    [4, 'pending', 10],
  ])('coupon %i is %s', async (id, status, value) => {
    const said = `(discount ->> 'value')::float as value`;
    expect(await sold(shop, 'coupons', id, said)).toMatchObject({ status, value });
  });
});

describe('In a shop of Easy Digital Downloads', () => {
  let shop: Moved;

  const options = (...amounts: readonly string[]) => ({
    _variable_pricing: '1',
    edd_variable_prices: serialize(
      Object.fromEntries(amounts.map((amount, i) => [i + 1, { name: `Option ${i}`, amount }])),
    ),
  });

  const discount = (id: number, fields: Readonly<Record<string, string>>) => ({
    ...{ id, type: 'discount', code: `COUPON-${id}`, status: 'active', amount_type: 'percent' },
    ...{ amount: '12,5', use_count: 0, max_uses: '0', date_created: '2024-01-01 00:00:00' },
    ...fields,
  });

  beforeAll(async () => {
    const path = dumpPath('edd.sql');
    writeDump(
      path,
      eddTables(
        [
          download(21, 'Comma', { edd_price: '10,50' }),
          download(22, 'Nonsense', { edd_price: 'nonsense' }),
          download(23, 'Options', options('20.00', '15,99')),
          download(24, 'Options, one unreadable', options('20.00', 'nonsense')),
          download(25, 'No options', { _variable_pricing: '1', edd_variable_prices: 'a:0:{}' }),
          download(26, 'Licence', { edd_price: '5', _edd_sl_enabled: '1', _edd_sl_limit: 'few' }),
          download(27, 'Term', {
            ...{ edd_price: '5', _edd_sl_enabled: '1' },
            ...{ _edd_sl_exp_length: '2', _edd_sl_exp_unit: 'moons' },
          }),
          download(28, 'Free', { edd_price: '' }),
        ],
        {
          edd_adjustments: [
            discount(1, {}),
            discount(2, { max_uses: 'few' }),
            discount(3, { end_date: 'soon' }),
            discount(4, { end_date: '0000-00-00 00:00:00' }),
            discount(5, { max_uses: '-1' }),
          ],
        },
      ),
    );
    shop = await moved(eddImporter, path);
  }, 60_000);

  test.each([
    [21, { status: 'publish', price: 1000, reason: 'number-cut' }],
    [22, { status: 'draft' }],
    [23, { status: 'publish', price: 1500 }],
    [24, { status: 'draft' }],
    [25, { status: 'draft' }],
    [26, { status: 'draft' }],
    [27, { status: 'draft' }],
    [28, { status: 'publish', price: 0, reason: '' }],
  ])('product %i is on sale as PHP reads it, or a draft', async (id, expected) => {
    expect(await sold(shop, 'products', id, 'price::int')).toMatchObject(expected);
  });

  test.each([
    [1, 'active'],
    [2, 'pending'],
    [3, 'pending'],
    [4, 'active'],
    [5, 'pending'],
  ])('coupon %i is %s', async (id, status) => {
    const said = `(discount ->> 'value')::float as value`;
    expect(await sold(shop, 'coupons', id, said)).toMatchObject({ status, value: 12 });
  });
});
