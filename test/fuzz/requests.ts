import * as fc from 'fast-check';
import type { Endpoint } from '../../src/kernel/endpoint/endpoint.ts';
import type { JsonSchema } from '../../src/openapi/schema.ts';
import type { Example } from '../contract/examples.ts';
import { type Route, routesOf } from '../contract/routes.ts';
import { formOf } from '../harness/client.ts';
import type { ApiDocument, Parameter } from './document.ts';
import { type Resolve, fitting, hostile, hostileText, merged, spoiled } from './values.ts';

/** The changes of a request to an endpoint's example. */
export interface Input {
  readonly route: Route;
  /** Segments of the path by parameter, in their encoded form. */
  readonly path: Readonly<Record<string, string | undefined>>;
  /** Names and values of the query in their encoded form; they replace the example's parameters. */
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string>>;
  /** A text; fields that replace the example's; or an object that replaces the whole body. */
  readonly body: string | { readonly fields: object } | { readonly whole: unknown } | undefined;
}

type Place = 'path' | 'query' | 'headers' | 'body';

/** Requests to an endpoint: documented, at the limits, and hostile. */
export function inputs(endpoint: Endpoint, document: ApiDocument): fc.Arbitrary<Input> {
  const resolve: Resolve = (schema) => document.resolved(schema);
  const path = document.parameters(endpoint, 'path');
  const query = document.parameters(endpoint, 'query');
  const body = document.body(endpoint);
  const input = (weight: number, ...hostile: Place[]) => ({
    weight,
    arbitrary: fc.record({
      route: fc.constantFrom(...routesOf(endpoint)),
      path: hostile.includes('path') ? hostilePath(path) : fittingPath(path, resolve),
      query: hostile.includes('query') ? hostileQuery(query) : fittingQuery(query, resolve),
      headers: hostile.includes('headers') ? hostileHeaders : usualHeaders,
      body: hostile.includes('body') ? hostileBody(body, resolve) : fittingBody(body, resolve),
    }),
  });
  return fc.oneof(
    input(5),
    input(path.length > 0 ? 1 : 0, 'path'),
    input(query.length > 0 ? 3 : 1, 'query'),
    input(1, 'headers'),
    input(body ? 5 : 0, 'body'),
    input(1, 'path', 'query', 'headers', 'body'),
  );
}

/** The example's path, sometimes another one. */
const fittingPath = (parameters: readonly Parameter[], resolve: Resolve) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant({}) },
    {
      weight: 1,
      arbitrary: segments(parameters, ({ schema }) => fitting(schema, resolve).map(encoded)),
    },
  );

const hostilePath = (parameters: readonly Parameter[]) =>
  segments(parameters, () => hostileSegment);

const segments = (
  parameters: readonly Parameter[],
  segment: (parameter: Parameter) => fc.Arbitrary<string>,
) => fc.record(Object.fromEntries(parameters.map((one) => [one.name, segment(one)])));

function fittingQuery(
  parameters: readonly Parameter[],
  resolve: Resolve,
): fc.Arbitrary<Input['query']> {
  if (parameters.length === 0) return fc.constant([]);
  const pairs = parameters.map(({ name, schema }) =>
    fitting(schema, resolve).map((value) => [name, encoded(value)] as const),
  );
  return fc.uniqueArray(fc.oneof(...pairs), { maxLength: 4, selector: ([name]) => name });
}

/** Parameters with any value, some of them repeated, some unknown. */
function hostileQuery(parameters: readonly Parameter[]): fc.Arbitrary<Input['query']> {
  const name = fc.constantFrom('nobody_knows', ...parameters.map((one) => one.name));
  const pair = fc.tuple(fc.oneof(name, hostileQueryText), hostileQueryText);
  return fc.array(pair, { minLength: 1, maxLength: 5 });
}

const encoded = (value: unknown) => encodeURIComponent(String(value).toWellFormed());

const brokenEncodings = [
  '%',
  '%zz',
  '%ED%A0%80',
  '%FF',
  '%C0%AF',
  '%00',
  'a%00b',
  '%u0041',
  '+',
  '%F0%9F',
];

const hostileQueryText = fc.oneof(
  fc.constantFrom(...brokenEncodings),
  // The platform refuses longer addresses before the worker.
  hostileText.map((text) => encoded(text.slice(0, 3000))),
  fc.constantFrom('', '1', '0', '-1', '999999999999999', '9007199254740993', '1,2,3', 'id:asc'),
);

const hostileSegment = fc.oneof(
  fc.constantFrom(
    ...brokenEncodings,
    '%2F',
    '..%2F..',
    '%2e%2e',
    ';a=b',
    '00001',
    '0',
    '-1',
    '1.5',
  ),
  fc.constantFrom('999999999999999', '1000000000000000', '9007199254740993', '1e3', 'null'),
  hostileText.map((text) => encoded(text.slice(0, 3000)) || '%20'),
);

let keys = 0;

const usualHeaders = fc
  .record(
    {
      'if-match': fc.constantFrom('1', '"1"', '*', '999999999999999'),
      'idempotency-key': fc.constant(null),
      'if-none-match': fc.constantFrom('*', '"abc"', 'W/"abc", "def"'),
    },
    { requiredKeys: [] },
  )
  .map(({ 'idempotency-key': key, ...others }) => ({
    ...others,
    ...(key === null && { 'idempotency-key': `fuzz-${++keys}` }),
  }));

/** Header values as HTTP can carry them: bytes without line breaks. */
const hostileHeaderText = fc.oneof(
  fc.constantFrom('', ' ', '"', '""', '0', '-1', '1.5', '1e3', 'W/"1"', '*, *', ',', 'ü', '\t'),
  fc.constantFrom(
    '9'.repeat(20),
    'x'.repeat(255),
    'x'.repeat(256),
    'y'.repeat(8000),
    '"a, b"',
    '__proto__',
  ),
  fc
    .string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((c) => String.fromCharCode(c)) })
    .map((text) => text.replaceAll('\x7f', '')),
);

const hostileHeaders = fc.record(
  {
    'if-match': hostileHeaderText,
    'idempotency-key': hostileHeaderText,
    'if-none-match': hostileHeaderText,
    'content-type': fc.oneof(
      fc.constantFrom('application/json; charset=utf-16', 'application/vnd.a+json', 'text/plain'),
      hostileHeaderText,
    ),
    accept: fc.oneof(
      fc.constantFrom('text/html', 'application/xml;q=1', '*/*;q=0'),
      hostileHeaderText,
    ),
    'user-agent': hostileHeaderText,
    'cf-connecting-ip': fc.constantFrom(
      '',
      '::1',
      '999.1.1.1',
      "' or 1=1",
      '203.0.113.7, 10.0.0.1',
    ),
    cookie: hostileHeaderText,
    origin: hostileHeaderText,
    'x-http-method-override': fc.constantFrom('DELETE', 'GET'),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Record<string, string>>;

function fittingBody(
  schema: JsonSchema | undefined,
  resolve: Resolve,
): fc.Arbitrary<Input['body']> {
  if (!schema) return fc.constant(undefined);
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant(undefined) },
    { weight: 4, arbitrary: fields(schema, resolve, fitting).map((some) => ({ fields: some })) },
    { weight: 2, arbitrary: fitting(schema, resolve).map((whole) => ({ whole })) },
  );
}

function hostileBody(
  schema: JsonSchema | undefined,
  resolve: Resolve,
): fc.Arbitrary<Input['body']> {
  if (!schema) return fc.constant(undefined);
  const wrong = fields(schema, resolve, (field) => fc.oneof(hostile, spoiled(field, resolve)));
  return fc.oneof(
    { weight: 4, arbitrary: wrong.map((some) => ({ fields: some })) },
    { weight: 2, arbitrary: spoiled(schema, resolve).map((whole) => ({ whole })) },
    { weight: 1, arbitrary: fc.constantFrom(...hostileBodies) },
  );
}

/** Up to three fields of an object, or an unknown one. */
function fields(
  schema: JsonSchema,
  resolve: Resolve,
  value: (field: JsonSchema, resolve: Resolve) => fc.Arbitrary<unknown>,
): fc.Arbitrary<object> {
  const known = Object.entries(merged(schema, resolve).properties ?? {});
  const pairs = [...known, ['nobody_knows', {}] as const].map(([name, field]) =>
    value(field as JsonSchema, resolve).map((content) => [name, content] as const),
  );
  return fc
    .uniqueArray(fc.oneof(...pairs), { minLength: 1, maxLength: 3, selector: ([name]) => name })
    .map((some) => Object.fromEntries(some));
}

const hostileBodies = [
  ...['', ' ', '{', '}', 'null', '1', '"a"', '[]', '[{}]', '{}{}', "{'a':1}", '{"a":}', '{"a":1,}'],
  ...['{"id":1,"id":2}', '{"__proto__":{"a":1}}', '\uFEFF{}', '{"a":"\\ud800"}', '{"a":"\\u0000"}'],
  ...['{"a":NaN}', '{"a":1e999}', '{"\\u0000":1}', '<a/>', 'a=1&b=2', '{"a":01}', '/**/{}'],
  `${'{"a":'.repeat(99)}1${'}'.repeat(99)}`,
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
  `{${Array.from({ length: 10_000 }, (_, n) => `"k${n}":${n}`).join()}}`,
];

/** An input on top of an example: address, headers and text of a request. */
export function requestOf(input: Input, example: Example) {
  const path = input.route.path.replace(/:(\w+)/g, (_, name: string) => {
    return input.path[name] ?? encodeURIComponent(example.params?.[name] ?? '');
  });
  const named = new Set(input.query.map(([name]) => name));
  const own = { ...input.route.only, ...example.query };
  const kept = Object.entries(own).filter(([name]) => !named.has(name));
  const query = [...kept.map(([name, value]) => [name, encoded(value)] as const), ...input.query];
  const search = query.map((pair) => pair.join('=')).join('&');
  const body = bodyOf(input, example);
  return {
    method: input.route.method,
    path: `/${path}${search && `?${search}`}`,
    headers: {
      ...example.headers?.(typeof body === 'string' ? body : ''),
      ...input.headers,
    },
    ...(body !== undefined && { body }),
  };
}

/** The body in the form of the endpoint; a text is sent unchanged. */
function bodyOf({ body, route }: Input, example: Example): string | FormData | undefined {
  if (typeof body === 'string') return body;
  if (body === undefined && !example.body) return undefined;
  const whole = body && 'whole' in body ? body.whole : { ...example.body, ...body?.fields };
  return route.endpoint.bodyType ? formOf(Object(whole) as object) : JSON.stringify(whole);
}
