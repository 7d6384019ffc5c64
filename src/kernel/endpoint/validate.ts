import { zValidator } from '@hono/zod-validator';
import type { Context, MiddlewareHandler } from 'hono';
import * as z from 'zod';
import { encodeHex } from '../../lib/bytes.ts';
import { isDeeperThan, syntaxErrorOf } from '../../lib/json.ts';
import { trimmed } from '../../lib/text.ts';
import { ApiError, kernelError } from '../errors/errors.ts';
import { gathered } from './deep-parameters.ts';
import type { Endpoint } from './endpoint.ts';
import { stateOf } from './request-state.ts';
import { partsOf } from './routes.ts';

/** The most bytes of a body, unless its endpoint says otherwise. */
const usualLimit = 1_048_576;

/** The deepest nesting of a body: a deeper one would exhaust the stack of its readers. */
const depthLimit = 100;

/** The validators of an endpoint, in the order in which their errors are reported. */
export function validators(endpoint: Endpoint): MiddlewareHandler[] {
  return [
    ...(endpoint.params ? [validateParams(endpoint.params)] : []),
    ...queryValidators(endpoint),
    ...bodyValidators(endpoint),
  ];
}

/** An endpoint that refuses unknown fields refuses unknown parameters too. */
function queryValidators(endpoint: Endpoint): MiddlewareHandler[] {
  const { query = refusesOthers(endpoint.body) ? z.strictObject({}) : undefined } = endpoint;
  return query ? [noteParameters(endpoint, query), validator('query', query)] : [];
}

/** True if a schema refuses unknown fields. */
const refusesOthers = (schema: z.ZodType | undefined): boolean =>
  (schema as z.ZodObject | undefined)?.def.catchall instanceof z.ZodNever;

function bodyValidators(endpoint: Endpoint): MiddlewareHandler[] {
  const { body, bodyType, bodyLimit, rawBody, streamBody, alsoJson } = endpoint;
  if (rawBody !== undefined) return [readRaw(rawBody)];
  if (streamBody !== undefined) return [checkLength(streamBody)];
  if (!body) return [];
  const asJson = [readJson(body, alsoJson ? usualLimit : bodyLimit), validator('json', body)];
  if (!bodyType) return asJson;
  const asForm = readForm(body, bodyType, bodyLimit);
  return alsoJson ? [jsonOr(asForm, asJson)] : [asForm];
}

const jsonType = /^application\/([\w.-]+\+)?json *(;|$)/i;

/** Validates a body as JSON if its type says so, otherwise as a form. */
function jsonOr(form: MiddlewareHandler, json: readonly MiddlewareHandler[]): MiddlewareHandler {
  return async (c, next) => {
    const isJson = jsonType.test(c.req.header('content-type') ?? '');
    for (const step of isJson ? json : [form]) await step(c, async () => {});
    await next();
  };
}

/** Refuses a body that is too large, compressed or of unstated length, without reading it. */
function checkLength(limit: number): MiddlewareHandler {
  return async (c, next) => {
    refuseEncoded(c.req.raw);
    const length = c.req.header('content-length') ?? '';
    if (!/^\d+$/.test(length)) {
      throw kernelError('rest_invalid_param', {
        message: 'Send the length of the body as Content-Length.',
        params: { 'Content-Length': 'is required' },
      });
    }
    if (Number(length) > limit) throw tooLarge(limit);
    await next();
  };
}

/** Validates the parameters of the path, which the router has found. */
function validateParams(schema: z.ZodType): MiddlewareHandler {
  return async (c, next) => {
    const { params } = stateOf(c);
    const result = schema.safeParse(params);
    if (!result.success) throw invalidInput(result.error.issues, params, 'param');
    c.req.addValidatedData('param', result.data as object);
    await next();
  };
}

function validator(target: 'query' | 'json', schema: z.ZodType): MiddlewareHandler {
  const given = (value: unknown) =>
    target === 'query' ? gathered(withoutEmpty(value as object, schema), schema) : value;
  return zValidator(
    target,
    schema,
    (result) => {
      if (!result.success) throw invalidInput(result.error.issues, given(result.data), target);
      if (target === 'query' && endsBeforeStart(result.data as object)) {
        throw kernelError('rest_invalid_param', {
          params: { date_end: 'must not be before date_start' },
        });
      }
    },
    { validationFunction: (schema, value) => schema.safeParse(given(value)) },
  );
}

/** Records the parameters that the endpoint doesn't know, for the reply. Parameters that select routes are known. */
function noteParameters({ route: routes }: Endpoint, schema: z.ZodType): MiddlewareHandler {
  const asked = routes.flatMap((route) => Object.keys(partsOf(route).only));
  return async (c, next) => {
    keepIgnored(
      c,
      'ignored_parameters',
      unknownNames(gathered(c.req.queries(), schema), schema, asked),
    );
    await next();
  };
}

/**
 * Drops query values that are empty or blank, unless the schema gives them a meaning. A schema that refuses unknown
 * parameters keeps them: there, leaving a parameter out means too much.
 */
const withoutEmpty = (query: object, schema: z.ZodType) => {
  if (refusesOthers(schema)) return query;
  // A map, because every object has names like `constructor`.
  const fields = new Map(Object.entries((schema as Partial<z.ZodObject>).shape ?? {}));
  return Object.fromEntries(
    Object.entries(query).filter(
      ([name, value]) => !isBlank(value) || fields.get(name)?.meta()?.['allowEmptyValue'] === true,
    ),
  );
};

const isBlank = (value: unknown) => typeof value === 'string' && trimmed(value) === '';

/** The largest number of parameters that an error gives reasons for. */
const reasonsLimit = 50;

/** Builds the error for invalid input: missing parameters take precedence over wrong ones. */
function invalidInput(
  issues: readonly z.core.$ZodIssue[],
  input: unknown,
  target: 'param' | 'query' | 'json',
): ApiError {
  const missing = issues.filter((issue) => valueAt(input, issue.path) === undefined);
  const reasons = (of: readonly z.core.$ZodIssue[], why: (issue: z.core.$ZodIssue) => string) => ({
    params: Object.fromEntries(
      of
        .flatMap((issue) => pathsOf(issue).map((path) => [path.join('.') || 'body', why(issue)]))
        .slice(0, reasonsLimit),
    ),
  });
  if (missing.length > 0) {
    return kernelError('rest_missing_callback_param', reasons(missing, whyMissing));
  }
  const why = (issue: z.core.$ZodIssue) => {
    if (issue.code === 'unrecognized_keys') return 'is not known here: check its spelling';
    return target === 'query' && Array.isArray(valueAt(input, issue.path))
      ? 'is given more than once'
      : issue.message;
  };
  return kernelError('rest_invalid_param', reasons(issues, why));
}

/** The paths of an issue: its own, or those of unknown fields. */
const pathsOf = (issue: z.core.$ZodIssue): PropertyKey[][] =>
  issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];

/** A custom rule names what is required; of several parameters, the first is named. */
const whyMissing = ({ code, message }: z.core.$ZodIssue) =>
  code === 'custom' ? message : 'is required';

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key],
    input,
  );
}

/**
 * Refuses a body that is too large, of another type, or not a JSON object; no body means {}. Records the names of
 * unknown fields.
 */
function readJson(schema: z.ZodType, bodyLimit = usualLimit): MiddlewareHandler {
  return async (c, next) => {
    const bytes = await readBytes(c.req.raw, bodyLimit);
    const type = c.req.header('content-type') ?? '';
    if (bytes.byteLength > 0 && !jsonType.test(type)) {
      throw kernelError('rest_unsupported_media_type');
    }
    const text = textOf(bytes, type) || '{}';
    const body = parseObject(text);
    if (isDeeperThan(depthLimit, body)) {
      throw kernelError('rest_invalid_param', {
        message: `The body may be nested ${depthLimit} levels deep at most.`,
      });
    }
    keepIgnored(c, 'ignored_fields', unknownNames(body, schema));
    // Hono caches promises here and awaits them, but its type says values.
    c.req.bodyCache.text = Promise.resolve(text) as never;
    await next();
  };
}

/** Takes a raw body. A body that is not UTF-8 matches no signature. */
function readRaw(limit: number): MiddlewareHandler {
  return async (c, next) => {
    const bytes = await readBytes(c.req.raw, limit);
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    // As above: a promise, typed by its value.
    c.req.bodyCache.text = Promise.resolve(text) as never;
    await next();
  };
}

/** A body as text, which has to be UTF-8. */
function textOf(bytes: Uint8Array, type: string): string {
  const charset = /; *charset *= *"?([^";\s]+)/i.exec(type)?.[1];
  if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)) {
    throw kernelError('rest_unsupported_media_type', { message: 'Send the body as UTF-8.' });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw kernelError('rest_invalid_param', { message: 'The body is not UTF-8.' });
  }
}

/** Returns the names in an input that its schema doesn't know. */
function unknownNames(input: object, schema: z.ZodType, known: readonly string[] = []): string[] {
  const { shape, def } = schema as z.ZodObject;
  if (def.catchall !== undefined) return [];
  return Object.keys(input).filter((name) => !Object.hasOwn(shape, name) && !known.includes(name));
}

/** Records names that the endpoint doesn't know, for the reply. */
function keepIgnored(
  c: Context,
  what: 'ignored_fields' | 'ignored_parameters',
  names: readonly string[],
): void {
  if (names.length > 0) stateOf(c).ignored[what] = names;
}

/** Accepted content types of forms, by the declared type. */
const formTypes = {
  'multipart/form-data': /^multipart\/form-data *;/i,
  'application/x-www-form-urlencoded':
    /^(multipart\/form-data *;|application\/x-www-form-urlencoded *(;|$))/i,
};

/**
 * Refuses a form that is too large, of another type, malformed, or not valid. Its text, which identifies a repeat under
 * an Idempotency-Key, has the fields, with hashes for files: the bytes of a form differ each time it is sent.
 */
function readForm(
  schema: z.ZodType,
  bodyType: keyof typeof formTypes,
  bodyLimit = usualLimit,
): MiddlewareHandler {
  return async (c, next) => {
    const bytes = await readBytes(c.req.raw, bodyLimit);
    const type = c.req.header('content-type') ?? '';
    const isNone = type === '' && bytes.byteLength === 0 && bodyType !== 'multipart/form-data';
    if (!isNone && !formTypes[bodyType].test(type)) {
      throw kernelError('rest_unsupported_media_type', {
        message: `Send the body as ${bodyType}.`,
      });
    }
    const fields = isNone ? {} : await formFields(bytes, type);
    keepIgnored(c, 'ignored_fields', unknownNames(fields, schema));
    // As above: a promise, typed by its value.
    c.req.bodyCache.text = hashedFiles(fields) as never;
    const result = schema.safeParse(fields);
    if (!result.success) throw invalidInput(result.error.issues, fields, 'json');
    c.req.addValidatedData('json', result.data as object);
    await next();
  };
}

/** A form's fields by name; a repeated field is an array. */
async function formFields(
  bytes: Uint8Array<ArrayBuffer>,
  type: string,
): Promise<Record<string, unknown>> {
  try {
    const form = await new Response(bytes, { headers: { 'content-type': type } }).formData();
    const names = [...new Set(form.keys())];
    return Object.fromEntries(
      names.map((name) => {
        const values = form.getAll(name);
        return [name, values.length === 1 ? values[0] : values];
      }),
    );
  } catch {
    throw kernelError('rest_invalid_param', { message: 'The body is not a valid form.' });
  }
}

/** A form as text, with a hash in place of each file. */
async function hashedFiles(fields: Record<string, unknown>): Promise<string> {
  const said = Object.entries(fields).map(async ([name, value]) => {
    if (!(value instanceof File)) return [name, value];
    const digest = await crypto.subtle.digest('SHA-256', await value.arrayBuffer());
    return [name, encodeHex(new Uint8Array(digest))];
  });
  return JSON.stringify(await Promise.all(said));
}

function parseObject(text: string): object {
  const refuse = (why: string) =>
    kernelError('rest_invalid_param', { message: `The body is not a valid JSON object${why}` });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const { line, column } = syntaxErrorOf(text);
    throw refuse(`: line ${line}, column ${column} is wrong.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refuse('.');
  return value;
}

const tooLarge = (limit: number) =>
  kernelError('rest_payload_too_large', { message: `The body may have ${limit} bytes at most.` });

function refuseEncoded({ headers }: Request): void {
  if ((headers.get('content-encoding') ?? 'identity') === 'identity') return;
  throw kernelError('rest_unsupported_media_type', {
    message: 'Send the body without a Content-Encoding.',
  });
}

/** Reads the body's bytes, up to `limit`; a compressed body is refused. */
async function readBytes(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  refuseEncoded(request);
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit);
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

/** Tells if dates end before they start. A day and an instant are not compared. */
const endsBeforeStart = ({ date_start, date_end }: { date_start?: string; date_end?: string }) =>
  date_start !== undefined &&
  date_end !== undefined &&
  date_start.length === date_end.length &&
  date_end < date_start;
