import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Source } from '../../packages/import/src/source.ts';
import { dialects } from './dump-writer.ts';
import type { Cell, Table } from './dump-writer.ts';

/** A text that no staged column may contain. */
export const SECRET = 'whoever-reads-this-can-sign-in';

const secretColumns: Readonly<Record<string, readonly string[]>> = {
  users: ['user_pass', 'user_activation_key'],
  wc_order_operational_data: ['order_key'],
  edd_orders: ['payment_key', 'ip'],
};

/** Rows by table and column; missing values are NULL. */
export type Rows = Readonly<Record<string, readonly Readonly<Record<string, Cell>>[]>>;

export const cellsOf = (row: Readonly<Record<string, Cell | number>>): Rows[string][number] =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' ? { number: String(value) } : value,
    ]),
  );

export function shopTables(source: Source, rows: Rows, prefix = 'wp_'): Table[] {
  return Object.entries(source.tables)
    .filter(([name, { optional }]) => !optional || rows[name])
    .map(([name, declared]) => {
      const secrets = secretColumns[name] ?? [];
      const columns = ['unwanted', ...secrets, ...declared.columns];
      return {
        name: prefix + name,
        columns,
        rows: (rows[name] ?? []).map((row) =>
          columns.map((column) => (secrets.includes(column) ? SECRET : (row[column] ?? null))),
        ),
      };
    });
}

/** Writes a dump of these tables, zipped if the path says so. */
export function writeDump(path: string, tables: readonly Table[], dialect = dialects[0]): void {
  const text = dialect?.write(tables) ?? '';
  writeFileSync(path, path.endsWith('.gz') ? gzipSync(text) : text);
}
