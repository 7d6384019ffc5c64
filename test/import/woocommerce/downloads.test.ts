import { beforeAll, expect, test } from 'vitest';
import { woocommerceImporter } from '../../../packages/import/src/woocommerce/index.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { StoreFixture } from '../../harness/store-fixture.ts';
import { type Moved, useMoves } from '../moved.ts';
import { writeDump } from '../shops.ts';
import { type MadeOrder, type MadePost, madeShop } from './shop.ts';

const { dumpPath, moved } = useMoves();

let shop: Moved;
let fixture: StoreFixture;

type Meta = NonNullable<MadePost['meta']>;

const product = (id: number, meta: Meta = {}): MadePost => ({
  ...{ id, type: 'product', title: `Product ${id}` },
  meta: { _price: '10', _virtual: 'yes', _downloadable: 'yes', ...meta },
});

const posts = [
  product(601, { _download_expiry: '30', _download_limit: '-1' }),
  product(602, { _download_expiry: '', _download_limit: '3' }),
  product(603, { _download_expiry: '-1', _download_limit: '-1' }),
  product(604, { _download_expiry: '30', _downloadable: 'no' }),
  product(610),
  { ...product(611, { _download_expiry: '30' }), type: 'product_variation', parent: 610 },
];

const order = (id: number, product = 601, more: Partial<MadeOrder> = {}): MadeOrder => ({
  ...{ id, customer: 3, total: '10.00', paid: true, completed: true, lines: [{ product }] },
  ...more,
});

/** The permission to download a file of an order. */
const permission = (order_id: number, product_id: number, until: string | null, left = '') => ({
  ...{ order_id: String(order_id), product_id: String(product_id) },
  ...{ downloads_remaining: left, access_expires: until },
});

beforeAll(async () => {
  const path = dumpPath('downloads.sql');
  writeDump(
    path,
    madeShop(
      {
        users: [{ id: 3, email: 'ada@people.example' }],
        posts,
        types: { 610: 'variable' },
        orders: [
          order(10),
          order(20),
          order(30),
          order(40, 602),
          order(50, 610, { lines: [{ product: 610, variation: 611 }] }),
          order(60, 603),
          order(70, 601, { status: 'wc-processing', completed: false }),
          order(80, 601, { lines: [{ product: 601 }, { product: 603 }], total: '20.00' }),
        ],
        more: {
          woocommerce_downloadable_product_permissions: [
            permission(10, 601, '2024-02-10 00:00:00'),
            permission(20, 601, '2024-02-10 00:00:00'),
            permission(20, 601, '2099-02-10 00:00:00'),
            permission(30, 601, '2024-02-10 00:00:00'),
            permission(30, 601, null),
            permission(40, 602, null, '0'),
            permission(50, 611, '2099-02-10 00:00:00'),
            permission(50, 610, '2024-02-10 00:00:00'),
            permission(60, 603, '0000-00-00 00:00:00'),
            permission(70, 601, '2099-02-10 00:00:00'),
            permission(80, 601, '2099-02-10 00:00:00'),
          ],
        },
      },
      true,
    ),
  );
  shop = await moved(woocommerceImporter, path);
  fixture = await StoreFixture.open(shop.store);
}, 60_000);

const endOf = async (id: number) => {
  const [grant] = await shop.query<{ end: string | null }>(
    `select to_char(end_active at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as end
       from access_grants where order_id = $1`,
    [id],
  );
  return grant?.end;
};

test.each([
  [10, '2024-02-11 00:00', null],
  [20, '2099-02-11 00:00', null],
  [30, null, null],
  [40, null, 'downloads-counted'],
  [50, '2099-02-11 00:00', null],
  [60, null, null],
  [80, '2099-02-11 00:00', 'several-products'],
  [81, null, undefined],
])('access by order %i ends with its last download', async (id, end, reason) => {
  expect(await endOf(id)).toBe(end);
  expect(shop.reported('orders', id)?.reason).toBe(reason);
});

test('access that ends in the shop ends in the same way if its order is completed or reopened here', async () => {
  for (const status of ['cancelled', 'on-hold', 'in-progress', 'completed']) {
    expect((await fixture.api.patch('/orders/70', { status })).status).toBe(200);
    expect(await endOf(70)).toBe('2099-02-11 00:00');
  }
  await expectIntegrity(fixture);
});

test.each([
  [601, 'downloads-limited'],
  [602, 'downloads-limited'],
  [603, null],
  [604, null],
  [610, 'downloads-limited'],
])('the report says if new buyers of product %i have more than in the shop', (id, reason) => {
  expect(shop.reported('products', id)?.reason).toBe(reason);
});
