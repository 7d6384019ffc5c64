import { serialize } from 'php-serialize';
import { describe, expect, test } from 'vitest';
import { eddImporter } from '../../../packages/import/src/edd/index.ts';
import { woocommerceImporter } from '../../../packages/import/src/woocommerce/index.ts';
import { download, eddTables } from '../edd/shop.ts';
import { type Moved, useMoves } from '../moved.ts';
import { cellsOf, writeDump } from '../shops.ts';
import { type MadePost, madeShop } from '../woocommerce/shop.ts';

const { dumpPath, moved } = useMoves();

const affiliates = {
  affiliate_wp_affiliates: [cellsOf({ affiliate_id: 4, user_id: 4, status: 'active', rate: null })],
};

async function programmes(shop: Moved) {
  const rows = await shop.query<{ id: number; affiliate: Programme; many: boolean }>(
    'select id::int, affiliate, enable_quantity as many from products order by id',
  );
  return rows.map(({ id, many, affiliate: { enabled, tiers } }) => {
    const [tier] = tiers;
    const reason = shop.reported('products', id)?.reason ?? '';
    return [id, many, enabled, tier?.fee, tier?.type, reason];
  });
}

interface Programme {
  readonly enabled: boolean;
  readonly tiers: readonly { readonly fee: number; readonly type: string }[];
}

describe('A flat commission of AffiliateWP, which counts once in an order,', () => {
  const product = (id: number, meta: MadePost['meta']): MadePost => ({
    ...{ id, type: 'product', title: `Product ${id}` },
    meta: { _price: '20', _virtual: 'yes', ...meta },
  });
  const rate = (amount: string, type: string) => ({
    _affwp_woocommerce_product_rate: amount,
    _affwp_woocommerce_product_rate_type: type,
  });
  const subscription = { _subscription_period: 'month', _subscription_period_interval: '1' };
  const posts = [
    product(502, { _sold_individually: 'yes' }),
    product(503, rate('10', 'percentage')),
    product(504, rate('7', 'flat')),
    product(505, subscription),
  ];

  async function movedWith(settings: Readonly<Record<string, string>>) {
    const path = dumpPath(`${Object.values(settings).join('-')}.sql`);
    const options = { affwp_settings: serialize(settings) };
    const users = [{ id: 4, email: 'seller@people.example' }];
    const shop = { users, posts, orders: [], types: { 505: 'subscription' } };
    writeDump(path, madeShop({ ...shop, options, more: affiliates }, false));
    return programmes(await moved(woocommerceImporter, path));
  }

  test('is on only for products that are sold one at a time', async () => {
    const settings = { referral_rate: '5', referral_rate_type: 'flat' };
    expect(await movedWith(settings)).toEqual([
      [501, true, false, 500, 'fixed', 'flat-commission shipping-missing'],
      [502, false, true, 500, 'fixed', ''],
      [503, true, true, 10, 'percentage', ''],
      [504, true, false, 700, 'fixed', 'flat-commission'],
      [505, true, true, 500, 'fixed', ''],
    ]);
  });

  test('replaces the rates of products if the shop pays per order', async () => {
    const flat = { referral_rate: '5', referral_rate_type: 'flat', flat_rate_basis: 'per_order' };
    expect((await movedWith(flat)).slice(1, 4)).toEqual([
      [502, false, true, 500, 'fixed', ''],
      [503, true, false, 500, 'fixed', 'flat-commission'],
      [504, true, false, 500, 'fixed', 'flat-commission'],
    ]);
  });

  test('leaves percentages as they are', async () => {
    const settings = { referral_rate: '5', referral_rate_type: 'percentage' };
    expect((await movedWith({ ...settings, flat_rate_basis: 'per_order' })).slice(1, 4)).toEqual([
      [502, false, true, 5, 'percentage', ''],
      [503, true, true, 10, 'percentage', ''],
      [504, true, false, 700, 'fixed', 'flat-commission'],
    ]);
  });

  test.each([
    [{}, {}, false],
    [{ item_quantities: '1' }, {}, true],
    [{ item_quantities: '1' }, { _edd_quantities_disabled: '1' }, false],
  ])('is off in Easy Digital Downloads only with quantities: %j, %j', async (edd, meta, isMany) => {
    const path = dumpPath(`edd-${Object.keys({ ...edd, ...meta }).join('-')}.sql`);
    const options = {
      ...{ blogname: 'Plugins', home: 'https://plugins.example', timezone_string: 'UTC' },
      affwp_settings: serialize({ referral_rate: '5', referral_rate_type: 'flat' }),
      edd_settings: serialize({ currency: 'USD', ...edd }),
    };
    const rows = Object.entries(options).map(([option_name, option_value]) => ({
      option_name,
      option_value,
    }));
    const user = { ID: 4, user_email: 'seller@people.example', display_name: 'Seller' };
    writeDump(
      path,
      eddTables([download(21, 'Plugin', { edd_price: '50', ...meta })], {
        ...{ options: rows, users: [user], ...affiliates },
      }),
    );
    expect(await programmes(await moved(eddImporter, path))).toEqual([
      [21, isMany, !isMany, 500, 'fixed', isMany ? 'flat-commission' : ''],
    ]);
  });
});

const percent = (...fees: number[]) =>
  fees.map((fee, i) => ({ tier: i + 1, fee, type: 'percentage' }));

async function tiersIn(shop: Moved) {
  const rows = await shop.query<{ id: number; affiliate: Programme }>(
    'select id::int, affiliate from products order by id',
  );
  return Object.fromEntries(
    rows.map(({ id, affiliate: { enabled, tiers } }) => {
      const reason = shop.reported('products', id)?.reason;
      return [id, [enabled, tiers, ...(reason ? [reason] : [])]];
    }),
  );
}

const term = (term_id: number, taxonomy: string, name: string) => ({
  terms: [cellsOf({ term_id, name, slug: name })],
  term_taxonomy: [cellsOf({ term_taxonomy_id: term_id, term_id, taxonomy, parent: 0 })],
});

const termMeta = (term_id: number, meta_key: string, meta_value: string) =>
  cellsOf({ term_id, meta_key, meta_value });

const inTerm = (object_id: number, term_taxonomy_id: number) =>
  cellsOf({ object_id, term_taxonomy_id });

describe('A product of WooCommerce has the commissions of AffiliateWP', () => {
  const posts: MadePost[] = [];
  const types: Record<number, string> = {};
  const own = (rate: string, type?: string) => ({
    _affwp_woocommerce_product_rate: rate,
    ...(type ? { _affwp_woocommerce_product_rate_type: type } : {}),
  });
  const disabled = { _affwp_woocommerce_referrals_disabled: '1' };
  const add = (id: number, meta: MadePost['meta'], ...variations: MadePost['meta'][]) => {
    const basics = { _price: '20', _virtual: 'yes', _sold_individually: 'yes' };
    posts.push({ id, type: 'product', title: `Product ${id}`, meta: { ...basics, ...meta } });
    if (variations.length > 0) types[id] = 'variable';
    for (const [i, one] of variations.entries())
      posts.push({
        ...{ id: id + 1 + i, type: 'product_variation', title: 'Variation', parent: id },
        meta: { _price: '20', _virtual: 'yes', ...one },
      });
  };
  add(510, own('9'), own('5'), own('5'));
  add(520, {}, own('5'), {});
  add(530, own('5'), own('5'), {});
  add(540, {}, disabled, disabled);
  add(550, {}, {}, disabled);
  add(560, {}, {}, { ...disabled, _price: '' });
  add(570, {});
  add(571, {});
  add(572, own('7'));
  add(573, { _affwp_woocommerce_product_rate_type: 'percentage' });
  add(574, {}, own('5'), own('5'));
  add(580, {
    _affwp_mlm_woocommerce_product_rates: serialize([{ rate: '' }, { rate: '4' }]),
  });
  add(590, { _affwp_mlm_woocommerce_product_rate_type: 'flat' });

  const [hats, rare] = [term(77, 'product_cat', 'hats'), term(78, 'product_cat', 'rare')];
  const more = {
    ...affiliates,
    termmeta: [
      termMeta(77, '_affwp_woocommerce_category_rate', '2'),
      termMeta(78, '_affwp_woocommerce_category_rate', '3'),
      termMeta(77, 'order', '10'),
      termMeta(78, 'order', '9'),
    ],
    terms: [...hats.terms, ...rare.terms],
    term_taxonomy: [...hats.term_taxonomy, ...rare.term_taxonomy],
    term_relationships: [...[570, 571, 572, 573, 574].map((id) => inTerm(id, 77)), inTerm(571, 78)],
  };

  async function movedWith(name: string, settings: Readonly<Record<string, unknown>>) {
    const path = dumpPath(`${name}.sql`);
    const options = { affwp_settings: serialize({ referral_rate: '20', ...settings }) };
    const users = [{ id: 4, email: 'seller@people.example' }];
    writeDump(path, madeShop({ users, posts, orders: [], types, options, more }, false));
    return tiersIn(await moved(woocommerceImporter, path));
  }

  test('of its variations, if these are the same, and of its first category', async () => {
    const off = [false, []];
    expect(await movedWith('alone', {})).toMatchObject({
      510: [true, percent(5)],
      520: [...off, 'commissions-differ'],
      530: [true, percent(5)],
      540: off,
      550: [...off, 'commissions-differ'],
      560: [true, percent(20), 'no-price'],
      570: [true, percent(2)],
      571: [true, percent(3)],
      572: [true, percent(7)],
      573: [true, percent(20)],
      574: [true, percent(5)],
    });
  });

  test('of the levels above an affiliate', async () => {
    const levels = {
      affwp_mlm_integrations: { woocommerce: 'WooCommerce' },
      mlm_rates: [{ rate: '5' }, { rate: '2' }],
    };
    expect(await movedWith('levels', levels)).toMatchObject({
      510: [true, percent(5, 5, 2)],
      540: [false, []],
      580: [true, percent(20, 5, 4)],
      590: [
        true,
        [
          { tier: 1, fee: 20, type: 'percentage' },
          { tier: 2, fee: 500, type: 'fixed' },
          { tier: 3, fee: 200, type: 'fixed' },
        ],
      ],
    });
  });

  test('of all levels alike, as many as the add-on pays', async () => {
    const levels = {
      affwp_mlm_integrations: { woocommerce: 'WooCommerce' },
      affwp_mlm_referral_rate: '1',
      affwp_mlm_matrix_depth: '3',
    };
    expect(await movedWith('depth', levels)).toMatchObject({ 572: [true, percent(7, 1, 1, 1)] });
  });

  test('of its affiliate alone, if the add-on for levels is off for WooCommerce', async () => {
    const levels = { affwp_mlm_integrations: { edd: 'EDD' }, mlm_rates: [{ rate: '5' }] };
    expect(await movedWith('off', levels)).toMatchObject({ 572: [true, percent(7)] });
  });
});

test('A download of Easy Digital Downloads has the commissions of its category and of the levels', async () => {
  const path = dumpPath('edd-categories.sql');
  const options = {
    ...{ home: 'https://plugins.example', timezone_string: 'UTC' },
    affwp_settings: serialize({
      affwp_mlm_integrations: { edd: 'EDD' },
      mlm_rates: { 0: { rate: '5' }, 3: { rate: '2' } },
    }),
    edd_settings: serialize({ currency: 'USD' }),
  };
  const own = { _affwp_edd_product_rate: '7' };
  const [late, soon] = [term(8, 'download_category', 'b'), term(9, 'download_category', 'A')];
  writeDump(
    path,
    eddTables(
      [
        download(21, 'Plugin', { edd_price: '50' }),
        download(22, 'Theme', { edd_price: '50' }),
        download(23, 'Font', { edd_price: '50', ...own }),
      ],
      {
        options: Object.entries(options).map(([option_name, option_value]) => ({
          option_name,
          option_value,
        })),
        users: [{ ID: 4, user_email: 'seller@people.example', display_name: 'Seller' }],
        ...affiliates,
        terms: [...late.terms, ...soon.terms],
        term_taxonomy: [...late.term_taxonomy, ...soon.term_taxonomy],
        termmeta: [
          termMeta(8, '_affwp_edd_category_rate', '2'),
          termMeta(9, '_affwp_edd_category_rate', '3'),
        ],
        term_relationships: [inTerm(22, 8), inTerm(22, 9), inTerm(23, 8)],
      },
    ),
  );
  expect(await tiersIn(await moved(eddImporter, path))).toEqual({
    21: [true, percent(20, 5, 2)],
    22: [true, percent(3, 5, 2)],
    23: [true, percent(7, 5, 2)],
  });
});
