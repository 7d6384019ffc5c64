import { type PgTable, getTableConfig } from 'drizzle-orm/pg-core';
import { largestCountedId } from '../../../src/exports/store.ts';
import type { Numbers } from './numbers.ts';
import { asArray, asText, phpArray } from './values.ts';
import type { PhpValue } from './serialized.ts';
import type { Source } from './source.ts';
import type { Staging } from './staging.ts';

/**
 * A query of the ids (texts, in the column `id`) by which a source names rows of a table, refused ones included. New
 * records never get such an id: an old link would lead to another record.
 */
export interface Mentions {
  readonly table: PgTable;
  readonly query: string;
}

export const mentionsOf = (table: PgTable, queries: readonly string[]): Mentions => ({
  table,
  query: `select null as id union ${queries.join('\n union ')}`,
});

/**
 * A query of the ids in the values of some keys: one id, several with commas, or a serialised list. Keys are patterns:
 * `*`.
 */
export const idsInMeta = (table: string, keys: readonly string[]): string =>
  `select j.value from ${table} m, json_each(ids_in(m.meta_value)) j
    where ${keys.map((key) => `m.meta_key glob '${key}'`).join(' or ')}`;

/** Makes new ids begin above all that the source mentions, in an import and in the store. */
export function noteMentions(
  staging: Staging<Source>,
  mentions: readonly Mentions[],
  numbers: Numbers,
): void {
  for (const named of mentions) numbers.above(named.table, highestMention(staging, named));
}

/** Returns the highest mentioned id, or 0. */
export function highestMention({ database }: Staging<Source>, { query }: Mentions): number {
  addIdFunctions(database);
  const row = database
    .prepare(
      `select coalesce(max(id_of(id)), 0) as highest from (${query}) where id_of(id) <= ${largestCountedId}`,
    )
    .get();
  return Number(row?.['highest']);
}

export function* mentionedIds(
  { database }: Staging<Source>,
  { query }: Mentions,
): Generator<number> {
  addIdFunctions(database);
  const rows = database
    .prepare(`select distinct id_of(id) as id from (${query}) where id_of(id) is not null`)
    .iterate();
  for (const { id } of rows) yield Number(id);
}

/** The most ids in a note to the owner. */
const shown = 5;

/** Warns the shop's owner of ids that are too large. */
export function largeMentions(
  { database }: Staging<Source>,
  mentions: readonly Mentions[],
): string[] {
  addIdFunctions(database);
  return mentions.flatMap(({ table, query }) => {
    const ids = database
      .prepare(
        `select distinct trim(id) as id from (${query})
          where trim(id) not glob '*[^0-9]*' and cast(trim(id) as integer) > ${largestCountedId} order by 1`,
      )
      .all()
      .map(({ id }) => String(id));
    if (ids.length === 0) return [];
    const named = ids.slice(0, shown).join(', ') + (ids.length > shown ? ', …' : '');
    return [
      `Texts name ids of ${getTableConfig(table).name} above ${largestCountedId} (${named}): new ids do not continue from these.`,
    ];
  });
}

/** Adds SQLite functions that return the ids in a list, or at a key of an array, as JSON. */
function addIdFunctions(database: Staging<Source>['database']): void {
  database.function('ids_in', { deterministic: true }, (text) =>
    JSON.stringify(text === null ? [] : textsIn(String(text))),
  );
  database.function('ids_at', { deterministic: true }, (text, key) =>
    JSON.stringify(leaves(phpArray(text === null ? null : String(text))?.[String(key)] ?? null)),
  );
}

/** A price option may follow an id: `12_1`. */
function textsIn(text: string): string[] {
  const list: PhpValue | undefined = phpArray(text);
  const texts = list ? leaves(list) : text.split(',');
  return texts.map((one) => one.trim().split('_')[0] ?? '');
}

function leaves(value: PhpValue): string[] {
  const list = asArray(value);
  return list ? Object.values(list).flatMap(leaves) : [asText(value)];
}
