import { beforeAll, describe, expect, test } from 'vitest';
import { woocommerceImporter } from '../../../packages/import/src/woocommerce/index.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { StoreFixture } from '../../harness/store-fixture.ts';
import { type Moved, useMoves } from '../moved.ts';
import { writeDump } from '../shops.ts';
import { type MadePost, madeShop } from './shop.ts';

const { dumpPath, moved } = useMoves();

type Meta = NonNullable<MadePost['meta']>;

const product = (id: number, meta: Meta): MadePost => ({
  ...{ id, type: 'product', title: `Product ${id}` },
  meta: { _price: '10', _virtual: 'yes', ...meta },
});

const variation = (id: number, parent: number, meta: Meta = {}): MadePost => ({
  ...product(id, { _manage_stock: 'no', ...meta }),
  ...{ type: 'product_variation', parent },
});

const counted = (units: string, meta: Meta = {}): Meta => ({
  ...{ _manage_stock: 'yes', _stock: units, _backorders: 'no' },
  _stock_status: Number(units) > 0 ? 'instock' : 'outofstock',
  ...meta,
});

const backordered = (units: string): Meta =>
  counted(units, { _backorders: 'notify', _stock_status: 'onbackorder' });

const soldOut = { _stock_status: 'outofstock' };

const posts = [
  product(601, counted('0', { _backorders: 'yes', _stock_status: 'onbackorder' })),
  product(602, backordered('-3')),
  product(603, backordered('4')),
  product(604, counted('-3')),
  product(605, counted('2', soldOut)),
  product(606, counted('5', { ...soldOut, _backorders: 'yes' })),
  product(607, counted('5')),
  product(608, { _manage_stock: 'no', _stock: '0', _backorders: 'yes' }),
  product(609, soldOut),
  // The shop marks the variations of a product that has no units left.
  product(610, counted('0')),
  variation(611, 610, soldOut),
  product(620, counted('5')),
  variation(621, 620),
  variation(622, 620, soldOut),
  // All variations have units of their own: those of the product are left over.
  product(630, counted('1')),
  variation(631, 630, counted('3')),
  product(640, counted('1')),
  variation(641, 640, counted('3')),
  variation(642, 640),
  product(650, backordered('0')),
  variation(651, 650),
  variation(652, 650, counted('2')),
  product(660, soldOut),
  variation(661, 660, soldOut),
];

const variable = [610, 620, 630, 640, 650, 660];
const types = Object.fromEntries(variable.map((id) => [id, 'variable']));

const order = (id: number, product: number, bought?: number) => ({
  ...{ id, status: 'wc-on-hold', email: 'ada@people.example', total: '10.00' },
  lines: [{ product, reduced: '1', ...(bought && { variation: bought }) }],
});

const unitsOf = async (shop: Moved, id: number) => {
  const rows = await shop.query<{ option: string; units: number }>(
    `select option_id as option, units::int from product_stock where product_id = $1 order by 1`,
    [id],
  );
  return Object.fromEntries(rows.map(({ option, units }) => [option || 'product', units]));
};

describe('In a WooCommerce shop that counts units', () => {
  let shop: Moved;
  let fixture: StoreFixture;

  beforeAll(async () => {
    const path = dumpPath('units.sql');
    const orders = [order(10, 602), order(20, 630, 631), order(30, 620, 621)];
    const options = { woocommerce_manage_stock: 'yes' };
    writeDump(path, madeShop({ posts, types, orders, options }, true));
    shop = await moved(woocommerceImporter, path);
    fixture = await StoreFixture.open(shop.store);
  }, 60_000);

  test.each([
    [601, {}, 'backorders'],
    [602, {}, 'backorders'],
    [603, {}, 'backorders'],
    [604, { product: 0 }, 'stock-owed'],
    [605, { product: 0 }, 'sold-out'],
    [606, { product: 0 }, null],
    [607, { product: 5 }, null],
    [608, {}, null],
    [609, { product: 0 }, null],
    [610, { product: 0 }, null],
    [620, { product: 5, 622: 0 }, null],
    [630, { 631: 3 }, null],
    [640, { product: 1, 641: 3 }, 'stock-shared'],
    [650, { 652: 2 }, 'backorders'],
    [660, { 661: 0 }, null],
  ])('product %i can be bought as often as there', async (id, units, reason) => {
    expect(await unitsOf(shop, id)).toEqual(units);
    expect(shop.reported('products', id)?.reason).toBe(reason);
  });

  test('a product on backorder is sold, and one that is sold out is not', async () => {
    const { id } = await fixture.newUser();
    const status = async (product_id: number) =>
      (await fixture.api.post('/orders', { product_id, user_id: id })).status;
    expect(await status(601)).toBe(201);
    expect(await status(604)).toBe(409);
  });

  test('the variations of a product that is sold out are sold again with its new units', async () => {
    const { id } = await fixture.newUser();
    const restocked = await fixture.api.patch('/products/610', { stock_delta: 1 });
    expect(restocked.status).toBe(200);
    const bought = { product_id: 610, user_id: id, variants: ['611'] };
    expect((await fixture.api.post('/orders', bought)).status).toBe(201);
    expect((await fixture.api.post('/orders', bought)).status).toBe(409);
  });

  test('cancelled imported orders give back the units that are counted', async () => {
    for (const id of [10, 20, 30]) {
      const cancelled = await fixture.api.patch(`/orders/${id}`, { status: 'cancelled' });
      expect(cancelled.status).toBe(200);
    }
    expect([await unitsOf(shop, 602), await unitsOf(shop, 630), await unitsOf(shop, 620)]).toEqual([
      {},
      { 631: 4 },
      { product: 6, 622: 0 },
    ]);
    await expectIntegrity(fixture);
  });
});

test('A WooCommerce shop that counts no units leaves none', async () => {
  const path = dumpPath('uncounted.sql');
  const left = [
    product(601, counted('0', { _stock_status: 'instock' })),
    product(602, counted('many')),
    product(603, counted('-1')),
  ];
  const options = { woocommerce_manage_stock: 'no' };
  writeDump(path, madeShop({ posts: left, orders: [], options }, false));
  const shop = await moved(woocommerceImporter, path);
  const found = [await unitsOf(shop, 601), await unitsOf(shop, 602), await unitsOf(shop, 603)];
  // WooCommerce goes on refusing what is marked as sold out.
  expect(found).toEqual([{}, { product: 0 }, { product: 0 }]);
});
