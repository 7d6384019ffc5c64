import { zValidator } from '@hono/zod-validator';
import type { MiddlewareHandler } from 'hono';
import type * as z from 'zod';
import { encodeHex } from '../lib/bytes.ts';
import { ApiError } from './errors.ts';
import type { Endpoint } from './endpoint.ts';
import { stateOf } from './request-state.ts';

/** The most bytes a body may have where its endpoint doesn't say. */
const usualLimit = 1_048_576;

/** How deep a body may be nested: what is deeper would exhaust the stack of who reads it. */
const depthLimit = 100;

/** The validators of an endpoint, in the order their errors are reported. */
export function validators(endpoint: Endpoint): MiddlewareHandler[] {
  return [
    ...(endpoint.params ? [validator('param', endpoint.params)] : []),
    ...(endpoint.query ? [validator('query', endpoint.query)] : []),
    ...bodyValidators(endpoint),
  ];
}

function bodyValidators({ body, bodyType, bodyLimit }: Endpoint): MiddlewareHandler[] {
  if (!body) return [];
  return bodyType === 'multipart/form-data'
    ? [readForm(body, bodyLimit)]
    : [readJson(body, bodyLimit), validator('json', body)];
}

function validator(target: 'param' | 'query' | 'json', schema: z.ZodType): MiddlewareHandler {
  const given = (value: unknown) =>
    target === 'query' ? withoutEmpty(value as object, schema) : value;
  return zValidator(
    target,
    schema,
    (result) => {
      if (!result.success) throw invalidInput(result.error.issues, given(result.data));
    },
    { validationFunction: (schema, value) => schema.safeParse(given(value)) },
  );
}

/** An empty query value counts as absent, but where the schema gives it a meaning. */
const withoutEmpty = (query: object, schema: z.ZodType) => {
  // A map, because every object has names like `constructor`.
  const fields = new Map(Object.entries((schema as Partial<z.ZodObject>).shape ?? {}));
  return Object.fromEntries(
    Object.entries(query).filter(
      ([name, value]) => value !== '' || fields.get(name)?.meta()?.['allowEmptyValue'] === true,
    ),
  );
};

/** The error for input that doesn't fit: what is missing wins over what is wrong. */
function invalidInput(issues: readonly z.core.$ZodIssue[], input: unknown): ApiError {
  const missing = issues.filter((issue) => valueAt(input, issue.path) === undefined);
  const name = (issue: z.core.$ZodIssue) => issue.path.join('.') || 'body';
  if (missing.length > 0) {
    return new ApiError('rest_missing_callback_param', {
      params: Object.fromEntries(missing.map((issue) => [name(issue), whyMissing(issue)])),
    });
  }
  const params = Object.fromEntries(issues.map((issue) => [name(issue), issue.message]));
  return new ApiError('rest_invalid_param', { params });
}

/** A rule of our own says itself what is required; of one of several parameters the first is named. */
const whyMissing = ({ code, message }: z.core.$ZodIssue) =>
  code === 'custom' ? message : 'is required';

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key],
    input,
  );
}

/**
 * Refuses a body that is too large, of another type, or not a JSON object; no body stands for {}.
 * Keeps the names of the fields that the schema doesn't know.
 */
function readJson(schema: z.ZodType, bodyLimit = usualLimit): MiddlewareHandler {
  return async (c, next) => {
    const text = new TextDecoder().decode(await readBytes(c.req.raw, bodyLimit));
    const type = c.req.header('content-type') ?? '';
    if (text !== '' && !/^application\/([\w.-]+\+)?json *(;|$)/i.test(type)) {
      throw new ApiError('rest_unsupported_media_type');
    }
    const body = parseObject(text || '{}');
    if (!body) {
      throw new ApiError('rest_invalid_param', { message: 'The body is not a valid JSON object.' });
    }
    if (isDeeperThan(depthLimit, body)) {
      throw new ApiError('rest_invalid_param', {
        message: `The body may be nested ${depthLimit} levels deep at most.`,
      });
    }
    stateOf(c).ignoredFields = unknownFields(body, schema);
    c.req.bodyCache.text = Promise.resolve(text || '{}') as never;
    await next();
  };
}

/** The fields of a body that its schema doesn't know. */
function unknownFields(body: object, schema: z.ZodType): string[] {
  const { shape, def } = schema as z.ZodObject;
  if (def.catchall !== undefined) return [];
  return Object.keys(body).filter((name) => !Object.hasOwn(shape, name));
}

/**
 * Refuses a body that is too large, of another type, no form, or not of the schema. As text, by which a repeat under an
 * Idempotency-Key is known, it is its fields with hashes for files: the same form is never sent in
 * the same bytes twice.
 */
function readForm(schema: z.ZodType, bodyLimit = usualLimit): MiddlewareHandler {
  return async (c, next) => {
    const bytes = await readBytes(c.req.raw, bodyLimit);
    const type = c.req.header('content-type') ?? '';
    if (!/^multipart\/form-data *;/i.test(type)) {
      throw new ApiError('rest_unsupported_media_type', {
        message: 'Send the body as multipart/form-data.',
      });
    }
    const fields = await formFields(bytes, type);
    stateOf(c).ignoredFields = unknownFields(fields, schema);
    c.req.bodyCache.text = hashedFiles(fields) as never;
    const result = schema.safeParse(fields);
    if (!result.success) throw invalidInput(result.error.issues, fields);
    c.req.addValidatedData('json', result.data as object);
    await next();
  };
}

/** A form's fields by name; one that is there more than once is an array. */
async function formFields(bytes: ArrayBuffer, type: string): Promise<Record<string, unknown>> {
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
    throw new ApiError('rest_invalid_param', { message: 'The body is not a valid form.' });
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

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether an object holds others in others, more levels than `limit`; it never recurses itself. */
function isDeeperThan(limit: number, object: object): boolean {
  let level: object[] = [object];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level
      .flatMap((item): unknown[] => Object.values(item))
      .filter((item): item is object => typeof item === 'object' && item !== null);
  }
  return false;
}

/** The body's bytes, read no further than `limit`. */
async function readBytes(request: Request, limit: number): Promise<ArrayBuffer> {
  const tooLarge = () =>
    new ApiError('rest_payload_too_large', {
      message: `The body may have ${limit} bytes at most.`,
    });
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge();
  if (!request.body) return new ArrayBuffer(0);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge();
    chunks.push(chunk);
  }
  return new Blob(chunks).arrayBuffer();
}
