import type * as z from 'zod';
import type { Access } from '../kernel/auth/access.ts';
import { type Endpoint, isConditional, keepsAnswers } from '../kernel/endpoint/endpoint.ts';
import { csvFile, download, html, picture } from '../kernel/schemas/replies.ts';
import { itemOf } from '../kernel/endpoint/exports.ts';
import { exportTypes } from '../kernel/endpoint/export-formats.ts';
import { partsOf } from '../kernel/endpoint/routes.ts';
import { scopes } from '../schema/scopes.ts';
import { errorResponses } from './errors.ts';
import { exampleOf } from './example.ts';
import { operationName } from './names.ts';
import type { JsonSchema } from './schema.ts';
import type { Shared } from './shared.ts';

export interface PlacedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: object;
}

/** One for each route. */
export function operations(
  endpoint: Endpoint,
  { tag, prefix }: { readonly tag: string; readonly prefix: string },
  shared: Shared,
): PlacedOperation[] {
  const { summary, access, body, streamBody } = endpoint;
  const common = {
    ...callersOf(access),
    parameters: parameters(endpoint, shared),
    ...(body && { requestBody: requestBody(body, endpoint, shared) }),
    ...(streamBody !== undefined && { requestBody: bytes }),
    responses: {
      ...success(endpoint, shared),
      ...(endpoint.etag && { 304: unchanged }),
      ...errorResponses(endpoint, shared),
    },
  };
  // Routes with a query are left out: the other routes describe them.
  const [main, ...others] = endpoint.route
    .map(partsOf)
    .filter(({ only }) => Object.keys(only).length === 0)
    .map(({ method, path }) => ({
      method: method.toLowerCase(),
      path: prefix + path.replace(/:(\w+)/g, '{$1}'),
    }));
  if (!main) return [];
  const operation = { tags: [tag], summary, description: description(endpoint), ...common };
  return [
    { ...main, operation: { operationId: operationName(endpoint.id), ...operation } },
    ...others.map((other) => ({
      ...other,
      operation: {
        operationId: operationName(endpoint.id, difference(main, other)),
        ...operation,
        description: `Does the same as \`${main.method.toUpperCase()} ${main.path}\`, which new clients should call.\n\n${callers(endpoint.access)}`,
        deprecated: true,
      },
    })),
  ];
}

type Route = Pick<PlacedOperation, 'method' | 'path'>;

/** Distinguishes a further route from the first: by the method, or by the end of the path. */
const difference = (main: Route, { method, path }: Route): string =>
  method === main.method ? (path.split('/').at(-1) ?? '') : method;

export const description = (endpoint: Endpoint): string =>
  [endpoint.description, callers(endpoint.access)].filter(Boolean).join('\n\n');

function callers(access: Access): string {
  switch (access.kind) {
    case 'key':
      if (access.scopes.length === scopes.length) return '**Scope:** any';
      return `**Scope:** ${access.scopes.map((scope) => `\`${scope}\``).join(' or ')}`;
    case 'session':
      return access.capability
        ? `**Caller:** a user with the capability \`${access.capability}\`, by session token`
        : '**Caller:** a user, by session token';
    case 'admin':
      return access.console
        ? '**Caller:** an administrator, by a session token of their own (not while acting as another user), or in the console'
        : '**Caller:** an administrator, by a session token of their own (not while acting as another user)';
    case 'console':
      return '**Caller:** somebody in the console';
    case 'open':
      return `**Open to everyone:** ${access.reason}`;
  }
}

/** The ways to authenticate, one of which suffices, and the necessary rights. */
function callersOf(access: Access): object {
  switch (access.kind) {
    case 'key':
      return {
        security: [{ ApiKey: [] }, { ApiKeyHeader: [] }],
        'x-required-scopes': access.scopes,
      };
    case 'session':
      return {
        security: [{ UserSession: [] }],
        ...(access.capability && { 'x-required-capability': access.capability }),
      };
    case 'admin':
      return { security: [{ UserSession: [] }], 'x-required-capability': 'manage_options' };
    // Operations of the console are in no document.
    case 'console':
    case 'open':
      return { security: [] };
  }
}

function parameters(endpoint: Endpoint, shared: Shared): object[] {
  const { id, params, query, route } = endpoint;
  return [
    // The `id` in `/users/:id/sessions/revoke` and in `users.lookup` is the id of a user.
    ...inputs('path', params, /(\w+?)s?\/:id/.exec(route[0])?.[1] ?? '', shared),
    ...inputs('query', query, id.replace(/s?\..*$/, ''), shared),
    ...(isConditional(endpoint) ? [header('IfMatch')] : []),
    ...(keepsAnswers(endpoint) ? [header('IdempotencyKey')] : []),
    ...(endpoint.etag ? [header('IfNoneMatch')] : []),
  ];
}

const header = (name: string) => ({ $ref: `#/components/parameters/${name}` });

function inputs(
  place: 'path' | 'query',
  schema: z.ZodType | undefined,
  object: string,
  shared: Shared,
): object[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = shared.input(schema);
  return Object.entries(properties).map(([name, property]) => {
    const { description, examples, allowEmptyValue, demanded, style, ...rest } =
      property as JsonSchema;
    const isRequired = required.includes(name) || demanded === true;
    return {
      name,
      in: place,
      required: isRequired,
      ...(description && { description }),
      ...(allowEmptyValue === true && { allowEmptyValue }),
      ...(style !== undefined && { style, explode: true }),
      schema: rest,
      // Viewers fill in every example, so optional parameters have only declared ones.
      ...((isRequired || examples) && {
        example: examples?.[0] ?? exampleOf(rest, shared, { object, field: name }),
      }),
    };
  });
}

const bytes = {
  required: true,
  content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
};

function requestBody(body: z.ZodType, { bodyType, alsoJson }: Endpoint, shared: Shared) {
  const schema = shared.input(body);
  return {
    required: (shared.resolved(schema).required ?? []).length > 0,
    content: {
      // A file has no example.
      ...(bodyType && { [bodyType]: { schema } }),
      ...((!bodyType || alsoJson) && {
        'application/json': { schema, example: exampleOf(schema, shared) },
      }),
    },
  };
}

const reference = (name: string) => ({ $ref: `#/components/headers/${name}` });

const successes = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted.',
  302: 'Redirect to the URL in `Location`.',
};

/** The reply to a matching `If-None-Match`. */
const unchanged = {
  description: 'Nothing has changed since the reply with this tag. There is no body.',
  headers: {
    'x-request-id': reference('RequestId'),
    'Server-Timing': reference('ServerTiming'),
    ETag: reference('ETag'),
  },
};

const files = (endpoint: Endpoint) =>
  itemOf(endpoint) &&
  Object.fromEntries(Object.values(exportTypes).map((type) => [type, { schema: file }]));

const file = { type: 'string' };

/** Media types of replies that aren't JSON. */
const fileTypes = new Map<z.ZodType, string>([
  [html, 'text/html'],
  [picture, 'image/*'],
  [csvFile, 'text/csv'],
  // A file has its own type.
  [download, '*/*'],
]);

function success(endpoint: Endpoint, shared: Shared) {
  const [status, body] = endpoint.reply;
  const schema = shared.reply(endpoint);
  const type = fileTypes.get(body);
  const content = type
    ? { [type]: { schema } }
    : { 'application/json': { schema, example: exampleOf(schema, shared) }, ...files(endpoint) };
  return {
    [status]: {
      description: successes[status],
      headers: {
        'x-request-id': reference('RequestId'),
        'Server-Timing': reference('ServerTiming'),
        ...(status === 302 && {
          Location: reference('Location'),
          'Set-Cookie': reference('SetCookie'),
        }),
        ...(endpoint.etag && { ETag: reference('ETag') }),
        ...(keepsAnswers(endpoint) && {
          'Idempotency-Replayed': reference('IdempotencyReplayed'),
        }),
      },
      content,
    },
    ...(body === download && {
      206: { description: 'The bytes of the requested range.', content },
    }),
  };
}
