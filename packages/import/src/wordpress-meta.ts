import { hyphenated } from '../../../src/exports/store.ts';
import type { Staging } from './staging.ts';
import type { Source } from './source.ts';

/** Reads the meta of a row by the row's id. The first value of a key counts, as in WordPress. */
export function metaReader(
  { database }: Staging<Source>,
  table: string,
  id: string,
): (id: string | number) => Map<string, string> {
  const select = database.prepare(
    `select meta_key, meta_value from ${table} where ${id} = ? order by rowid`,
  );
  return (value) =>
    firstOfEach(
      select
        .all(String(value))
        .map((row) => [String(row['meta_key']), String(row['meta_value'] ?? '')]),
    );
}

export function firstOfEach(entries: readonly (readonly [string, string])[]): Map<string, string> {
  const first = new Map<string, string>();
  for (const [key, value] of entries) if (!first.has(key)) first.set(key, value);
  return first;
}

export function optionsOf({ database }: Staging<Source>): Map<string, string> {
  return new Map(
    database
      .prepare('select option_name, option_value from options order by rowid')
      .all()
      .map((row) => [String(row['option_name']), String(row['option_value'] ?? '')]),
  );
}

/** Returns the time zone of WordPress's settings: an IANA one, or none if the offset is not in whole hours. */
export function timezoneOf(options: ReadonlyMap<string, string>): string | undefined {
  const named = options.get('timezone_string');
  if (named) return named;
  const hours = Number(options.get('gmt_offset') ?? '');
  if (!Number.isInteger(hours) || !options.has('gmt_offset')) return undefined;
  // The sign of Etc/GMT zones is reversed.
  return hours === 0 ? 'UTC' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}

/** Makes a key of a name, in lower case; `fallback` if nothing of it is left. */
export const keyOf = (name: string, fallback: string): string =>
  hyphenated(name).slice(0, 64) || fallback;
