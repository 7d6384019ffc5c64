import { expect } from 'vitest';
import { eddImporter } from '../../packages/import/src/edd/index.ts';
import type { Importer } from '../../packages/import/src/importer.ts';
import { sejoliImporter } from '../../packages/import/src/sejoli/index.ts';
import type { Source } from '../../packages/import/src/source.ts';
import { woocommerceImporter } from '../../packages/import/src/woocommerce/index.ts';
import { dice } from './dice.ts';
import type { Cell, Table } from './dump-writer.ts';
import { randomEddShop } from './edd/random.ts';
import type { Moved, useMoves } from './moved.ts';
import { randomShop } from './sejoli/random.ts';
import { writeDump } from './shops.ts';
import { randomWooShop } from './woocommerce/random.ts';

const nonsense: readonly Cell[] = [
  ...[null, '', '0', '-1', 'nonsense', '0000-00-00 00:00:00', '9999-99-99 99:99:99'],
  ...['99999999999999999999', '1.005', '-350000.00', 'a:1:{', '\u0000', "'; drop table users; --"],
  ...['1e3', ' 5 ', '1969-01-01 00:00:00', ' Person1@people.example'],
  ...['a:1:{s:13:"administrator";b:1;', 'constructor'],
];

/** Columns that stay unchanged: keys of rows, and statuses of orders, because unknown ones are asked about. */
const kept =
  /^(ID|meta_key|option_name|post_type|post_status|unwanted|user_pass|user_activation_key)$/;

/** The keys of rows, and the statuses of orders, by table. */
const keptIn: Readonly<Record<string, RegExp>> = {
  ...{ affiliate_wp_affiliates: /^affiliate_id$/, affiliate_wp_referrals: /^referral_id$/ },
  ...{ affiliate_wp_payouts: /^payout_id$/, woocommerce_order_items: /^order_item_id$/ },
  ...{ edd_orders: /^(id|status)$/, edd_order_items: /^(id|status)$/, wc_orders: /^(id|status)$/ },
  edd_license_activations: /^site_id$/,
};

/** Tables that the plan depends on. */
const untouched = /^(options|terms|term_taxonomy|term_relationships)$/;

/** A shop in which one of so many values is replaced by nonsense. */
function mutated(tables: readonly Table[], seed: number, of = 100): Table[] {
  const roll = dice(seed);
  return tables.map((table) => {
    const name = table.name.replace(/^wp_/, '');
    if (untouched.test(name)) return table;
    const own = keptIn[name] ?? /^(id|status)$/;
    const isKept = (column = '') =>
      kept.test(column) || own.test(column) || (name.endsWith('meta') && column !== 'meta_value');
    const cellOf = (cell: Cell, i: number) =>
      isKept(table.columns[i]) || roll(of) > 0 ? cell : (nonsense[roll(nonsense.length)] ?? null);
    return { ...table, rows: table.rows.map((row) => row.map(cellOf)) };
  });
}

/** The rows that the report must have, by their ids: tables, or queries. */
type Sources = Readonly<Record<string, string>>;

const ofAffiliates: Sources = {
  commissions: 'select referral_id as id from affiliate_wp_referrals',
  payouts: 'select payout_id as id from affiliate_wp_payouts',
};

/** Random shops of every kind by a seed, and the sources of their reports. */
export const kinds: Readonly<
  Record<
    string,
    { importer: Importer<Source>; shop: (seed: number, size?: number) => Table[]; sources: Sources }
  >
> = {
  Sejoli: {
    importer: sejoliImporter as unknown as Importer<Source>,
    shop: (seed, size = 300) => randomShop(size, seed),
    sources: {
      users: 'select ID as id from users',
      orders: 'select ID as id from sejolisa_orders',
      commissions: 'select ID as id from sejolisa_affiliates',
      subscriptions: 'select ID as id from sejolisa_subscriptions',
      licenses: 'select ID as id from sejolisa_licenses',
      coupons: 'select ID as id from sejolisa_coupons',
      confirmations: 'select ID as id from sejolisa_confirmations',
    },
  },
  WooCommerce: ofWooCommerce(true),
  'WooCommerce among the posts': ofWooCommerce(false),
  'Easy Digital Downloads': {
    importer: eddImporter as unknown as Importer<Source>,
    shop: (seed, size = 100) => randomEddShop(size, seed),
    sources: {
      ...ofAffiliates,
      users: `select ID as id from users union all select 'customer ' || id from edd_customers`,
      orders: 'select id from edd_orders',
      subscriptions: 'select id from edd_subscriptions',
      licenses: 'select id from edd_licenses',
      coupons: 'select id from edd_adjustments',
      products: 'select ID as id from posts',
    },
  },
};

function ofWooCommerce(isInTables: boolean) {
  return {
    importer: woocommerceImporter as unknown as Importer<Source>,
    shop: (seed: number, size = 100) => randomWooShop(size, seed, isInTables),
    sources: {
      ...ofAffiliates,
      users: 'select ID as id from users',
      orders: `select id from shop_order where type is not 'shop_subscription'`,
      subscriptions: `select id from shop_order where type = 'shop_subscription'`,
      licenses: 'select id from lic_key_tbl',
      coupons: `select ID as id from posts where post_type = 'shop_coupon'`,
      products: `select ID as id from posts where post_type = 'product'`,
    },
  };
}

function expectAllReported({ staging }: Moved, sources: Sources): void {
  for (const [entity, query] of Object.entries(sources)) {
    const missing = staging.database
      .prepare(
        `select id from (${query})
          where cast(id as text) not in (select id from entity_row where entity = ?)`,
      )
      .all(entity);
    expect([entity, missing]).toEqual([entity, []]);
  }
}

/** Imports a shop in which one of a hundred values is nonsense; fails unless every row is accounted for. */
export async function expectMovedIn(
  { dumpPath, moved }: ReturnType<typeof useMoves>,
  [name, { importer, shop, sources }]: [string, (typeof kinds)[string]],
  seed: number,
): Promise<void> {
  const path = dumpPath(`mutated-${name.replaceAll(' ', '-')}-${seed}.sql`);
  writeDump(path, mutated(shop(seed), seed));
  const store = await moved(importer, path);
  expectAllReported(store, sources);
  expect(await store.query(`select id from users where 'administrator' = any(roles)`)).toEqual([]);
  // No imported row is refused by the store itself.
  expect(
    store.staging.database
      .prepare(`select entity, id from entity_row where reason = 'refused-by-database'`)
      .all(),
  ).toEqual([]);
}
