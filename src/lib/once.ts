/** Makes a value at its first use, and keeps it: a starting worker has no time for values that nobody uses. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
