/** Makes a value for the first who asks, and keeps it: a worker that starts has no time for what nobody asks for. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
