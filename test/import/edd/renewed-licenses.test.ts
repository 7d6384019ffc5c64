import { serialize } from 'php-serialize';
import { beforeAll, describe, expect, test } from 'vitest';
import { eddImporter } from '../../../packages/import/src/edd/index.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { StoreFixture } from '../../harness/store-fixture.ts';
import { type Moved, useMoves } from '../moved.ts';
import { writeDump } from '../shops.ts';
import { type Row, download, eddTables, item, order } from './shop.ts';

const { dumpPath, moved } = useMoves();

const key = (n: number) => String(n).padStart(32, 'abcdef0123456789');

const placed = (id: number, year: number, fields: Row = {}): Row =>
  order(id, {
    ...{ date_created: `${year}-03-01 10:00:00`, date_modified: `${year}-03-01 10:05:00` },
    ...{ date_completed: `${year}-03-01 10:05:00`, ...fields },
  });

const license = (id: number, payment_id: number, download_id: number): Row => ({
  ...{ id, license_key: key(id), status: 'active', download_id, price_id: null, payment_id },
  ...{ cart_index: 0, date_created: '2022-03-01 10:05:00', parent: 0, customer_id: 1 },
  ...{ expiration: Date.parse('2099-03-01T10:05:00Z') / 1000, user_id: '0' },
});

const paidBy = (edd_license_id: number, ...payments: readonly number[]): Row[] =>
  payments.map((meta_value) => ({ edd_license_id, meta_key: '_edd_sl_payment_id', meta_value }));

const subscription = (id: number, parent_payment_id: number, fields: Row): Row => ({
  ...{ id, customer_id: 1, period: 'year', parent_payment_id, product_id: 21, price_id: null },
  ...{ created: '2022-03-01 10:05:00', profile_id: '', ...fields },
});

const licensed = { edd_price: '50', _edd_sl_enabled: '1', _edd_sl_limit: '1' };

const downloads = [
  download(21, 'yearly', { ...licensed, edd_recurring: 'yes', edd_period: 'year', edd_times: '0' }),
  download(22, 'theme', licensed),
  download(24, 'all', {
    ...{ edd_price: '90', _edd_product_type: 'bundle' },
    _edd_bundled_products: serialize(['22']),
  }),
];

let shop: Moved;
let fixture: StoreFixture;

beforeAll(async () => {
  const path = dumpPath('renewed.sql');
  const products = { 24: [21, 22], 22: [1, 2, 3, 11, 12] };
  const edd_orders = [
    ...[placed(1, 2022), placed(2, 2023), placed(3, 2024)],
    ...[
      placed(5, 2022),
      placed(6, 2024),
      placed(7, 2025, { parent: 6, status: 'edd_subscription' }),
    ],
    ...[placed(11, 2022), placed(12, 2023, { status: 'refunded' })],
    ...[placed(21, 2022), placed(22, 2024)],
  ];
  const productOf = (id: number) =>
    Object.entries(products).find(([, orders]) => orders.includes(id))?.[0] ?? '21';
  const rows = {
    edd_orders,
    edd_order_items: edd_orders.map(({ id }) =>
      item(Number(id), Number(id), { product_id: productOf(Number(id)) }),
    ),
    edd_subscriptions: [
      subscription(31, 5, { status: 'expired', expiration: '2023-03-01 10:05:00' }),
      subscription(32, 6, { status: 'active', expiration: '2099-03-01 10:05:00' }),
    ],
    edd_licenses: [
      license(41, 1, 22),
      license(42, 5, 21),
      license(43, 11, 22),
      license(44, 21, 22),
    ],
    edd_licensemeta: [
      ...[...paidBy(41, 3, 2), ...paidBy(42, 6, 7)],
      ...[...paidBy(43, 12), ...paidBy(44, 22)],
    ],
  };
  writeDump(path, eddTables(downloads, rows));
  shop = await moved(eddImporter, path);
  fixture = await StoreFixture.open(shop.store);
}, 60_000);

async function verdict(id: number): Promise<string> {
  const asked = await fixture.api.post('/licenses/validate', { license: key(id) });
  return (asked.body as { code: string }).code;
}

const refund = async (id: number) =>
  expect((await fixture.api.post(`/orders/${id}/refunds`, {})).status).toBe(201);

describe('A licence that was renewed by hand', () => {
  test('outlives a refund of the orders before, and ends with a refund of the last', async () => {
    await refund(1);
    await refund(2);
    expect(await verdict(41)).toBe('VALID');
    await refund(3);
    expect(await verdict(41)).toBe('INACTIVE');
  });

  test('follows the subscription that the renewal began, not the expired one', async () => {
    expect(await verdict(42)).toBe('VALID');
    await refund(6);
    expect(await verdict(42)).toBe('VALID');
    await refund(7);
    expect(await verdict(42)).not.toBe('VALID');
  });

  test('follows the order before a refunded renewal', async () => {
    expect(await verdict(43)).toBe('VALID');
    await refund(11);
    expect(await verdict(43)).toBe('INACTIVE');
  });

  test('follows the bundle that it was renewed with', async () => {
    await refund(21);
    expect(await verdict(44)).toBe('VALID');
    await refund(22);
    expect(await verdict(44)).toBe('INACTIVE');
    await expectIntegrity(fixture);
  });
});
