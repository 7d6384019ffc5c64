import type * as z from 'zod';
import { type Endpoint, isConditional, keepsAnswers } from '../../src/kernel/endpoint/endpoint.ts';
import type { ErrorCode } from '../../src/kernel/errors/errors.ts';
import type { Example } from './examples.ts';
import type { Changes } from './scene.ts';
import { requiredFields, shapeOf, valuesWith } from './schemas.ts';

/** An invalid request and its refusal. */
export interface Mistake extends Changes {
  readonly name: string;
  readonly status: number;
  readonly code: ErrorCode;
  /** Names that `data.params` must have. */
  readonly named?: string[];
}

const invalid = { status: 400, code: 'rest_invalid_param' } as const;
const missing = { status: 400, code: 'rest_missing_callback_param' } as const;
const tooLarge = { status: 413, code: 'rest_payload_too_large' } as const;
const unsupported = { status: 415, code: 'rest_unsupported_media_type' } as const;

export const bodyLimitOf = ({ bodyLimit = 1_048_576 }: Endpoint): number => bodyLimit;

/** Every mistake that a request to the endpoint can have, for each parameter and field. */
export const mistakes = (endpoint: Endpoint, example: Example): Mistake[] => [
  ...kernelMistakes(endpoint),
  ...ownMistakes(endpoint, example),
];

/** Mistakes that are equal for every endpoint of a kind: in headers, and in the kind of body. */
const kernelMistakes = (endpoint: Endpoint): Mistake[] => [
  ...(endpoint.effect === 'write' ? inHeaders(endpoint) : []),
  ...(endpoint.body ? (endpoint.bodyType ? inMultipart : inForm)(endpoint) : []),
];

const ownMistakes = (endpoint: Endpoint, example: Example): Mistake[] => [
  ...(endpoint.query ? inQuery(endpoint, example) : []),
  ...(endpoint.body ? inFields(endpoint, example) : []),
];

export const typicalMistakes = (endpoint: Endpoint, example: Example): Mistake[] =>
  oneOfEach(mistakes(endpoint, example));

/** Every mistake in the endpoint's own parameters and fields, and one of each other kind. */
export const ownAndTypicalMistakes = (endpoint: Endpoint, example: Example): Mistake[] => [
  ...oneOfEach(kernelMistakes(endpoint)),
  ...ownMistakes(endpoint, example),
];

function oneOfEach(all: readonly Mistake[]): Mistake[] {
  const kind = ({ code, headers = {} }: Mistake) => [code, ...Object.keys(headers)].join();
  return [...new Map(all.map((mistake) => [kind(mistake), mistake])).values()];
}

function inHeaders(endpoint: Endpoint): Mistake[] {
  const keys = !keepsAnswers(endpoint)
    ? []
    : ['', '""', 'two words', 'tab\there', 'ünique', 'k'.repeat(256)];
  const versions = isConditional(endpoint) ? ['', 'abc', '-1', '1.5', 'W/"1"', '9'.repeat(16)] : [];
  const wrong = (header: string, value: string): Mistake => ({
    name: `${header}: ${value}`,
    headers: { [header]: value },
    ...invalid,
    named: [header],
  });
  return [
    ...keys.map((key) => wrong('Idempotency-Key', key)),
    ...versions.map((version) => wrong('If-Match', version)),
  ];
}

function inQuery({ query }: Endpoint, example: Example): Mistake[] {
  const without = (name: string) => {
    const { [name]: _, ...others } = example.query ?? {};
    return new URLSearchParams(others).toString();
  };
  const named = Object.keys(shapeOf(query));
  const everyOne = (value: string) => named.map((name) => `${name}=${value}`).join('&');
  return [
    ...requiredFields(query).flatMap((name) =>
      [without(name), `${without(name)}&${name}=`].map((search) => ({
        name: `without ${name}`,
        search,
        ...missing,
        named: [name],
      })),
    ),
    {
      name: 'every parameter twice',
      search: `${everyOne('1')}&${everyOne('1')}`,
      ...invalid,
      named,
    },
    { name: 'NUL in every parameter', search: everyOne('a%00b'), ...invalid, named },
  ];
}

/** Deep enough to overflow a parser's stack. */
const depth = 5000;
const nested = [
  `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`,
  `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
];

/** Mistakes in the kind of body. */
function inForm(endpoint: Endpoint): Mistake[] {
  const texts = ['{', '{"a":1}}', 'a=1', '[]', '[{}]', 'null', '1', '"text"', ' ', ...nested];
  const types = ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'json'];
  const over = bodyLimitOf(endpoint) + 1;
  return [
    ...texts.map((body) => ({ name: `the body ${body.slice(0, 20)}`, body, ...invalid })),
    { name: 'a body over the limit', body: ' '.repeat(over), ...tooLarge },
    { name: 'a longer one', body: '{}', headers: { 'content-length': String(over) }, ...tooLarge },
    ...types.map((type) => ({
      name: `a body of type ${type}`,
      body: '{}',
      headers: { 'content-type': type },
      ...unsupported,
    })),
  ];
}

function inMultipart(endpoint: Endpoint): Mistake[] {
  const over = bodyLimitOf(endpoint) + 1;
  const form = { 'content-type': 'multipart/form-data; boundary=b' };
  const types = [
    ...(endpoint.alsoJson ? [] : ['application/json']),
    ...['text/plain', 'multipart/mixed; boundary=b', 'form-data'],
  ];
  return [
    ...['', 'a=1', '--b', '--b\r\n\r\n'].map((body) => ({
      name: `the form ${body}`,
      body,
      headers: form,
      ...invalid,
    })),
    {
      name: 'no boundary',
      body: '',
      headers: { 'content-type': 'multipart/form-data;' },
      ...invalid,
    },
    { name: 'a form over the limit', body: ' '.repeat(over), headers: form, ...tooLarge },
    {
      name: 'a longer one',
      body: '--b--',
      headers: { ...form, 'content-length': String(over) },
      ...tooLarge,
    },
    ...types.map((type) => ({
      name: `a body of type ${type}`,
      body: '{}',
      headers: { 'content-type': type },
      ...unsupported,
    })),
  ];
}

function inFields({ body: schema, bodyType }: Endpoint, { body }: Example): Mistake[] {
  const required = requiredFields(schema);
  const fields = Object.entries(shapeOf(schema));
  const without = (name: string) =>
    Object.fromEntries(Object.entries(body ?? {}).filter(([field]) => field !== name));
  /** All invalid values at once: each of them has to be named. */
  const wrong = (name: string, values: Record<string, unknown>): Mistake => ({
    name,
    body: { ...body, ...values },
    ...invalid,
    named: Object.keys(values),
  });
  const refused = (value: unknown) =>
    Object.fromEntries(
      fields
        .filter(([name, field]) => mustRefuse(field, value, required.includes(name)))
        .map(([name]) => [name, value]),
    );
  return [
    ...required.map((name) => ({
      name: `without ${name}`,
      body: without(name),
      ...missing,
      named: [name],
    })),
    ...(fields.length > 0
      ? [
          // A form has no null.
          ...(bodyType ? [] : [wrong('null for every field', refused(null))]),
          wrong('an empty text for every field', refused('')),
        ]
      : []),
    ...poisoned('a\0b', fields).map((values) => wrong('NUL in every text', values)),
    // The encoder of forms replaces half characters.
    ...(bodyType ? [] : poisoned('a\uD800b', fields)).map((values) =>
      wrong('half a character in each', values),
    ),
  ];
}

/** An empty text is no value for a required field; the schema decides about other values. */
const mustRefuse = (field: z.ZodType, value: unknown, required: boolean) =>
  (required && value === '') || !field.safeParse(value).success;

/** Bodies with `text` in every place for a text, in as few bodies as possible. */
function poisoned(text: string, fields: [string, z.ZodType][]) {
  const values = fields.map(([name, field]) => [name, valuesWith(text, field)] as const);
  const most = Math.max(...values.map(([, places]) => places.length));
  return Array.from({ length: most }, (_, place) =>
    Object.fromEntries(
      values.flatMap(([name, places]) => (place in places ? [[name, places[place]]] : [])),
    ),
  );
}
