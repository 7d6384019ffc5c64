import { beforeAll, describe, expect, test } from 'vitest';
import { woocommerceImporter } from '../../../packages/import/src/woocommerce/index.ts';
import { StoreFixture } from '../../harness/store-fixture.ts';
import { type Moved, useMoves } from '../moved.ts';
import { writeDump } from '../shops.ts';
import { type MadePost, madeShop } from './shop.ts';

const { dumpPath, moved } = useMoves();

const shipped = { _price: '10', _regular_price: '10' };
const virtual = { ...shipped, _virtual: 'yes' };
const download = { ...shipped, _downloadable: 'yes' };
const monthly = { _subscription_period: 'month', _subscription_period_interval: '1' };

/** A variable product, whose own settings say that it is shipped. */
const variable = (id: number, ...variations: readonly Partial<MadePost>[]): MadePost[] => [
  { id, type: 'product', title: `Product ${id}`, meta: { _price: '10', _virtual: 'no' } },
  ...variations.map((variation, i) => ({
    ...{ id: id + i + 1, type: 'product_variation', title: `Variation ${i}`, parent: id },
    ...variation,
  })),
];

let shop: Moved;
let f: StoreFixture;

beforeAll(async () => {
  const tables = madeShop(
    {
      users: [{ id: 3, email: 'ada@people.example' }],
      posts: [
        ...variable(510, { meta: { ...virtual, ...monthly } }),
        ...variable(520, { meta: virtual }, { meta: download }),
        ...variable(530, { meta: virtual }, { meta: shipped }),
        ...variable(540, { meta: shipped }, { meta: shipped }),
        ...variable(550, { meta: virtual }, { meta: shipped, status: 'private' }),
      ],
      types: {
        ...{ 510: 'variable-subscription', 520: 'variable', 530: 'variable' },
        ...{ 540: 'variable', 550: 'variable' },
      },
      orders: [
        {
          ...{ id: 40, customer: 3, total: '10.00', paid: true, completed: true },
          lines: [{ product: 510, variation: 511 }],
        },
      ],
      subscriptions: [
        {
          ...{ id: 41, order: 40, every: [1, 'month'], next: '2100-01-31 08:00:00' },
          lines: [{ product: 510, variation: 511 }],
        },
      ],
    },
    true,
  );
  writeDump(dumpPath('variations.sql'), tables);
  shop = await moved(woocommerceImporter, dumpPath('variations.sql'));
  f = await StoreFixture.open(shop.store);
}, 60_000);

describe('A variable product of WooCommerce', () => {
  test('is shipped if one of the variations for sale is', async () => {
    const products = [510, 520, 530, 540, 550];
    const types = products.map(async (id) => (await f.product(id)).type);
    expect(await Promise.all(types)).toEqual([
      ...['digital', 'digital', 'physical', 'physical', 'digital'],
    ]);
    expect(products.map((id) => shop.reported('products', id)?.reason)).toEqual([
      ...[null, null, 'partly-shipped shipping-missing', 'shipping-missing', null],
    ]);
  });

  test('goes on at once when a renewal of a virtual variation is paid', async () => {
    const { body } = await f.api.post('/orders', {
      ...{ product_id: 510, user_id: 3, order_parent_id: 40, payment_gateway: 'manual' },
    });
    const { body: sent } = await f.api.post('/confirmations', { order_id: body.data.id });
    await f.api.post(`/confirmations/${sent.data.id}`, { status: 'approved' });
    expect((await f.order(body.data.id)).status).toBe('completed');
    const ended = (await f.api.get('/subscriptions/41')).body.data.end_date;
    expect(ended).toBe('2100-02-28T08:00:00.000Z');
  });
});
