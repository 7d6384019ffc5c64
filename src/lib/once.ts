/** Makes a value at its first use and caches it, which shortens the worker's start. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
