import * as fc from 'fast-check';
import type { JsonSchema } from '../../src/openapi/schema.ts';

/** Finds the target of a schema's reference. */
export type Resolve = (schema: JsonSchema) => JsonSchema;

const largest = Number.MAX_SAFE_INTEGER;

/** Values of a schema, often at its limits. */
export function fitting(schema: JsonSchema, resolve: Resolve): fc.Arbitrary<unknown> {
  const known = merged(schema, resolve);
  if (known.const !== undefined) return fc.constant(known.const);
  if (known.enum) return fc.constantFrom(...known.enum);
  const choices = known.anyOf ?? known.oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => fitting(choice, resolve)));
  if (known.type === undefined) return fc.jsonValue({ maxDepth: 4 });
  return fc.oneof(...[known.type].flat().map((type) => ofType(type, known, resolve)));
}

/** Resolves the reference and `allOf` of a schema. */
export function merged(schema: JsonSchema, resolve: Resolve): JsonSchema {
  const { allOf = [], ...own } = resolve(schema);
  const parts = allOf.map((part) => merged(part, resolve));
  return Object.assign({}, ...parts, own) as JsonSchema;
}

function ofType(type: string, schema: JsonSchema, resolve: Resolve): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return texts(schema);
    case 'integer':
      return integers(schema);
    case 'number':
      return numbers(schema);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return arrays(schema, resolve);
    case 'object':
      return objects(schema, resolve);
    default:
      return fc.constant(null);
  }
}

const instants = [
  '2026-03-10T09:00:00Z',
  '2026-03-10T16:00:00.123456789+07:00',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '1969-12-31T23:59:59Z',
  '2024-02-29T23:59:59-12:00',
];

const dates = ['2026-03-10', '0001-01-01', '9999-12-31', '2024-02-29', '1970-01-01'];

/** Texts that some parser takes for a date, a cursor, an address or an id. */
const meanings = [
  ...instants,
  ...dates,
  'aWQ6MQ',
  'aWQ6OTk5OTk5OTk5OTk5OTk5',
  'a@mail.example',
  '1',
];

const formats: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'date-time': fc.oneof(
    fc.constantFrom(...instants),
    fc
      .date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true })
      .map((date) => date.toISOString()),
  ),
  date: fc.constantFrom(...dates),
  uuid: fc.uuid(),
  email: fc.emailAddress(),
  // Addresses without a server: some of them are called.
  uri: fc.constantFrom(
    'http://127.0.0.1:1/',
    'https://nobody.example/path?query=1#part',
    'https://xn--bcher-kva.example:8443/ü',
  ),
};

function texts({ format, pattern, minLength = 0, maxLength = 200 }: JsonSchema) {
  const known = formats[format ?? ''];
  if (known) return known;
  const fits = (text: string) => text.length >= minLength && text.length <= maxLength;
  if (pattern) return fc.stringMatching(new RegExp(pattern)).filter(fits);
  const short = { minLength, maxLength: Math.min(maxLength, minLength + 30) };
  return fc.oneof(
    { weight: 4, arbitrary: fc.string({ ...short, unit: 'grapheme' }).filter(fits) },
    { weight: 1, arbitrary: fc.constantFrom('é'.repeat(maxLength), 'x'.repeat(minLength)) },
    { weight: 2, arbitrary: fc.constantFrom(...meanings).filter(fits) },
  );
}

function integers({ minimum = -largest, maximum = largest }: JsonSchema) {
  const near = { min: Math.max(minimum, 0), max: Math.min(maximum, 12) };
  return fc.oneof(
    // Existing ids, and small counts.
    ...(near.min <= near.max ? [{ weight: 4, arbitrary: fc.integer(near) }] : []),
    { weight: 1, arbitrary: fc.constantFrom(minimum, maximum) },
    { weight: 2, arbitrary: fc.integer({ min: minimum, max: maximum }) },
  );
}

function numbers({ minimum = -1e15, maximum = 1e15 }: JsonSchema) {
  return fc.oneof(
    fc.constantFrom(minimum, maximum, (minimum + maximum) / 2),
    fc.double({ min: minimum, max: maximum, noNaN: true }),
    fc.double({ min: minimum, max: maximum, noNaN: true }).map((n) => Number(n.toFixed(2))),
  );
}

function arrays({ items = {}, minItems = 0, maxItems = 20 }: JsonSchema, resolve: Resolve) {
  const item = fitting(items as JsonSchema, resolve);
  const usual = fc.array(item, {
    minLength: minItems,
    maxLength: Math.min(maxItems, minItems + 3),
  });
  const longest = fc
    .tuple(item, fc.constantFrom(maxItems, maxItems + 1))
    .map(([value, length]) => Array.from({ length }, () => value));
  return fc.oneof({ weight: 5, arbitrary: usual }, { weight: 1, arbitrary: longest });
}

function objects(schema: JsonSchema, resolve: Resolve): fc.Arbitrary<object> {
  const { properties = {}, required = [], additionalProperties, propertyNames } = schema;
  const known = fc.record(
    Object.fromEntries(
      Object.entries(properties).map(([name, field]) => [
        name,
        fitting(field as JsonSchema, resolve),
      ]),
    ),
    { requiredKeys: required },
  );
  if (typeof additionalProperties !== 'object') return known;
  const names = propertyNames ? fitting(propertyNames as JsonSchema, resolve) : fc.string();
  const others = fc.dictionary(names.map(String), fitting(additionalProperties, resolve), {
    maxKeys: 4,
  });
  return fc.tuple(known, others).map(([fields, more]) => ({ ...more, ...fields }));
}

/** A number with any number of digits in a JSON text. */
const raw = (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON;

const nested = (depth: number) =>
  Array.from({ length: depth }).reduce<unknown>((value) => ({ a: [value] }), 1);

const own = (name: string, value: unknown) => Object.fromEntries([[name, value]]);

const hostileTexts = [
  ...['', ' ', 'a\0b', '\uD800', 'a\uDFFFb', '\u202Eabc', 'İ', 'ß'.repeat(300), '\uFEFF', '😀'],
  ...['NaN', 'Infinity', '1e3', '0x10', ' 1', '+1', '-0', '١', '1_000', '9'.repeat(400), 'true'],
  ...["' or 1=1 --", '";drop table orders;--', '%', '_', '\\', '$1', '{a,b}', '{{7*7}}', '<b>'],
  ...['2026-02-30', '2026-13-01T00:00:00Z', '0000-01-01', '10000-01-01T00:00:00Z', '24:00'],
  ...['9999-12-31T23:59:59-14:00', '0001-01-01T00:00:00+14:00', '2016-12-31T23:59:60Z', 'now'],
  ...['javascript:alert(1)', 'http://[::1]', 'https://user:pw@shop.example', '//shop.example'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'x'.repeat(100_000)],
];

const hostileNumbers = [
  ...[-1, 0, 1.5, 2 ** 31, 2 ** 53, 2 ** 53 + 2, -(2 ** 53), 2 ** 63, 1e308, -1e308, 5e-324],
  ...['1e400', '-1e400', '-0', '1E2', '1.0', '123456789012345678901234567890', '0.1e-400'].map(raw),
];

const hostileThings = [
  ...[null, true, false, [], [[]], {}, [null], [{}], nested(20), nested(60), [1, 'a', null]],
  ...[own('__proto__', { admin: true }), own('constructor', { prototype: { a: 1 } })],
  ...[own('', 1), own('a\0b', 1), own('\uD800', 1), own('toJSON', 1), own('then', 1)],
  Array.from({ length: 5000 }, (_, n) => n),
  Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`key-${n}`, n])),
];

/** Texts that a careless parser fails on. */
export const hostileText = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...hostileTexts) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
);

/** JSON values that a careless parser fails on. */
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 3, arbitrary: fc.constantFrom<unknown>(...hostileNumbers) },
  { weight: 3, arbitrary: fc.constantFrom<unknown>(...hostileThings) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 5 }) },
);

/** Values of a schema with a hostile value in one place, at any depth. */
export const spoiled = (schema: JsonSchema, resolve: Resolve): fc.Arbitrary<unknown> =>
  fc
    .tuple(fitting(schema, resolve), hostile, fc.array(fc.nat(), { maxLength: 4 }))
    .map(([value, poison, path]) => replaced(value, path, poison));

function replaced(value: unknown, [step, ...path]: readonly number[], poison: unknown): unknown {
  if (step === undefined || typeof value !== 'object' || value === null) return poison;
  const entries = Object.entries(value);
  const index = step % (entries.length + 1);
  const [name, inner] = entries[index] ?? ['__proto__', undefined];
  if (Array.isArray(value)) return [replaced(value[0], path, poison), ...value.slice(1)];
  return { ...value, ...own(name, replaced(inner, path, poison)) };
}
