import { describe, expect, test } from 'vitest';
import { eddImporter } from '../../packages/import/src/edd/index.ts';
import { sejoliImporter } from '../../packages/import/src/sejoli/index.ts';
import { woocommerceImporter } from '../../packages/import/src/woocommerce/index.ts';
import { long } from '../harness/long.ts';
import { StoreFixture } from '../harness/store-fixture.ts';
import { download, eddTables, item, order as eddOrder } from './edd/shop.ts';
import { type Moved, useMoves } from './moved.ts';
import { order, sejoliTables, timeOf, user } from './sejoli/shop.ts';
import { cellsOf, writeDump } from './shops.ts';
import { madeShop } from './woocommerce/shop.ts';

const { dumpPath, moved } = useMoves();

/** Tells if the code opens the place, and which licence it belongs to. */
async function opens(shop: Moved, code: string, string: string) {
  const { api } = await StoreFixture.open(shop.store);
  const { body } = await api.post('/licenses/validate', { license: code, string });
  return body.code as string;
}

const codeOf = async (shop: Moved) =>
  shop.query(
    `select id::int, code, activation_limit as seats,
            array(select string from license_activations a where a.license_id = l.id order by 1) as places
       from licenses l order by id`,
  );

describe('Two licence codes that differ only by case become one licence, which both open', () => {
  test('of Sejoli', async () => {
    const path = dumpPath('sejoli.sql');
    const licence = (ID: number, order_id: number, code: string, string: string) => ({
      ...{ ID, created_at: timeOf(0), updated_at: timeOf(0), deleted_at: '0000-00-00 00:00:00' },
      ...{ order_id, user_id: order_id, product_id: 101, code, string, status: 'active' },
    });
    writeDump(
      path,
      sejoliTables([user(1), user(2)], {
        sejolisa_orders: [order(1), order(2, { user_id: 2 })],
        sejolisa_licenses: [
          licence(1, 1, 'ab-cd', 'one.example'),
          licence(2, 2, 'AB-CD', 'two.example'),
          licence(3, 2, 'Ab-cd', 'three.example'),
          licence(4, 2, '\u00C9t\u00E9-1', 'four.example'),
          licence(5, 2, '\u00E9T\u00C9-1', 'five.example'),
        ],
      }),
    );
    const shop = await moved(sejoliImporter, path);
    expect(await codeOf(shop)).toEqual([
      { id: 1, code: 'ab-cd', seats: 6, places: ['one.example', 'three.example', 'two.example'] },
      { id: 4, code: '\u00C9t\u00E9-1', seats: 3, places: ['five.example', 'four.example'] },
    ]);
    expect(await opens(shop, 'ab-cd', 'one.example')).toBe('VALID');
    expect(await opens(shop, 'AB-CD', 'two.example')).toBe('VALID');
    expect(shop.reported('licenses', 1)?.reason).toBe('code-read-alike');
    expect(shop.reported('licenses', 2)).toMatchObject({
      ...{ outcome: 'changed', targetId: '1', reason: 'code-read-alike' },
    });
    expect(shop.reported('licenses', 3)).toMatchObject({ outcome: 'changed', targetId: '1' });
  });

  long('of Software License Manager', async () => {
    const path = dumpPath('woocommerce.sql');
    const key = (id: number, license_key: string, said: object = {}) =>
      cellsOf({
        ...{ id, license_key, product_ref: '501', lic_status: 'active' },
        ...{ email: `holder${id}@people.example`, max_allowed_domains: '1' },
        ...{ max_allowed_devices: '0', date_created: '2024-02-01', date_expiry: '2099-06-30' },
        ...said,
      });
    const used = (id: number, lic_key_id: number, registered_domain: string) =>
      cellsOf({ id, lic_key_id, registered_domain });
    const more = {
      lic_key_tbl: [
        key(1, 'Key-A'),
        key(2, 'KEY-a', { lic_status: 'blocked', date_expiry: '0000-00-00' }),
        // The first one has no product.
        key(3, 'key-b', { product_ref: '' }),
        key(4, 'KEY-B'),
        key(5, 'key-c'),
        key(6, 'KEY-C', { product_ref: '77' }),
      ],
      lic_reg_domain_tbl: [used(1, 1, 'one.example'), used(2, 2, 'two.example')],
      lic_reg_devices_tbl: [],
    };
    writeDump(path, madeShop({ orders: [], more }, false));
    const shop = await moved(woocommerceImporter, path);
    expect(await codeOf(shop)).toEqual([
      { id: 1, code: 'Key-A', seats: 2, places: ['one.example', 'two.example'] },
      { id: 4, code: 'KEY-B', seats: 1, places: [] },
      { id: 5, code: 'key-c', seats: 1, places: [] },
    ]);
    expect(await opens(shop, 'Key-A', 'one.example')).toBe('VALID');
    expect(await opens(shop, 'KEY-a', 'two.example')).toBe('VALID');
    expect(shop.reported('licenses', 2)).toMatchObject({ targetId: '1', detail: '1' });
    expect(shop.reported('licenses', 3)).toMatchObject({
      outcome: 'refused',
      reason: 'no-product',
    });
    expect(shop.reported('licenses', 6)).toMatchObject({ outcome: 'refused', detail: '5' });
  });

  long('of Software Licensing', async () => {
    const path = dumpPath('edd.sql');
    const license = (id: number, license_key: string, fields: object = {}) => ({
      ...{ id, license_key, status: 'active', download_id: 21, payment_id: id, cart_index: 0 },
      ...{ date_created: '2024-03-01 10:05:00', expiration: '0', customer_id: 1, user_id: 0 },
      ...fields,
    });
    const site = (site_id: number, license_id: number, site_name: string) => ({
      ...{ site_id, license_id, site_name, activated: 1, is_local: 0 },
    });
    writeDump(
      path,
      eddTables([download(21, 'Plugin', { edd_price: '50', _edd_sl_limit: '1' })], {
        edd_orders: [eddOrder(1), eddOrder(2)],
        edd_order_items: [item(1, 1), item(2, 2)],
        edd_licenses: [
          license(2, 'ABCDEF', { expiration: '1700000000' }),
          license(1, 'abcdef', { status: 'disabled', expiration: '1600000000' }),
        ],
        edd_licensemeta: [],
        edd_license_activations: [site(1, 1, 'one.example'), site(2, 2, 'two.example')],
      }),
    );
    const shop = await moved(eddImporter, path);
    expect(await codeOf(shop)).toEqual([
      { id: 1, code: 'abcdef', seats: 2, places: ['one.example', 'two.example'] },
    ]);
    expect(
      await shop.query(`select status, extract(epoch from expires_at)::int as ends from licenses`),
    ).toEqual([{ status: 'active', ends: 1_700_000_000 }]);
    expect(shop.reported('licenses', 2)).toMatchObject({
      targetId: '1',
      reason: 'code-read-alike',
    });
  });
});

long(
  'A code whose spelling changes is explained in the report, and opens the same as before',
  async () => {
    const path = dumpPath('respelled.sql');
    // Five groups with a valid check character of the service, without hyphens and with a small o for 0.
    const code = 'o'.repeat(25);
    const licence = {
      ...{ ID: 1, created_at: timeOf(0), updated_at: timeOf(0), deleted_at: '0000-00-00 00:00:00' },
      ...{
        order_id: 1,
        user_id: 1,
        product_id: 101,
        code,
        string: 'one.example',
        status: 'active',
      },
    };
    writeDump(
      path,
      sejoliTables([user(1)], { sejolisa_orders: [order(1)], sejolisa_licenses: [licence] }),
    );
    const shop = await moved(sejoliImporter, path);
    expect(await codeOf(shop)).toMatchObject([{ code: '00000-00000-00000-00000-00000' }]);
    expect(shop.reported('licenses', 1)?.reason).toBe('code-read-alike');
    expect(await opens(shop, code, 'one.example')).toBe('VALID');
  },
);
