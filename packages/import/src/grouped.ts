/** Groups adjacent rows with the same key. */
export function* grouped<T>(rows: Iterable<T>, key: (row: T) => unknown): Generator<readonly T[]> {
  let group: T[] = [];
  let last: unknown;
  for (const row of rows) {
    const own = key(row);
    if (group.length > 0 && own !== last) {
      yield group;
      group = [];
    }
    last = own;
    group.push(row);
  }
  if (group.length > 0) yield group;
}
