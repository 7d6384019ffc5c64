import { serialize } from 'php-serialize';
import { beforeAll, describe, expect, test } from 'vitest';
import { eddImporter } from '../../../packages/import/src/edd/index.ts';
import { StoreFixture } from '../../harness/store-fixture.ts';
import { type Moved, useMoves } from '../moved.ts';
import { writeDump } from '../shops.ts';
import { download, eddTables } from './shop.ts';

const { dumpPath, moved } = useMoves();

const licensed = {
  ...{ edd_price: '50', _edd_sl_enabled: '1', _edd_sl_limit: '3' },
  ...{ _edd_sl_exp_unit: 'years', _edd_sl_exp_length: '2' },
};

const priced = (...options: object[]) => ({
  _variable_pricing: '1',
  edd_variable_prices: serialize(
    Object.fromEntries(
      options.map((one, i) => [i + 1, { name: `Option ${i}`, amount: '9', ...one }]),
    ),
  ),
});

const downloads = [
  licensed,
  { ...licensed, edd_sl_download_lifetime: '1', _edd_sl_exp_unit: 'days' },
  { ...licensed, _edd_sl_exp_unit: 'months', _edd_sl_exp_length: '12' },
  { edd_price: '50', _edd_sl_enabled: '1' },
  { ...licensed, ...priced({ license_limit: '5' }, { license_limit: '5' }) },
  { ...licensed, ...priced({ license_limit: '3' }, {}) },
  { ...licensed, ...priced({ is_lifetime: '1' }, { is_lifetime: '1' }) },
  { ...licensed, ...priced({ license_limit: '1' }, { license_limit: '5' }) },
  { ...licensed, ...priced({ license_limit: '0' }, {}) },
  { ...licensed, ...priced({ license_limit: '1' }, { license_limit: '1', is_lifetime: '1' }) },
  { ...priced({ license_limit: '1' }, { license_limit: '5' }) },
].map((meta, i) => download(21 + i, `plugin-${i}`, meta));

let shop: Moved;
let fixture: StoreFixture;

beforeAll(async () => {
  const path = dumpPath('licensing.sql');
  writeDump(path, eddTables(downloads, { edd_orders: [], edd_order_items: [] }));
  shop = await moved(eddImporter, path);
  fixture = await StoreFixture.open(shop.store);
}, 60_000);

/** The status of a product, the seats and days of its licence, and the reason in the report. */
async function sold(place: number) {
  const { status, license } = (await fixture.api.get(`/products/${21 + place}`)).body.data;
  const { active, count, expires_days } = license;
  const reason = shop.reported('products', 21 + place)?.reason ?? null;
  return [status, active ? [count, expires_days] : null, reason];
}

describe('A download with licences', () => {
  test('sells the seats and the length of the shop', async () => {
    expect(await sold(0)).toEqual(['publish', [3, 730], null]);
    expect(await sold(2)).toEqual(['publish', [3, 365], null]);
  });

  test('sells licences for ever if the shop does', async () => {
    expect(await sold(1)).toEqual(['publish', [3, 0], null]);
    expect(await sold(6)).toEqual(['publish', [3, 0], null]);
  });

  test('without a length sells a year, as the plugin does', async () => {
    expect(await sold(3)).toEqual(['publish', [0, 365], null]);
  });

  test('sells the seats of its price options if they are the same', async () => {
    expect(await sold(4)).toEqual(['publish', [5, 730], null]);
    expect(await sold(5)).toEqual(['publish', [3, 730], null]);
  });

  test('is a draft if its price options have other seats or another length', async () => {
    for (const place of [7, 8, 9])
      expect(await sold(place)).toMatchObject(['draft', {}, 'licences-differ']);
  });

  test('without Software Licensing is sold, whatever seats its options name', async () => {
    expect(await sold(10)).toEqual(['publish', null, null]);
  });
});
