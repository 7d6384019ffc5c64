import { expect, test } from 'vitest';
import { eddImporter } from '../../packages/import/src/edd/index.ts';
import { sejoliImporter } from '../../packages/import/src/sejoli/index.ts';
import { woocommerceImporter } from '../../packages/import/src/woocommerce/index.ts';
import * as edd from './edd/shop.ts';
import { type Moved, useMoves } from './moved.ts';
import * as sejoli from './sejoli/shop.ts';
import { cellsOf, writeDump } from './shops.ts';
import { madeShop } from './woocommerce/shop.ts';

const { dumpPath, moved } = useMoves();

const refused = { outcome: 'refused', reason: 'amount-impossible' };
const imported = { outcome: 'imported', reason: null };

const reported = (shop: Moved, entity: string, ...ids: readonly number[]) =>
  ids.map((id) => {
    const { outcome, reason } = shop.reported(entity, id) ?? {};
    return { outcome, reason };
  });

const referral = (referral_id: number, reference: number, context: string, amount: string) => ({
  ...{ referral_id, affiliate_id: 1, parent_id: 0, status: 'unpaid', amount, context, reference },
  ...{ currency: 'USD', payout_id: 0, date: '2024-06-01 10:00:00' },
});

const affiliateTables = {
  affiliate_wp_affiliates: [{ affiliate_id: 1, user_id: 1, status: 'active', rate: '' }],
  affiliate_wp_payouts: [],
  affiliate_wp_coupons: [],
  affiliate_wp_mlm_connections: [],
};

test('Orders and commissions of Sejoli without an amount are refused, and free ones are imported', async () => {
  const { order, commission } = sejoli;
  const ofOrder = { order_id: 3, affiliate_id: 2 };
  writeDump(
    dumpPath('sejoli.sql'),
    sejoli.sejoliTables([sejoli.user(1), sejoli.user(2, { _affiliate_id: '0' })], {
      sejolisa_orders: [
        order(1, { grand_total: '' }),
        order(2, { grand_total: '0.00' }),
        order(3, { affiliate_id: 2 }),
      ],
      sejolisa_affiliates: [
        commission(1, { ...ofOrder, commission: '' }),
        commission(2, { ...ofOrder, commission: '0.00' }),
      ],
      sejolisa_wallet: [
        { ID: 1, user_id: 1, type: 'in', value: '', valid_point: 1 },
        { ID: 2, user_id: 1, type: 'in', value: '500.00', valid_point: 1 },
      ],
    }),
  );
  const shop = await moved(sejoliImporter, dumpPath('sejoli.sql'));
  expect(reported(shop, 'orders', 1, 2)).toEqual([refused, imported]);
  expect(reported(shop, 'commissions', 1)).toEqual([refused]);
  expect(shop.reported('commissions', 2)?.targetId).toBe('2');
  expect(sejoliImporter.plan(shop.staging, {}).notes).toContain(
    '1 amounts in sejolisa_wallet are unreadable: owed.csv lacks them.',
  );
});

test('Orders, lines and referrals of Easy Digital Downloads without an amount are refused', async () => {
  const { order, item } = edd;
  const free = { subtotal: '0.00', total: '0.00' };
  writeDump(
    dumpPath('edd.sql'),
    edd.eddTables([edd.download(21, 'Plugin', { edd_price: '50.00' })], {
      users: [{ ID: 1, user_email: 'ada@people.example', user_registered: '2024-01-01 00:00:00' }],
      edd_orders: [
        ...[order(1, { total: '' }), order(2, { total: '0.00' }), order(3), order(4), order(5)],
        order(6, { type: 'refund', parent: 5, total: '', date_created: '2024-04-01 10:00:00' }),
      ],
      edd_order_items: [
        ...[item(1, 1), item(2, 2, free), item(3, 3, { tax: '' }), item(4, 4), item(5, 5)],
        item(6, 6, { parent: 5, total: '' }),
      ],
      ...affiliateTables,
      affiliate_wp_referrals: [referral(1, 4, 'edd', '')],
    }),
  );
  const shop = await moved(eddImporter, dumpPath('edd.sql'));
  expect(reported(shop, 'orders', 1, 2, 3)).toEqual([refused, imported, refused]);
  expect(reported(shop, 'orders', 5)).toEqual([{ outcome: 'changed', reason: 'refunds-differ' }]);
  expect(reported(shop, 'commissions', 1)).toEqual([refused]);
});

test('Orders and referrals of WooCommerce without an amount are refused, and refunds are reported', async () => {
  const paid = { customer: 1, paid: true, completed: true };
  const rows = Object.entries({
    ...affiliateTables,
    affiliate_wp_referrals: [{ ...referral(1, 30, 'woocommerce', ''), currency: 'EUR' }],
  }).map(([name, list]) => [name, list.map((row) => cellsOf(row))]);
  writeDump(
    dumpPath('woocommerce.sql'),
    madeShop(
      {
        users: [{ id: 1, email: 'ada@people.example' }],
        orders: [
          { ...paid, id: 10, total: '' },
          { ...paid, id: 20, total: '0.00', lines: [{ total: '0' }] },
          { ...paid, id: 30, total: '10.00', refunds: [{ id: 31, amount: '' }] },
        ],
        more: Object.fromEntries(rows),
      },
      false,
    ),
  );
  const shop = await moved(woocommerceImporter, dumpPath('woocommerce.sql'));
  expect(reported(shop, 'orders', 10, 20)).toEqual([refused, imported]);
  expect(reported(shop, 'orders', 30)).toEqual([{ outcome: 'changed', reason: 'refunds-differ' }]);
  expect(reported(shop, 'commissions', 1)).toEqual([refused]);
});
