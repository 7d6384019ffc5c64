import { beforeAll, expect, test } from 'vitest';
import { woocommerceImporter } from '../../../packages/import/src/woocommerce/index.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { StoreFixture } from '../../harness/store-fixture.ts';
import { type Moved, useMoves } from '../moved.ts';
import { writeDump } from '../shops.ts';
import { type MadeLine, madeShop } from './shop.ts';

const { dumpPath, moved } = useMoves();

let shop: Moved;
let fixture: StoreFixture;

beforeAll(async () => {
  const counted = { _price: '10', _manage_stock: 'yes', _stock: '4' };
  const variation = { type: 'product_variation', parent: 503 };
  const waiting = (id: number, line: MadeLine) => ({
    ...{ id, status: 'wc-on-hold', email: 'ada@people.example', total: '10.00', lines: [line] },
  });
  const path = dumpPath('stock.sql');
  writeDump(
    path,
    madeShop(
      {
        posts: [
          { id: 502, type: 'product', title: 'Print', meta: counted },
          { id: 503, type: 'product', title: 'Shirt', meta: counted },
          { ...variation, id: 511, title: 'Small', meta: { ...counted, _stock: '7' } },
          { ...variation, id: 512, title: 'Large', meta: { _price: '10', _manage_stock: 'no' } },
        ],
        types: { 503: 'variable' },
        orders: [
          waiting(10, { product: 502, reduced: '1' }),
          waiting(20, { product: 502, quantity: '2', reduced: '2' }),
          waiting(30, { product: 502 }),
          waiting(40, { product: 502, quantity: '2', reduced: '1' }),
          waiting(50, { product: 503, variation: 511, reduced: '1' }),
          waiting(60, { product: 503, variation: 512, reduced: '1' }),
          waiting(70, { product: 501, reduced: '1' }),
        ],
      },
      true,
    ),
  );
  shop = await moved(woocommerceImporter, path);
  fixture = await StoreFixture.open(shop.store);
}, 60_000);

const unitsLeft = () =>
  shop.query(
    `select product_id::int as product, option_id as option, units::int
       from product_stock order by product_id, option_id`,
  );

const stock = (print: number, shirt: number, small: number) => [
  { product: 502, option: '', units: print },
  { product: 503, option: '', units: shirt },
  { product: 503, option: '511', units: small },
];

test.each([
  [10, 'the unit that the shop had taken', stock(5, 4, 7)],
  [20, 'all units', stock(7, 4, 7)],
  [30, 'nothing that the shop had not taken', stock(7, 4, 7)],
  [40, 'nothing if the shop gave back a part', stock(7, 4, 7)],
  [50, 'the unit of the variation', stock(7, 4, 8)],
  [60, 'the unit of the product if its variation is not counted', stock(7, 5, 8)],
  [70, 'nothing of a product that is not counted', stock(7, 5, 8)],
])('Cancelling imported order %i gives back %s', async (id, _, expected) => {
  expect((await fixture.api.patch(`/orders/${id}`, { status: 'cancelled' })).status).toBe(200);
  expect(await unitsLeft()).toEqual(expected);
});

test('A cancelled imported order that is reopened takes its unit again', async () => {
  expect((await fixture.api.patch('/orders/10', { status: 'on-hold' })).status).toBe(200);
  expect(await unitsLeft()).toEqual(stock(6, 5, 8));
  await expectIntegrity(fixture);
});
