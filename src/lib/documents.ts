/**
 * The empty value of a document of type `T`, with every key. The shape of a list is empty, or holds only the shape of
 * its items.
 */
export type Shape<T> = T extends readonly (infer I)[]
  ? readonly Shape<I>[]
  : T extends object
    ? { readonly [K in keyof T]: Shape<T[K]> }
    : T;

/** Stands for a part that may be null. */
class Optional {
  readonly shape: unknown;
  constructor(shape: unknown) {
    this.shape = shape;
  }
}

/** The shape of a part that may be null. The declared type is that of the completed document. */
export const orNull = <S>(shape: S): S | null => new Optional(shape) as never;

/** Adds keys that an older stored document lacks. Keys outside the shape stay. */
export function completed(stored: unknown, shape: unknown): unknown {
  if (shape instanceof Optional) {
    return isObject(stored) ? completed(stored, shape.shape) : null;
  }
  if (Array.isArray(shape)) {
    const items: unknown[] = Array.isArray(stored) ? stored : [];
    return shape.length === 0 ? items : items.map((item) => completed(item, shape[0]));
  }
  if (!isObject(shape)) return stored === undefined ? shape : stored;
  const said = isObject(stored) ? stored : {};
  const parts = Object.entries(shape).map(([name, part]) => [name, completed(said[name], part)]);
  return { ...said, ...Object.fromEntries(parts) };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
