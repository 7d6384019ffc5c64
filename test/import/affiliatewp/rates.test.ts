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
