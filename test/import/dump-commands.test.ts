import { expect, test } from 'vitest';
import { dumpCommands } from '../../packages/import/src/dump-commands.ts';
import type { Source } from '../../packages/import/src/source.ts';

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

test('The dump has exactly the wanted tables that the shop has', () => {
  expect(dumpCommands(shop)).toEqual([
    expect.stringMatching(
      /^mysqldump .* DATABASE \$\(mysql .* table_name in \('wp_users', 'wp_orders', 'wp_wallet'\)"\)$/,
    ),
    'wp db export shop.sql --tables=$(wp db tables wp_users wp_orders wp_wallet --all-tables --format=csv)',
  ]);
});

test('The people of a network are those of its first site', () => {
  const [mysqldump, wp] = dumpCommands(shop, 'toko_2_');
  expect(mysqldump).toContain(`('toko_users', 'toko_2_orders', 'toko_2_wallet')`);
  expect(wp).toContain(' toko_users toko_2_orders toko_2_wallet ');
});
