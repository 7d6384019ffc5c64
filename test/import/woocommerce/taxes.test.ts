import { expect, test } from 'vitest';
import { woocommerceImporter } from '../../../packages/import/src/woocommerce/index.ts';
import { StoreFixture } from '../../harness/store-fixture.ts';
import { useMoves } from '../moved.ts';
import { writeDump } from '../shops.ts';
import { type MadePost, madeShop } from './shop.ts';

const { dumpPath, moved } = useMoves();

const product = (id: number, meta: MadePost['meta']): MadePost => ({
  ...{ id, type: 'product', title: `Product ${id}` },
  meta: { _price: '119', _virtual: 'yes', ...meta },
});

const posts = [
  product(601, { _tax_status: 'taxable' }),
  // WooCommerce taxes a product unless it says otherwise.
  product(602, {}),
  product(603, { _tax_status: 'shipping' }),
  product(604, { _tax_status: 'none' }),
];

const imported = async (options: Readonly<Record<string, string>>) => {
  const path = dumpPath(`${Object.values(options).join('-')}.sql`);
  writeDump(path, madeShop({ posts, orders: [], options }, false));
  const shop = await moved(woocommerceImporter, path);
  const rows = await shop.query<{ id: number; inclusive: boolean }>(
    `select id::int, (tax ->> 'inclusive')::boolean as inclusive from products
      where id > 600 order by id`,
  );
  const products = rows.map((row) => ({
    ...row,
    reason: shop.reported('products', row.id)?.reason,
  }));
  return { shop, products };
};

const products = (reason: string | null, inclusive: boolean) => [
  { id: 601, inclusive, reason },
  { id: 602, inclusive, reason },
  { id: 603, inclusive: false, reason: null },
  { id: 604, inclusive: false, reason: null },
];

test('Prices that included tax in a WooCommerce shop include the rate that they are given', async () => {
  const { shop, products: found } = await imported({
    ...{ woocommerce_calc_taxes: 'yes', woocommerce_prices_include_tax: 'yes' },
  });
  expect(found).toEqual(products('tax-missing', true));
  const { api } = await StoreFixture.open(shop.store);
  await api.patch('/products/601', { tax: { enabled: true, rate: 19 } });
  const price = await api.post('/checkout/calculate', { product_id: 601 });
  expect(price.body.data).toMatchObject({ grand_total: 11_900 });
});

test.each([
  ['no', 'yes', null],
  ['yes', 'no', 'tax-missing'],
])(
  'no price includes tax in a WooCommerce shop with taxes: %s, in prices: %s',
  async (calculates, includes, reason) => {
    const { products: found } = await imported({
      ...{ woocommerce_calc_taxes: calculates, woocommerce_prices_include_tax: includes },
    });
    expect(found).toEqual(products(reason, false));
  },
);
