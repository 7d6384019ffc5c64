export const withoutUndefined = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

export const withoutNulls = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Compares two values of JSON, in any order of fields; an undefined field counts as absent. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((name) =>
    isSame(a[name], b[name]),
  );
}

/** Fields that every write of a record changes. */
interface Written {
  readonly updated_at: string;
  readonly version: number;
}

/** Tells if an update changes only these fields. */
export const isSameRecord = <T extends Written>(before: T, after: T): boolean =>
  isSame(before, { ...after, updated_at: before.updated_at, version: before.version });

/** Returns a record's next state, or the same object if the update changes nothing. */
export const ifChanged = <T extends Written>(before: T, after: T): T =>
  isSameRecord(before, after) ? before : after;
