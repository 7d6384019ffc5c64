import type { Client } from 'pg';
import { storeTableNames } from './store-tables.ts';

/** The largest id that a sequence may continue from. */
export const largestCountedId = 1_000_000_000_000;

/** The largest last value of a sequence in an archive. It may exceed `largestCountedId`, because a restore leaves out ids. */
export const largestSequenceValue = 2 * largestCountedId;

/** Tables that draw their ids from another table's sequence. */
const sharing: Readonly<Record<string, string>> = { payouts: 'payout_lines' };

interface SequenceRow {
  readonly table: string;
  readonly column: string;
  readonly sequence: string;
  /** The existing tables that draw from another's sequence. */
  readonly present: readonly string[];
}

/**
 * Raises sequences above every taken id, except those that are too large. A sequence never goes back.
 * @param taken the highest id that the source mentions, by table
 * @returns the tables whose sequences moved
 */
export async function raiseSequences(
  client: Client,
  taken: ReadonlyMap<string, number> = new Map(),
): Promise<string[]> {
  const { rows } = await client.query<SequenceRow>(
    `select c.relname as table, quote_ident(a.attname) as column,
            pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence,
            array(select p.relname::text from pg_class p
                   where p.relnamespace = c.relnamespace and p.relname = any ($1)) as present
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attidentity <> ''
      where c.relnamespace = 'public'::regnamespace and c.relname = any ($2) order by c.relname`,
    [Object.values(sharing), storeTableNames],
  );
  const raised: string[] = [];
  for (const { table, column, sequence, present } of rows) {
    const other = sharing[table] ?? '';
    // The schema of an earlier version may lack the other table.
    const tables = present.includes(other) ? [table, other] : [table];
    const ids = tables.map((one) => `select ${column} from ${one}`).join(' union all ');
    const { rowCount } = await client.query(
      `select setval($1, highest)
         from (select greatest($2, max(${column})) as highest from (${ids}) i where ${column} <= $3) h,
              (select last_value, is_called from ${sequence}) s
        where highest > last_value or (highest = last_value and not is_called)`,
      [sequence, taken.get(table) ?? 0, largestCountedId],
    );
    if (rowCount) raised.push(table);
  }
  return raised;
}

/** An SQL FROM clause: the sequences `s` of the ids of tables `t`, whose names are `$1`. */
export const sequencesOfTables = `
  from pg_class s
  join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = s.oid and d.deptype = 'i'
  join pg_class t on t.oid = d.refobjid
   and t.relnamespace = 'public'::regnamespace and t.relname = any ($1)
 where s.relkind = 'S'`;

/** SQL: milliseconds since 2026. No store gives out 1,000 ids of a kind a second, so its ids stay below. */
const clock = '((extract(epoch from now()) - 1767225600) * 1000)::bigint';

/** Ids that a restored store leaves out whose ids are above the clock: it took them from another system. */
export const restoreGap = 100_000;

const afterRestore = (last: string) =>
  `case when ${last} >= ${clock} then ${last} + ${restoreGap} else ${clock} end`;

/**
 * Leaves out ids after a restore. The store may have given them out after the backup, or after another restore: the
 * sessions and links of these people, orders and files must not open new ones, and readers of the feed must not take
 * new entries for read.
 */
export async function leaveGap(client: Client): Promise<void> {
  await client.query(
    `select setval(s.oid::regclass, ${afterRestore('pg_sequence_last_value(s.oid)')}) ${sequencesOfTables}`,
    [storeTableNames],
  );
  await client.query(`update webhook_states set last_log_id = ${afterRestore('last_log_id')}`);
}
