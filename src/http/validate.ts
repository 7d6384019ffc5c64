import { zValidator } from '@hono/zod-validator';
import type { MiddlewareHandler } from 'hono';
import type * as z from 'zod';
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
    ...(endpoint.body
      ? [readJson(endpoint.body, endpoint.bodyLimit), validator('json', endpoint.body)]
      : []),
  ];
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
  const { shape } = schema as Partial<z.ZodObject>;
  return Object.fromEntries(
    Object.entries(query).filter(
      ([name, value]) => value !== '' || shape?.[name]?.meta()?.['allowEmptyValue'] === true,
    ),
  );
};

/** The error for input that doesn't fit: what is missing wins over what is wrong. */
function invalidInput(issues: readonly z.core.$ZodIssue[], input: unknown): ApiError {
  const missing = issues.filter((issue) => valueAt(input, issue.path) === undefined);
  const name = (issue: z.core.$ZodIssue) => issue.path.join('.') || 'body';
  if (missing.length > 0) {
    const names = [...new Set(missing.map(name))];
    return new ApiError('rest_missing_callback_param', {
      message: `Missing parameter(s): ${names.join(', ')}.`,
      params: Object.fromEntries(names.map((param) => [param, 'is required'])),
    });
  }
  const params = Object.fromEntries(issues.map((issue) => [name(issue), issue.message]));
  return new ApiError('rest_invalid_param', {
    message: `Invalid parameter(s): ${Object.keys(params).join(', ')}.`,
    params,
  });
}

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
  const { shape, def } = schema as z.ZodObject;
  const isKnown = (name: string) => def.catchall !== undefined || Object.hasOwn(shape, name);
  return async (c, next) => {
    const text = await readText(c.req.raw, bodyLimit);
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
    stateOf(c).ignoredFields = Object.keys(body).filter((name) => !isKnown(name));
    c.req.bodyCache.text = Promise.resolve(text || '{}') as never;
    await next();
  };
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

/** The body as text, read no further than `limit` bytes. */
async function readText(request: Request, limit: number): Promise<string> {
  const tooLarge = () =>
    new ApiError('rest_payload_too_large', {
      message: `The body may have ${limit} bytes at most.`,
    });
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge();
  if (!request.body) return '';
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge();
    chunks.push(chunk);
  }
  return new TextDecoder().decode(await new Blob(chunks).arrayBuffer());
}
