import { candidates } from './prefix.ts';
import type { Source, SourceTable } from './source.ts';

const program = (name: string) => `${name} --user=USER --password`;

/**
 * The commands that dump only the tables that are read; `DATABASE` stands for the database's name. They first ask which
 * tables exist, because the tools dump nothing if a table is missing.
 */
export function dumpCommands(source: Source, prefix = 'wp_'): readonly string[] {
  const names = Object.entries<SourceTable>(source.tables).map(
    ([table, declared]) => candidates(table, declared, prefix).at(-1) ?? table,
  );
  const quoted = names.map((name) => `'${name}'`).join(', ');
  const query = `select table_name from information_schema.tables where table_schema = 'DATABASE' and table_name in (${quoted})`;
  const present = `${program('mysql')} --batch --skip-column-names --execute="${query}"`;
  return [
    `${program('mysqldump')} --single-transaction --no-tablespaces --default-character-set=utf8mb4 --result-file=shop.sql DATABASE $(${present})`,
    `wp db export shop.sql --tables=$(wp db tables ${names.join(' ')} --all-tables --format=csv)`,
  ];
}
