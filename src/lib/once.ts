/** Makes a value at its first use and caches it, so that a starting worker makes no value that nobody needs. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
