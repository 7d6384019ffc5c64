/**
 * Fields that Carbon Fields stores in WordPress's meta tables, one row for each value. A plain one is `_name`. In other
 * keys, the path of a value in lists of groups follows: `_root|child:child|group:index|value_index|property`.
 */
export type Meta = ReadonlyMap<string, string>;

/** A group of a list: its fields, and the lists of groups in it. */
export interface Group {
  readonly fields: Meta;
  readonly lists: ReadonlyMap<string, readonly Meta[]>;
}

interface Entry {
  readonly path: readonly string[];
  readonly indexes: readonly number[];
  readonly property: string;
  readonly value: string;
}

function* entriesOf(meta: Meta, root: string): Generator<Entry> {
  for (const [key, value] of meta) {
    const [name, path = '', indexes = '', , property = ''] = key.split('|');
    if (name !== root || property === '') continue;
    yield {
      path: path === '' ? [] : path.split(':'),
      indexes: indexes === '' ? [] : indexes.split(':').map(Number),
      property,
      value,
    };
  }
}

/** The values of a repeated field; `property` is the part of a value that has several. */
export const valuesOf = (meta: Meta, root: string, property = 'value'): string[] =>
  [...entriesOf(meta, root)]
    .filter((entry) => entry.path.length === 0 && entry.property === property)
    .map(({ value }) => value);

export function groupsOf(meta: Meta, root: string): Group[] {
  const groups = new Map<
    number,
    { fields: Map<string, string>; lists: Map<string, Map<number, Map<string, string>>> }
  >();
  for (const { path, indexes, property, value } of entriesOf(meta, root)) {
    const [group, inner] = indexes;
    const [name, field] = path;
    if (group === undefined || name === undefined || property !== 'value') continue;
    const found = at(groups, group, () => ({ fields: new Map(), lists: new Map() }));
    if (field === undefined) found.fields.set(name, value);
    else
      at(
        at(found.lists, name, () => new Map()),
        inner ?? 0,
        () => new Map(),
      ).set(field, value);
  }
  return inOrder(groups).map(({ fields, lists }) => ({
    fields,
    lists: new Map([...lists].map(([name, list]) => [name, inOrder(list)])),
  }));
}

/** Returns the value of a key, created if the map lacks it. */
function at<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}

const inOrder = <T>(map: ReadonlyMap<number, T>): T[] =>
  [...map].sort(([a], [b]) => a - b).map(([, value]) => value);

/** Tells if a checkbox is ticked: an unticked one is empty, and a ticked one may say anything, mostly `yes`. */
export const isTicked = (meta: Meta, name: string): boolean => (meta.get(name) ?? '') !== '';
