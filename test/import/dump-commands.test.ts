import { expect, test } from 'vitest';
import { dumpCommands } from '../../src/local/import/dump-commands.ts';
import type { Source } from '../../src/local/import/source.ts';

const table = { columns: ['ID'], index: ['ID'] };

const shop: Source = {
  name: 'shop',
  marks: ['orders'],
  tables: {
    users: { ...table, network: true },
    orders: table,
    wallet: { ...table, optional: true },
  },
};

test('The tables of a shop are dumped, and no others', () => {
  expect(dumpCommands(shop)).toEqual([
    expect.stringMatching(/^mysqldump .* DATABASE wp_users wp_orders$/),
    'wp db export shop.sql --tables=wp_users,wp_orders',
    'Add those of these that the shop has: wp_wallet',
  ]);
});

test('The people of a network are those of its first site', () => {
  const [mysqldump, wp, others] = dumpCommands(shop, 'toko_2_');
  expect(mysqldump).toMatch(/ DATABASE toko_users toko_2_orders$/);
  expect(wp).toMatch(/--tables=toko_users,toko_2_orders$/);
  expect(others).toMatch(/: toko_2_wallet$/);
});

test('Where every shop has all tables, nothing is to be added', () => {
  expect(dumpCommands({ ...shop, tables: { orders: table } }, 'a_')).toHaveLength(2);
});
