import { candidates } from './prefix.ts';
import type { Source, SourceTable } from './source.ts';

/**
 * The commands that dump what is imported of a shop and no other table, with `DATABASE` in place of its name;
 * behind them the tables that not every such shop has, as the tools dump nothing where one is missing.
 */
export function dumpCommands(source: Source, prefix = 'wp_'): readonly string[] {
  const tables = Object.entries<SourceTable>(source.tables);
  const names = (isOptional: boolean) =>
    tables
      .filter(([, { optional }]) => (optional ?? false) === isOptional)
      .map(([table, declared]) => candidates(table, declared, prefix).at(-1) ?? table);
  const needed = names(false);
  const others = names(true);
  return [
    `mysqldump --single-transaction --no-tablespaces --default-character-set=utf8mb4 --result-file=shop.sql --user=USER --password DATABASE ${needed.join(' ')}`,
    `wp db export shop.sql --tables=${needed.join()}`,
    ...(others.length > 0 ? [`Add those of these that the shop has: ${others.join(' ')}`] : []),
  ];
}
