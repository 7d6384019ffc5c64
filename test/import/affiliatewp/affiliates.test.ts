import { serialize } from 'php-serialize';
import { describe, expect, test } from 'vitest';
import { eddImporter } from '../../../packages/import/src/edd/index.ts';
import { woocommerceImporter } from '../../../packages/import/src/woocommerce/index.ts';
import { eddTables } from '../edd/shop.ts';
import { type Moved, useMoves } from '../moved.ts';
import { cellsOf, writeDump } from '../shops.ts';
import { madeShop } from '../woocommerce/shop.ts';

const { dumpPath, moved } = useMoves();

const ids = [4, 5, 6, 7];
const addressOf = (id: number) => `person${id}@people.example`;

const affiliate = (id: number, fields: Readonly<Record<string, string>> = {}) =>
  cellsOf({ affiliate_id: id + 10, user_id: id, status: 'active', ...fields });

const connection = (id: number, parent: number, direct: number) =>
  cellsOf({
    ...{ affiliate_id: id + 10, affiliate_parent_id: parent + 10 },
    direct_affiliate_id: direct + 10,
  });

const rows = {
  affiliate_wp_affiliates: [
    affiliate(4, { payment_email: 'Paypal@people.example', rate_type: 'flat' }),
    affiliate(5, { payment_email: 'nobody' }),
    affiliate(6, { payment_email: '', rate: '', rate_type: '', flat_rate_basis: '' }),
    affiliate(7, { flat_rate_basis: 'per_order' }),
  ],
  affiliate_wp_mlm_connections: [connection(5, 4, 4), connection(6, 5, 4)],
};

async function people(shop: Moved) {
  const found = await shop.query<{ id: number; bank: string; sponsor: number | null }>(
    'select id::int, bank_info as bank, affiliate_id::int as sponsor from users where id in (4, 5, 6, 7) order by id',
  );
  return found.map(({ id, bank, sponsor }) => {
    const reason = shop.reported('users', `affiliate ${id + 10}`)?.reason;
    return [id, bank, sponsor, reason];
  });
}

describe('An affiliate of AffiliateWP keeps the address of their payouts and their sponsor', () => {
  const expected = (sponsor: number) => [
    [4, 'paypal@people.example', null, 'joined no-counterpart'],
    [5, '', 4, 'joined value-impossible'],
    [6, '', sponsor, 'joined'],
    [7, '', null, 'joined no-counterpart'],
  ];

  test.each([
    ['parent', 5],
    ['direct', 4],
  ])('in a shop of WooCommerce whose sponsors are by "%s"', async (basis, sponsor) => {
    const path = dumpPath(`woo-${basis}.sql`);
    const options = { affwp_settings: serialize({ affwp_mlm_upline_basis: basis }) };
    const users = ids.map((id) => ({ id, email: addressOf(id) }));
    writeDump(path, madeShop({ users, orders: [], options, more: rows }, false));
    expect(await people(await moved(woocommerceImporter, path))).toEqual(expected(sponsor));
  });

  test('in a shop of Easy Digital Downloads', async () => {
    const path = dumpPath('edd.sql');
    const users = ids.map((ID) => ({ ID, user_email: addressOf(ID), display_name: `Nr. ${ID}` }));
    writeDump(path, eddTables([], { users, ...rows }));
    expect(await people(await moved(eddImporter, path))).toEqual(expected(5));
  });
});
