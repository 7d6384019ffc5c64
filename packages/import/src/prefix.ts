import { SourceRefused } from './errors.ts';
import type { Source, SourceTable } from './source.ts';

/** The advice for a missing table. */
export const ALL_TABLES =
  'Export all tables of the shop, or let the user of its database read all of them';

/**
 * Finds the prefix of a shop's tables: `wp_`, another one, or `wp_2_` in a network. It must be `given` only if there
 * are several shops.
 */
export function tablePrefix(source: Source, tables: readonly string[], given?: string): string {
  const found = source.marks
    .map((mark) =>
      tables.filter((table) => table.endsWith(mark)).map((table) => table.slice(0, -mark.length)),
    )
    .find((prefixes) => prefixes.length > 0);
  if (!found)
    throw new SourceRefused(
      'tables',
      `The dump has no ${source.name} shop: no table's name ends in ${source.marks.join(' or ')}. ${ALL_TABLES}`,
    );
  if (given !== undefined && found.includes(given)) return given;
  const [only, ...others] = found;
  if (given === undefined && only !== undefined && others.length === 0) return only;
  throw new SourceRefused(
    'tables',
    `Name the shop by its table prefix: there are ${found.map((prefix) => `"${prefix}"`).join(', ')}`,
  );
}

/** The full names of a source's tables, by their names without prefix. Missing ones are left out. */
export function tableNames(
  { name, tables }: Source,
  prefix: string,
  present: readonly string[],
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const missing: string[] = [];
  for (const [table, declared] of Object.entries(tables)) {
    const full = candidates(table, declared, prefix).find((candidate) =>
      present.includes(candidate),
    );
    if (full !== undefined) found.set(table, full);
    else if (!declared.optional) missing.push(prefix + table);
  }
  if (missing.length === 0) return found;
  throw new SourceRefused(
    'tables',
    `Tables of a ${name} shop are missing: ${missing.join(', ')}. ${ALL_TABLES}`,
  );
}

/** The full names of a source's missing tables. */
export function absentTables(
  source: Source,
  prefix: string,
  present: readonly string[],
): readonly string[] {
  const found = tableNames(source, prefix, present);
  return Object.keys(source.tables)
    .filter((table) => !found.has(table))
    .map((table) => prefix + table);
}

/**
 * The possible names of a table. A site of a network (`wp_2_`) shares some tables with the network's first site
 * (`wp_`).
 */
export const candidates = (table: string, { network }: SourceTable, prefix: string): string[] => [
  prefix + table,
  ...(network ? [prefix.replace(/\d+_$/, '') + table] : []),
];
