import { expect, test } from 'vitest';
import { sejoliImporter } from '../../../packages/import/src/sejoli/index.ts';
import { useMoves } from '../moved.ts';
import { writeDump } from '../shops.ts';
import { post, sejoliTables, user } from './shop.ts';

const { dumpPath, moved } = useMoves();

test('The report names affiliates with a bonus or a pixel of their own on pages of products', async () => {
  const people = [
    user(1, { _sejoli_bonus_affiliate_101: '<p>A call with me</p>' }),
    user(2, { _sejoli_id_pixel_affiliate_101: '12345' }),
    user(3, { _sejoli_bonus_affiliate_101: '', _bank_info: 'BCA 5501234700' }),
  ];
  writeDump(dumpPath('people.sql'), sejoliTables(people, {}));
  const shop = await moved(sejoliImporter, dumpPath('people.sql'));
  const reasons = [1, 2, 3].map((id) => shop.reported('users', id)?.reason);
  expect(reasons).toEqual(['no-counterpart', 'no-counterpart', null]);
});

test('The report names products with banners for affiliates', async () => {
  const banner = '_sejoli_affiliate_tool';
  const { post: row, meta } = post(111, 'sejoli-product', 'Course', {
    _price: '350000',
    _enable_sale: 'yes',
    [`${banner}|||0|value`]: '_',
    [`${banner}|title|0|0|value`]: 'A banner',
    [`${banner}|file|0|0|value`]: '77',
  });
  writeDump(dumpPath('banners.sql'), sejoliTables([], { posts: [row], postmeta: meta }));
  const shop = await moved(sejoliImporter, dumpPath('banners.sql'));
  expect(shop.reported('products', 111)?.reason).toBe('tools-missing');
});
