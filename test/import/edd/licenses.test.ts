import { beforeAll, describe, expect, test } from 'vitest';
import { eddImporter } from '../../../packages/import/src/edd/index.ts';
import { StoreFixture } from '../../harness/store-fixture.ts';
import { type Moved, useMoves } from '../moved.ts';
import { writeDump } from '../shops.ts';
import { download, eddTables, item, order } from './shop.ts';

const { dumpPath, moved } = useMoves();

const key = (n: number) => String(n).padStart(32, 'abcdef0123456789');

const epoch = (date: string) => Date.parse(date) / 1000;

let shop: Moved;
let api: StoreFixture;

beforeAll(async () => {
  const path = dumpPath('licences.sql');
  const license = (id: number, fields: object = {}) => ({
    id,
    license_key: key(id),
    status: 'active',
    download_id: 21,
    price_id: null,
    payment_id: 1,
    cart_index: 0,
    date_created: '2024-03-01 10:05:00',
    expiration: epoch('2099-03-01T10:05:00Z'),
    parent: 0,
    customer_id: 1,
    user_id: '0',
    ...fields,
  });
  writeDump(
    path,
    eddTables(
      [
        download(21, 'Plugin', { edd_price: '50.00', _edd_sl_enabled: '1', _edd_sl_limit: '2' }),
        download(22, 'Member', { edd_price: '10.00', edd_recurring: 'yes', edd_period: 'year' }),
      ],
      {
        edd_orders: [
          order(1),
          order(2, { total: '10.000000000' }),
          order(3, { status: 'revoked' }),
        ],
        edd_order_items: [
          item(1, 1),
          item(2, 2, { product_id: 22, subtotal: '10.000000000', total: '10.000000000' }),
          item(3, 3),
        ],
        edd_licenses: [
          license(5),
          license(6, { status: 'disabled' }),
          license(7, { status: 'expired', expiration: epoch('2025-01-01T00:00:00Z') }),
          license(8, { expiration: 0 }),
          license(9, { license_key: key(5).toUpperCase(), download_id: 22 }),
        ],
        edd_licensemeta: [{ edd_license_id: 8, meta_key: '_edd_sl_limit', meta_value: '5' }],
        edd_license_activations: [
          {
            site_id: 1,
            license_id: 5,
            site_name: 'https://www.One.example/',
            activated: 1,
            is_local: 0,
          },
          { site_id: 2, license_id: 5, site_name: 'one.local', activated: 1, is_local: 1 },
          { site_id: 3, license_id: 5, site_name: 'gone.example', activated: 0, is_local: 0 },
        ],
        edd_subscriptions: [
          {
            id: 4,
            customer_id: 1,
            period: 'year',
            parent_payment_id: 2,
            product_id: 22,
            created: '2024-03-01 10:05:00',
            expiration: '2099-05-01 23:59:59',
            status: 'active',
            profile_id: 'sub_made_up',
          },
        ],
      },
    ),
  );
  shop = await moved(eddImporter, path);
  api = await StoreFixture.open(shop.store);
}, 60_000);

const asked = async (operation: string, license: number, string: string) =>
  (await api.api.post(`/licenses/${operation}`, { license: key(license), string })).body as {
    code: string;
  };

describe('Licences of Software Licensing', () => {
  test('keep their codes, seats and ends', async () => {
    const rows = await shop.query(
      `select id, code, status, activation_limit, activation_count, expires_at::date::text as ends
         from licenses order by id`,
    );
    expect(rows).toEqual([
      ...[
        {
          id: '5',
          code: key(5),
          status: 'active',
          activation_limit: 2,
          activation_count: 1,
          ends: '2099-03-01',
        },
        {
          id: '6',
          code: key(6),
          status: 'inactive',
          activation_limit: 2,
          activation_count: 0,
          ends: '2099-03-01',
        },
        {
          id: '7',
          code: key(7),
          status: 'active',
          activation_limit: 2,
          activation_count: 0,
          ends: '2025-01-01',
        },
        {
          id: '8',
          code: key(8),
          status: 'active',
          activation_limit: 5,
          activation_count: 0,
          ends: null,
        },
      ],
    ]);
  });

  test('keep their registered sites; a developer’s machine takes no seat', async () => {
    const rows = await shop.query(
      'select string, seat from license_activations where license_id = 5 order by string',
    );
    expect(rows).toEqual([
      { string: 'one.example', seat: true },
      { string: 'one.local', seat: false },
    ]);
  });

  test("get the service's verdicts: in use, free, out of seats, off, expired", async () => {
    expect(await asked('validate', 5, 'one.example')).toMatchObject({ code: 'VALID' });
    expect(await asked('register', 5, 'two.example')).toMatchObject({ code: 'VALID' });
    expect(await asked('register', 5, 'three.example')).not.toMatchObject({ code: 'VALID' });
    expect(await asked('validate', 6, 'one.example')).not.toMatchObject({ code: 'VALID' });
    expect(await asked('validate', 7, 'one.example')).not.toMatchObject({ code: 'VALID' });
  });

  test('whose code differs from that of another product only by case are refused and reported', () => {
    expect(shop.reported('licenses', 9)).toMatchObject({
      outcome: 'refused',
      reason: 'duplicate-code',
    });
  });
});

describe('Subscriptions', () => {
  test('last until the end of the paid time, and name the provider that charges for them', async () => {
    expect(
      await shop.query('select status, end_date::text as ends, first_order_id from subscriptions'),
    ).toEqual([{ status: 'active', ends: '2099-05-01 23:59:59+00', first_order_id: '2' }]);
    expect(shop.reported('subscriptions', 4)).toMatchObject({
      reason: 'charged-elsewhere downloads-end',
      detail: 'sub_made_up',
    });
  });
});

describe('An order whose access was revoked in the shop', () => {
  test('is paid, and gives no access', async () => {
    const rows = await shop.query(
      `select o.status, g.status as access, g.deleted_at is not null as by_hand
         from orders o join access_grants g on g.order_id = o.id where o.id = 3`,
    );
    expect(rows).toEqual([{ status: 'completed', access: 'revoked', by_hand: true }]);
  });
});
