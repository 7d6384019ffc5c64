import { expect, test } from 'vitest';
import { couponCodes, renamedCode } from '../../packages/import/src/coupon-codes.ts';
import { sejoliImporter } from '../../packages/import/src/sejoli/index.ts';
import { uniqueSlugs } from '../../packages/import/src/slugs.ts';
import { keyOf } from '../../packages/import/src/wordpress-meta.ts';
import { useMoves } from './moved.ts';
import { sejoliTables, user } from './sejoli/shop.ts';
import { writeDump } from './shops.ts';

const { dumpPath, moved } = useMoves();

const codesOf = (...codes: string[]) => [
  ...couponCodes(codes.map((code, i) => ({ id: i + 1, code, isLive: true }))).values(),
];

test.each([
  ['été', 'ETE'],
  ['e\u0301te\u0301', 'ETE'],
  ['für', 'FUR'],
  ['diskon🎉', 'DISKON'],
  ['crème brûlée', 'CREME-BRULEE'],
  ['ramadan 10% off', 'RAMADAN-10-OFF'],
  ['straße', 'STRASSE'],
  ['a&b', 'A-B'],
  ['2024', 'C-2024'],
  [' summer ', 'SUMMER'],
  ['-ten-', '-TEN-'],
])('The code %s is imported as %s', (code, ours) => {
  expect(codesOf(code)).toEqual([ours]);
});

test('An unchanged code is never given to another coupon', () => {
  const codes = couponCodes([
    { id: 1, code: 'été', isLive: true },
    { id: 2, code: 'ete', isLive: true },
  ]);
  expect(Object.fromEntries(codes)).toEqual({ 1: 'ETE-1', 2: 'ETE' });
});

test('The report shows the old and the new code if more than the case changed', () => {
  expect(renamedCode('été', 'ETE')).toBe('été → ETE');
  expect(renamedCode(' summer', 'SUMMER')).toBeUndefined();
});

test('Slugs and keys lose the marks on letters, and a slug of the shop stays its own', () => {
  const slugOf = uniqueSlugs(['r%c3%a9sum%c3%a9-kit', 'creme', 'crème']);
  expect(slugOf('r%c3%a9sum%c3%a9-kit', 1)).toBe('resume-kit');
  expect([slugOf('crème', 2), slugOf('creme', 3)]).toEqual(['creme-2', 'creme']);
  expect(keyOf('Größe XL', 'option')).toBe('gro-e-xl');
  expect(keyOf('Résumé', 'option')).toBe('resume');
});

test('The report of an import says which code became which', async () => {
  const coupon = (ID: number, code: string) => ({ ID, code, user_id: 0, coupon_parent_id: 0 });
  const tables = sejoliTables([user(1)], {
    sejolisa_coupons: [coupon(1, 'été'), coupon(2, 'SUMMER')],
  });
  writeDump(dumpPath('codes.sql'), tables);
  const shop = await moved(sejoliImporter, dumpPath('codes.sql'));
  expect(shop.reported('coupons', 1)).toMatchObject({
    reason: expect.stringMatching(/^renamed\b/),
    detail: 'été → ETE',
  });
  expect(shop.reported('coupons', 2)?.detail).toBeNull();
}, 60_000);
