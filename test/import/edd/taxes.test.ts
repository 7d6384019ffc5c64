import { serialize } from 'php-serialize';
import { expect, test } from 'vitest';
import { eddImporter } from '../../../packages/import/src/edd/index.ts';
import { useMoves } from '../moved.ts';
import { writeDump } from '../shops.ts';
import { download, eddTables } from './shop.ts';

const { dumpPath, moved } = useMoves();

const downloads = [
  download(21, 'taxed', { edd_price: '50' }),
  download(22, 'free-of-tax', { edd_price: '50', _edd_download_tax_exclusive: '1' }),
];

async function soldWith(settings: object) {
  const option_value = serialize({ currency: 'USD', ...settings });
  const path = dumpPath(`${Object.values(settings).join('-') || 'none'}.sql`);
  const options = [
    { option_name: 'timezone_string', option_value: 'UTC' },
    { option_name: 'edd_settings', option_value },
  ];
  const rows = { options, edd_orders: [], edd_order_items: [] };
  writeDump(path, eddTables(downloads, rows));
  const shop = await moved(eddImporter, path);
  const sold = await shop.query<object>(
    `select status, (tax ->> 'inclusive')::boolean as inclusive from products order by id`,
  );
  return sold.map((row, i) => ({
    ...row,
    reason: shop.reported('products', 21 + i)?.reason ?? null,
  }));
}

const untaxed = { status: 'publish', inclusive: false, reason: null };

test('A shop with taxes has its taxed downloads in the report, and says if prices include the tax', async () => {
  const taxed = { ...untaxed, reason: 'tax-missing' };
  expect(await soldWith({ enable_taxes: '1', prices_include_tax: 'no' })).toEqual([taxed, untaxed]);
  expect(await soldWith({ enable_taxes: '1', prices_include_tax: 'yes' })).toEqual([
    { ...taxed, inclusive: true },
    untaxed,
  ]);
});

test('A shop without taxes has no download to set a rate for', async () => {
  expect(await soldWith({ prices_include_tax: 'yes' })).toEqual([untaxed, untaxed]);
});
