import { serialize } from 'php-serialize';
import { beforeAll, describe, expect, test } from 'vitest';
import { eddImporter } from '../../../packages/import/src/edd/index.ts';
import { StoreFixture } from '../../harness/store-fixture.ts';
import { type Moved, useMoves } from '../moved.ts';
import { writeDump } from '../shops.ts';
import { download, eddTables } from './shop.ts';

const { dumpPath, moved } = useMoves();

/** The conditions of each discount, by its id from 1. */
const conditions: readonly Readonly<Record<string, string>>[] = [
  { categories: serialize([7]) },
  { categories: serialize([7]), term_condition: 'exclude', excluded_product: serialize([22]) },
  { categories: serialize([7]), product_requirement: serialize([21, 22]) },
  { categories: serialize([9]) },
  { categories: serialize([7, 99]), term_condition: 'exclude' },
  { categories: 'a:1:{i:0;i:7' },
  { product_requirement: '22_1' },
  { product_requirement: '22' },
  { product_requirement: serialize(Array.from({ length: 201 }, (_, i) => i + 1)) },
  ...[{}, {}],
];

/** The uses that the shop counted, by discount. */
const uses: Readonly<Record<number, object>> = {
  10: { max_uses: 5, use_count: 5 },
  11: { max_uses: 5, use_count: 4 },
};

let shop: Moved;

beforeAll(async () => {
  const downloads = [21, 22, 23].map((id) => download(id, `plugin-${id}`, { edd_price: '50' }));
  const rows = {
    edd_orders: [],
    edd_order_items: [],
    edd_adjustments: conditions.map((_, i) => ({
      ...{ id: i + 1, parent: 0, name: 'x', code: `CODE${i + 1}`, status: 'active' },
      ...{ type: 'discount', scope: 'global', amount_type: 'percent', amount: '90', max_uses: 0 },
      ...{ use_count: 0, once_per_customer: 0, min_charge_amount: '0' },
      date_created: '2024-01-01 00:00:00',
      ...uses[i + 1],
    })),
    edd_adjustmentmeta: conditions.flatMap((meta, i) =>
      Object.entries(meta).map(([meta_key, meta_value]) => ({
        ...{ edd_adjustment_id: i + 1, meta_key, meta_value },
      })),
    ),
    term_taxonomy: [
      { term_taxonomy_id: 1, term_id: 7, taxonomy: 'download_category', parent: 0 },
      { term_taxonomy_id: 2, term_id: 8, taxonomy: 'download_category', parent: 7 },
      { term_taxonomy_id: 3, term_id: 9, taxonomy: 'download_category', parent: 0 },
    ],
    term_relationships: [
      { object_id: 21, term_taxonomy_id: 1 },
      { object_id: 23, term_taxonomy_id: 2 },
    ],
  };
  const path = dumpPath('discounts.sql');
  writeDump(path, eddTables(downloads, rows));
  shop = await moved(eddImporter, path);
}, 60_000);

async function rule(id: number) {
  const [row] = await shop.query<object>(
    `select status, rule -> 'apply_only' as only, rule -> 'cant_apply' as never from coupons where id = $1`,
    [id],
  );
  return { ...row, reason: shop.reported('coupons', id)?.reason ?? null };
}

describe('A discount of categories', () => {
  const of = { status: 'active', only: [], never: [], reason: 'no-counterpart' };

  test('applies to the products in them and in those below, and to no other', async () => {
    expect(await rule(1)).toEqual({ ...of, only: [21, 23] });
    const { api } = await StoreFixture.open(shop.store);
    const { id: user_id } = (await api.post('/users', { email: 'ada@people.example' })).body.data;
    const placed = (product_id: number) =>
      api.post('/orders', { product_id, user_id, coupon_code: 'CODE1' });
    expect((await placed(22)).status).toBe(409);
    expect((await placed(21)).body.data).toMatchObject({ grand_total: 500 });
  });

  test('or of all but them is kept out of theirs', async () => {
    expect(await rule(2)).toEqual({ ...of, never: [22, 21, 23] });
  });

  test('with products applies to those in both', async () => {
    expect(await rule(3)).toEqual({ ...of, only: [21] });
  });
});

test.each([
  ['whose categories are empty', 4, 'switched-off no-counterpart'],
  ['of a category that is not in the dump', 5, 'switched-off no-counterpart'],
  ['with unreadable categories', 6, 'value-impossible switched-off'],
  ['for a single price option', 7, 'switched-off no-counterpart'],
  ['for more products than a coupon can have', 9, 'switched-off no-counterpart'],
])('A discount %s is switched off', async (_, id, reason) => {
  expect(await rule(id)).toMatchObject({ status: 'pending', reason });
});

test('A discount for a product is imported as it is', async () => {
  expect(await rule(8)).toEqual({ status: 'active', only: [22], never: [], reason: null });
});

test('A discount that is used up in the shop is switched off, though its orders are gone', async () => {
  expect(await rule(10)).toMatchObject({ status: 'pending', reason: 'switched-off uses-differ' });
  expect(await rule(11)).toMatchObject({ status: 'active', reason: 'uses-differ' });
});
