import type { Id, RequestOptions } from './options.ts';

/**
 * The method and path of an operation, and its traits, a letter each: `i` takes an input · `v` is conditional on a
 * version · `o` isn't retried, because its answer isn't stored · `e` has an ETag · `f` takes a form · `b` answers a
 * file · `n` is in the other namespace · `c` is the console's own.
 */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly traits: string;
}

/** Parses an operation of the table, such as `PATCH /orders/:id iv`. */
export function operationOf(id: string, line: string): Operation {
  const [method = '', path = '', traits = ''] = line.split(' ');
  return { id, method, path, traits };
}

export interface Call {
  readonly operation: Operation;
  /** Includes its query. */
  readonly path: string;
  readonly body: string | FormData | undefined;
  readonly options: RequestOptions & { readonly idempotencyKey: string };
}

/**
 * Builds a call from an operation's arguments: its path parameters, its input if it takes one, options.
 * @throws TypeError naming a missing argument
 */
export function callOf(operation: Operation, args: readonly unknown[]): Call {
  const { id, method, path, traits } = operation;
  const left = [...args];
  let version: number | undefined;
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const given = left.shift() as Id | string | undefined;
    const isRecord = typeof given === 'object' && given !== null;
    if (isRecord) version ??= given.version;
    const value = isRecord ? given.id : given;
    // Dots would change the path, escaped or not.
    if (value === undefined || value === null || /^\.{0,2}$/.test(String(value))) {
      const said = isRecord ? 'an object without id' : JSON.stringify(given);
      throw new TypeError(`${id} needs ${name}, but got ${said}.`);
    }
    return encodeURIComponent(value);
  });
  const input = traits.includes('i') ? (left.shift() as Input | undefined) : undefined;
  const options = (left[0] ?? {}) as RequestOptions;
  const isQuery = method === 'GET' || method === 'DELETE';
  return {
    operation,
    path: filled + (isQuery ? queryOf(input) : ''),
    body: isQuery ? undefined : bodyOf(input, operation),
    options: {
      ...options,
      ifMatch: options.ifMatch ?? version,
      idempotencyKey: options.idempotencyKey ?? newKey(),
    },
  };
}

/** A unique key for a call. It is no secret: engines without `crypto` use Math.random. */
const newKey = (): string =>
  globalThis.crypto?.randomUUID?.() ??
  Array.from({ length: 3 }, () => Math.random().toString(36).slice(2)).join('-');

type Input = Readonly<Record<string, unknown>>;

const given = (input: Input = {}) =>
  Object.entries(input).filter(([, value]) => value !== undefined && value !== null);

/**
 * Converts a value to parameters; an object becomes one parameter for each of its keys, as in
 * `meta[plan]=pro`.
 */
const byKey = (name: string, value: unknown): [name: string, value: unknown][] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? given(value as Input).map(([key, each]) => [`${name}[${key}]`, each])
    : [[name, value]];

function queryOf(input: Input | undefined): string {
  const pairs = given(input)
    .flatMap(([name, value]) => byKey(name, value))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function bodyOf(input: Input | undefined, { traits }: Operation): string | FormData | undefined {
  if (!traits.includes('f')) return traits.includes('i') ? JSON.stringify(input ?? {}) : undefined;
  const form = new FormData();
  for (const [name, value] of given(input)) {
    form.append(name, value instanceof Blob ? value : String(value));
  }
  return form;
}
