export interface Difference {
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}

type Fields = Readonly<Record<string, unknown>>;

/** Fields that differ after every change. */
const always: readonly string[] = ['updated_at', 'version'];

/** Placeholders for values that are personal or too long to store. */
const personalMark = '[personal]';
const longMark = '[long]';

/** The longest stored value, in characters of its JSON. */
const longest = 2000;

/**
 * Compares two representations of a record; undefined if they are equal.
 * @param personal fields whose change is recorded without values
 */
export function differenceOf(
  before: Fields,
  after: Fields,
  personal: readonly string[],
): Difference | undefined {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter(
    (name) => !always.includes(name) && textOf(before[name]) !== textOf(after[name]),
  );
  if (changed.length === 0) return undefined;
  const kept = (fields: Fields) =>
    Object.fromEntries(changed.map((name) => [name, keptValue(fields, name, personal)]));
  return { before: kept(before), after: kept(after) };
}

function keptValue(fields: Fields, name: string, personal: readonly string[]): unknown {
  if (personal.includes(name)) return personalMark;
  const text = textOf(fields[name]);
  return text.length > longest ? longMark : (fields[name] ?? null);
}

/** Null for an absent field: both mean the same. */
const textOf = (value: unknown): string => JSON.stringify(value ?? null);
