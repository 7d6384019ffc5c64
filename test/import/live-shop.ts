import { sejoli } from '../../packages/import/src/sejoli/source.ts';
import type { MariaDb } from './mariadb.ts';
import { SECRET, shopTables } from './shops.ts';

/** Types of columns in this shop other than texts, so that each kind occurs. */
const types: Readonly<Record<string, string>> = {
  ID: 'bigint unsigned not null primary key',
  user_registered: "datetime not null default '0000-00-00 00:00:00'",
  created_at: 'datetime',
  updated_at: 'timestamp null',
  grand_total: 'decimal(26,8)',
  commission: 'double',
  affiliate_id: 'bigint unsigned',
  deleted_at: 'date',
  meta_data: 'longblob',
};

/** A text with everything that SQL has to escape. */
export const hostile = `'"\\ \u001A\n\r\t%_ \`; -- 😀 é ${'x'.repeat(100)}`;

const rows = {
  users: [
    { ID: '7', user_email: 'ani@example.com', display_name: hostile },
    { ID: '3', user_email: 'BUDI@example.com', user_registered: '2024-02-30 10:00:00' },
  ],
  usermeta: [
    { user_id: '7', meta_key: '_affiliate_id', meta_value: '3' },
    { user_id: '7', meta_key: '_AFFILIATE_ID', meta_value: SECRET },
    { user_id: '7', meta_key: 'wp_capabilities', meta_value: 'a:1:{s:13:"sejoli-member";b:1;}' },
    { user_id: '7', meta_key: 'session_tokens', meta_value: SECRET },
  ],
  posts: [{ ID: '20', post_type: 'sejoli-product', post_title: hostile }],
  postmeta: [
    { post_id: '20', meta_key: '_sejoli_commission|number|0|0|value', meta_value: '10' },
    { post_id: '20', meta_key: '_sejoliXcommission|number', meta_value: SECRET },
  ],
  sejolisa_orders: [
    {
      ID: '18446744073709551615',
      affiliate_id: '9007199254740993',
      grand_total: '123456789012345678.12345678',
      created_at: '0000-00-00 00:00:00',
      deleted_at: '0000-00-00',
      meta_data: 'a\0b',
    },
    { ID: '2', grand_total: '0', updated_at: '2026-03-10 09:00:00', status: '' },
    { ID: '10', grand_total: '-0.1' },
  ],
  sejolisa_affiliates: [{ ID: '1', commission: '0.1' }],
  sejolisa_coupons: [{ ID: '1', code: 'CAFÉ €5 ü' }],
};

/** Options of tables that differ from the others. */
const tails: Readonly<Record<string, string>> = {
  wp_users: 'engine=MyISAM default charset=utf8mb4',
  wp_sejolisa_coupons: 'engine=InnoDB default charset=latin1',
};

export async function createShop(server: MariaDb, name: string): Promise<void> {
  await server.root.query(
    `create database ${name}; use ${name}; set names utf8mb4; set sql_mode = 'ALLOW_INVALID_DATES'`,
  );
  for (const table of shopTables(sejoli, rows)) {
    const columns = table.columns.map((column) => `\`${column}\` ${types[column] ?? 'longtext'}`);
    const tail = tails[table.name] ?? 'engine=InnoDB default charset=utf8mb4';
    await server.root.query(`create table ${table.name} (${columns.join()}) ${tail}`);
    for (const cells of table.rows) {
      const named = table.columns.flatMap((column, at) => {
        const cell = cells[at];
        return cell === null ? [] : [[column, cell] as const];
      });
      await server.root.query(`insert into ${table.name} set ?`, [Object.fromEntries(named)]);
    }
  }
}
