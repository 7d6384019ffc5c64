import { createHash } from 'node:crypto';
import { type TypeCastField, escapeId } from 'mysql2';
import { sourceAddress } from './address.ts';
import { type DecodedText, decode } from './charset.ts';
import { type LiveDatabase, connected } from './connection.ts';
import type { Progress, ReadFacts, Reader, ShopSink } from './reader.ts';
import type { WantedRows } from './source.ts';

/**
 * Reads a shop from its own MySQL or MariaDB, from one snapshot. The fingerprint identifies the database, not its
 * content.
 * @throws SourceRefused
 */
export function liveDatabase(url: string): Reader {
  const address = sourceAddress(url);
  const { host, port, database } = address;
  return {
    isFixed: false,
    fingerprint: async (prefix) =>
      createHash('sha256')
        .update(JSON.stringify([host, port, database, prefix ?? null]))
        .digest('hex')
        .slice(0, 32),
    tables: () => connected(address, async (live) => [...(await enginesOf(live)).keys()]),
    read: (sink, progress) => connected(address, (live) => readAll(live, sink, progress)),
  };
}

/** The settings of mysqldump's connections: every value is written as in a dump, and all come from one snapshot. */
const snapshot = [
  'set names utf8mb4',
  "set session sql_mode = '', time_zone = '+00:00', sql_select_limit = 18446744073709551615",
  'set session transaction isolation level repeatable read',
  'start transaction with consistent snapshot, read only',
];

async function readAll(live: LiveDatabase, sink: ShopSink, progress: Progress): Promise<ReadFacts> {
  for (const statement of snapshot) await live.all(statement);
  const engines = await enginesOf(live);
  const tables = [...engines.keys()].filter((table) => sink.columnsOf(table));
  const missingColumns: string[] = [];
  for (const [done, table] of tables.entries()) {
    progress(done, tables.length);
    const present = await columnsOf(live, table);
    const wanted = sink.columnsOf(table) ?? [];
    const missing = wanted.filter((column) => !present.includes(column));
    missingColumns.push(...missing.map((column) => `${table}.${column}`));
    await readTable(live, table, present, sink);
  }
  progress(tables.length, tables.length);
  return {
    missingColumns,
    withoutSnapshot: tables.filter((table) => engines.get(table)?.toLowerCase() !== 'innodb'),
  };
}

const enginesOf = async (live: LiveDatabase): Promise<ReadonlyMap<string, string | undefined>> =>
  new Map(
    (
      await live.all(
        "select table_name, engine from information_schema.tables where table_schema = database() and table_type = 'BASE TABLE' order by table_name",
      )
    ).map(([table = '', engine]) => [table, engine]),
  );

const columnsOf = async (live: LiveDatabase, table: string): Promise<readonly string[]> =>
  (
    await live.all(
      'select column_name from information_schema.columns where table_schema = database() and table_name = ? order by ordinal_position',
      [table],
    )
  ).flat();

const primaryKeyOf = async (live: LiveDatabase, table: string): Promise<readonly string[]> =>
  (
    await live.all(
      "select column_name from information_schema.statistics where table_schema = database() and table_name = ? and index_name = 'PRIMARY' order by seq_in_index",
      [table],
    )
  ).flat();

async function readTable(
  live: LiveDatabase,
  table: string,
  present: readonly string[],
  sink: ShopSink,
): Promise<void> {
  const columns = (sink.columnsOf(table) ?? []).map((column) =>
    present.includes(column) ? escapeId(column, true) : 'null',
  );
  const rows = sink.wantedRows(table);
  const { where, values } = condition(rows && present.includes(rows.column) ? rows : undefined);
  const key = (await primaryKeyOf(live, table)).map((column) => escapeId(column, true));
  const order = key.length > 0 ? `order by ${key.join()}` : '';
  const sql = `select ${columns.join()} from ${escapeId(table, true)} ${where} ${order}`;
  for await (const row of live.stream<DecodedText | null>({ sql, values, typeCast: asText }))
    sink.row(
      table,
      row.map((value) => value && value.text),
      row.filter((value) => value?.repaired).length,
    );
}

/** Selects the wanted rows, and rows that differ from them only in case, which MySQL ignores. */
function condition(rows: WantedRows | undefined): { where: string; values: string[] } {
  if (!rows) return { where: '', values: [] };
  const column = escapeId(rows.column, true);
  const alternatives = [
    ...rows.values.map(() => `${column} = ?`),
    ...rows.beginnings.map(() => `${column} like ? escape '!'`),
  ];
  const patterns = rows.beginnings.map((text) => `${text.replaceAll(/[!%_]/g, '!$&')}%`);
  return { where: `where ${alternatives.join(' or ')}`, values: [...rows.values, ...patterns] };
}

/** Reads a value as it would be in a dump; bits become a number. */
function asText(field: TypeCastField): DecodedText | null {
  const bytes = field.buffer();
  if (bytes === null) return null;
  if (field.type !== 'BIT') return decode(bytes, 'utf-8');
  return { text: String(BigInt(`0x${bytes.toString('hex')}`)), repaired: false };
}
