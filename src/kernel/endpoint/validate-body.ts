import { zValidator } from '@hono/zod-validator';
import type { MiddlewareHandler } from 'hono';
import type * as z from 'zod';
import { encodeHex } from '../../lib/bytes.ts';
import { isDeeperThan, syntaxErrorOf } from '../../lib/json.ts';
import { kernelError } from '../errors/errors.ts';
import type { Endpoint } from './endpoint.ts';
import { invalidInput, keepIgnored, unknownNames } from './input.ts';

const usualLimit = 1_048_576;

/** The deepest nesting of a body. A deeper one would exhaust the stack. */
const depthLimit = 100;

export function bodyValidators(endpoint: Endpoint): MiddlewareHandler[] {
  const { body, bodyType, bodyLimit, rawBody, streamBody, alsoJson } = endpoint;
  if (rawBody !== undefined) return [readRaw(rawBody)];
  if (streamBody !== undefined) return [checkLength(streamBody)];
  if (!body) return [];
  const asJson = [readJson(body, alsoJson ? usualLimit : bodyLimit), validateJson(body)];
  if (!bodyType) return asJson;
  const asForm = readForm(body, bodyType, bodyLimit);
  return alsoJson ? [jsonOr(asForm, asJson)] : [asForm];
}

const jsonType = /^application\/([\w.-]+\+)?json *(;|$)/i;

const validateJson = (schema: z.ZodType): MiddlewareHandler =>
  zValidator(
    'json',
    schema,
    (result) => {
      if (!result.success) throw invalidInput(result.error.issues, result.data, 'json');
    },
    { validationFunction: (schema, value) => schema.safeParse(value) },
  );

/** Validates a body as JSON if its type says so, otherwise as a form. */
function jsonOr(form: MiddlewareHandler, json: readonly MiddlewareHandler[]): MiddlewareHandler {
  return async (c, next) => {
    const isJson = jsonType.test(c.req.header('content-type') ?? '');
    for (const step of isJson ? json : [form]) await step(c, async () => {});
    await next();
  };
}

/** Refuses a body that is too large, compressed or without a stated length, before it is read. */
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

/**
 * Refuses a body that is too large, of another type, or not a JSON object; no body means {}. Stores the names of
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

/** Passes on a raw body. A body that is not UTF-8 matches no signature. */
function readRaw(limit: number): MiddlewareHandler {
  return async (c, next) => {
    const bytes = await readBytes(c.req.raw, limit);
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    // As above: Hono awaits this.
    c.req.bodyCache.text = Promise.resolve(text) as never;
    await next();
  };
}

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

/** Accepted content types of forms, by the declared type. */
const formTypes = {
  'multipart/form-data': /^multipart\/form-data *;/i,
  'application/x-www-form-urlencoded':
    /^(multipart\/form-data *;|application\/x-www-form-urlencoded *(;|$))/i,
};

/**
 * Validates a form. Its text, which identifies a repeat under an Idempotency-Key, has the fields with hashes of files:
 * the bytes of a form differ each time.
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
    // As above: Hono awaits this.
    c.req.bodyCache.text = hashedFiles(fields) as never;
    const result = schema.safeParse(fields);
    if (!result.success) throw invalidInput(result.error.issues, fields, 'json');
    c.req.addValidatedData('json', result.data as object);
    await next();
  };
}

/** Returns fields by name; a repeated field is an array. */
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

/** Returns a form as text, with a hash for each file. */
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

/** Reads the body's bytes, up to `limit`. A compressed body is refused. */
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
