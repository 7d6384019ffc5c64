import type { Client } from 'pg';
import { dateIn } from '../../../src/exports/store.ts';
import { compareAccess } from './access.ts';
import { inCapitals } from './coupon-codes.ts';
import { plainText } from './html-text.ts';
import { type Compared, compared } from './compared.ts';
import { type Comparison, isExplained, readOurs, shown } from './comparison.ts';
import type { Entity } from './mapped.ts';
import type { Importer } from './importer.ts';
import { addCodeFunction } from './same-code.ts';
import type { Source } from './source.ts';
import { identifier } from './staged-table.ts';
import type { Staging } from './staging.ts';
import * as values from './values.ts';

/**
 * Compares the staged rows with the store, row by row: each column is unchanged, or a reason in the report allows its
 * change. Reads the store in one snapshot, and writes nothing to it.
 * @param heard receives the number of compared tables, and of all
 */
export async function verify<S extends Source, C>(
  client: Client,
  importer: Importer<S, C>,
  staging: Staging<S>,
  plan: C,
  heard: (done: number, total: number) => void = () => {},
): Promise<Comparison[]> {
  const queries = importer.compared(plan);
  addFunctions(staging.database);
  await client.query('begin transaction isolation level repeatable read, read only');
  try {
    const comparisons: Comparison[] = [];
    const entities = Object.entries(compared) as [Entity, Compared][];
    for (const [i, [entity, sides]] of entities.entries()) {
      heard(i, entities.length + 1);
      const source = queries[entity];
      if (source === undefined) continue;
      const told = { ...sides, sums: sides.sums.filter((name) => has(staging, source, name)) };
      await readOurs(client, staging, told);
      comparisons.push(compare(staging, entity, told, source));
    }
    heard(entities.length, entities.length + 1);
    comparisons.push(await compareAccess(client, staging, queries.access));
    heard(entities.length + 1, entities.length + 1);
    return comparisons;
  } finally {
    await client.query('rollback');
  }
}

const has = ({ database }: Staging<Source>, query: string, name: string): boolean =>
  database
    .prepare(query)
    .columns()
    .some((column) => column.name === name);

function addFunctions(database: Database): void {
  // The moment in UTC at which a zone's clocks showed a text.
  database.function('utc_of', { deterministic: true }, (text, zone) =>
    asSeconds(values.localOf(text === null ? null : String(text), String(zone))),
  );
  database.function('epoch_of', { deterministic: true }, (text) =>
    asSeconds(values.epochOf(text === null ? null : String(text))),
  );
  values.addAddressFunctions(database);
  addCodeFunction(database);
  // A trimmed text, a decoded HTML text, a code as typed.
  for (const [name, read] of Object.entries({
    trimmed,
    plain_text: plainText,
    capitals: inCapitals,
  }))
    database.function(name, { deterministic: true }, (text) =>
      text === null ? null : read(String(text)),
    );
  // The date in a zone at a moment in UTC.
  database.function('date_in', { deterministic: true }, (text, zone) => {
    const moment = values.utcOf(text === null ? null : String(text));
    return moment === null ? null : dateIn(moment, String(zone));
  });
  // The text at a key of a serialised PHP array.
  database.function('php_text', { deterministic: true }, (text, key) =>
    values.asText(values.phpArray(text === null ? null : String(text))?.[String(key)]),
  );
  // The smallest number, as PHP reads it, at a key of the arrays in a serialised array.
  database.function('php_min', { deterministic: true }, (text, key) => {
    const list = Object.values(values.phpArray(text === null ? null : String(text)) ?? {});
    const numbers = list.map((item) =>
      Number(values.numberIn(values.asText(values.asArray(item)?.[String(key)]).trim()) ?? 0),
    );
    return numbers.length === 0 ? null : Math.min(...numbers);
  });
}

const trimmed = (text: string) => text.trim();

const asSeconds = (moment: string | null) => moment?.slice(0, 19).replace('T', ' ') ?? null;

function compare(
  { database }: Staging<Source>,
  entity: Entity,
  { columns, sums }: Compared,
  source: string,
): Comparison {
  // One row of the source may have several rows in the store.
  const same = columns.map(
    (name) =>
      `case when count(${o(name)}) in (0, count(o.id)) and min(${o(name)}) is max(${o(name)})
         then min(${o(name)}) else 'several' end as ${identifier(`our ${name}`)}`,
  );
  const summed = sums.map((name) => `sum(${o(name)}) as ${identifier(`our ${name}`)}`);
  database.exec('drop table if exists temp.pairs');
  database.exec(`
    create temp table pairs as
    with source as materialized (${source}),
         target as (
           select e.id, e.outcome, e.reason, cast(j.value as integer) as target
             from entity_row e
             left join json_each('[' || replace(e.target_id, ' ', ',') || ']') j
            where e.entity = '${entity}')
    select cast(s.id as text) as id, t.outcome, t.reason, count(o.id) as found,
           ${[
             ...columns.map((name) => `cast(${s(name)} as text) as ${identifier(name)}`),
             ...sums.map(
               (name) => `cast(coalesce(${s(name)}, 0) as integer) as ${identifier(name)}`,
             ),
             ...same,
             ...summed,
             'max(1) as one',
           ].join(',\n           ')}
      from source s
      left join target t on t.id = cast(s.id as text)
      left join ours o on o.id = t.target
     group by s.id`);
  const differing = countDiffering(database, [...columns, ...sums]);
  const extra = extras(database, entity);
  return {
    entity,
    source: count(database, 'select count(*) as n from pairs'),
    ours: count(database, 'select count(*) as n from ours'),
    sums: Object.fromEntries(
      sums.map((name) => [
        name,
        {
          source: total(database, name, 'pairs'),
          ours: total(database, name, 'ours'),
        },
      ]),
    ),
    explained: differing.explained,
    unexplained: differing.unexplained + extra.count,
    own: extra.count,
    examples: [...differing.examples, ...extra.examples].slice(0, shown),
  };
}

type Database = Staging<Source>['database'];

const o = (name: string) => `o.${identifier(name)}`;
const s = (name: string) => `s.${identifier(name)}`;

function countDiffering(
  database: Database,
  names: readonly string[],
): Pick<Comparison, 'explained' | 'unexplained' | 'examples'> {
  const differs = names.map((name) => `${identifier(name)} is not ${identifier(`our ${name}`)}`);
  const select = database.prepare(`
    select id, outcome, reason, found, ${['1', ...differs].join()}
      from pairs where found = 0 or ${['false', ...differs].join(' or ')}`);
  select.setReturnArrays(true);
  let explained = 0;
  let unexplained = 0;
  const examples: string[] = [];
  for (const row of select.iterate()) {
    const [id, outcome, reason, found, , ...flags] = row as unknown as (string | number | null)[];
    const columns = found === 0 ? [] : names.filter((_, i) => flags[i] === 1);
    if (isExplained(outcome as string | null, reason as string | null, columns)) explained++;
    else if (unexplained++ < shown) examples.push(`${id} ${columns.join(' ')}`);
  }
  return { explained, unexplained, examples };
}

/** Rows of the store that no row of the report names. */
function extras(database: Database, entity: Entity): { count: number; examples: string[] } {
  const rows = database
    .prepare(
      `select o.id, count(*) over () as n from ours o
        where o.id not in (
          select cast(j.value as integer) from entity_row e,
                 json_each('[' || replace(e.target_id, ' ', ',') || ']') j
           where e.entity = ? and e.target_id is not null) limit ?`,
    )
    .all(entity, shown);
  return {
    count: Number(rows[0]?.['n'] ?? 0),
    examples: rows.map((row) => `ours ${String(row['id'])}`),
  };
}

const count = (database: Database, query: string): number =>
  Number(database.prepare(query).get()?.['n']);

/** Sums up in two halves: nonsense in a source may exceed an SQLite integer. */
function total(database: Database, name: string, table: string): bigint {
  const column = identifier(name);
  const select = database.prepare(
    `select sum(${column} / ${half}) as high, sum(${column} % ${half}) as low from ${table}`,
  );
  select.setReadBigInts(true);
  const { high, low } = select.get() as Record<'high' | 'low', bigint | null>;
  return (high ?? 0n) * BigInt(half) + (low ?? 0n);
}

const half = 1_000_000_000;
