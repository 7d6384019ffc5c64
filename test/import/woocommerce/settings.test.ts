import { expect, test } from 'vitest';
import { woocommerceImporter } from '../../../packages/import/src/woocommerce/index.ts';
import { useMoves } from '../moved.ts';
import { writeDump } from '../shops.ts';
import { madeShop } from './shop.ts';

const { dumpPath, moved } = useMoves();

test.each([
  ['ID:JK', 'ID'],
  ['DE', 'DE'],
  ['nowhere', ''],
])('The country of a shop at "%s" is "%s"', async (woocommerce_default_country, country) => {
  const path = dumpPath(`at-${country}.sql`);
  writeDump(path, madeShop({ orders: [], options: { woocommerce_default_country } }, false));
  const shop = await moved(woocommerceImporter, path);
  expect(await shop.query('select country from settings')).toEqual([{ country }]);
});
