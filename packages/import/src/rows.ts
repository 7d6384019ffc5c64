import { type PgTable, getTableConfig } from 'drizzle-orm/pg-core';
import type { Client } from 'pg';
import type { ChangedRow, MappedRow, NewRow } from './mapped.ts';

/** Inserts rows with one statement for each table and set of columns, referred tables first; then updates. */
export async function writeRows(client: Client, records: readonly MappedRow[]): Promise<void> {
  const rows = records.flatMap((record) => record.rows);
  const inserts = rows.filter((row) => row.kind === 'insert');
  const tables = inTheirOrder(new Set(inserts.map(({ table }) => table)));
  for (const table of tables) {
    const own = inserts.filter((row) => row.table === table);
    for (const shape of byShape(own)) await insert(client, table, shape);
  }
  for (const row of rows) if (row.kind === 'update') await update(client, row);
}

/** Sorts tables: referred tables first. */
function inTheirOrder(tables: ReadonlySet<PgTable>): readonly PgTable[] {
  const ordered = new Set<PgTable>();
  const seen = new Set<PgTable>();
  const visit = (table: PgTable): void => {
    if (seen.has(table)) return;
    seen.add(table);
    for (const { reference } of getTableConfig(table).foreignKeys) {
      const { foreignTable } = reference();
      if (tables.has(foreignTable)) visit(foreignTable);
    }
    ordered.add(table);
  };
  for (const table of tables) visit(table);
  return [...ordered];
}

/** Groups rows with the same columns: a missing column gets its default. */
const byShape = (rows: readonly NewRow[]) =>
  Map.groupBy(rows, ({ values }) => Object.keys(values).join()).values();

const columnNames = new Map<PgTable, ReadonlyMap<string, string>>();

/** The SQL names of a table's columns, by their names in rows. */
function columnsOf(table: PgTable): ReadonlyMap<string, string> {
  const known = columnNames.get(table);
  if (known) return known;
  const { columns } = getTableConfig(table);
  const byColumn = new Map(columns.map((column) => [column, column.name]));
  const names = new Map(
    Object.entries(table).flatMap(([name, column]) => {
      const sqlName = byColumn.get(column as (typeof columns)[number]);
      return sqlName === undefined ? [] : [[name, sqlName] as const];
    }),
  );
  columnNames.set(table, names);
  return names;
}

/** Values by the SQL names of their columns. */
function named(table: PgTable, values: object): Readonly<Record<string, unknown>> {
  const columns = columnsOf(table);
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const column = columns.get(name);
      if (column === undefined)
        throw new Error(`${getTableConfig(table).name} has no column ${name}.`);
      return [column, value];
    }),
  );
}

async function insert(client: Client, table: PgTable, rows: readonly NewRow[]): Promise<void> {
  const { name } = getTableConfig(table);
  const records = rows.map(({ values }) => named(table, values));
  const columns = Object.keys(records[0] ?? {})
    .map((column) => `"${column}"`)
    .join(', ');
  // A sequence is not rolled back with a batch: an interrupted run would end with other ids.
  if ('id' in table && !('id' in (records[0] ?? {})))
    throw new Error(`A row of ${name} has no id.`);
  await client.query(
    `insert into ${name} (${columns}) select ${columns} from json_populate_recordset(null::${name}, $1)`,
    [JSON.stringify(records)],
  );
}

async function update(client: Client, { table, id, values }: ChangedRow): Promise<void> {
  const { name } = getTableConfig(table);
  const record = named(table, values);
  const columns = Object.keys(record);
  await client.query(
    `update ${name} set ${columns.map((column) => `"${column}" = r."${column}"`).join(', ')}
       from json_populate_record(null::${name}, $1) r where ${name}.id = $2`,
    [JSON.stringify(record), id],
  );
}
