import type * as z from 'zod';
import type { Access } from '../auth/access.ts';
import {
  type Endpoint,
  type Namespace,
  type Route,
  isConditional,
  keepsAnswers,
} from '../http/endpoint.ts';
import { html, picture } from '../http/envelope.ts';
import { errorResponses } from './errors.ts';
import { exampleOf } from './example.ts';
import type { JsonSchema } from './schema.ts';
import type { Shared } from './shared.ts';

/** An operation of a document, with where it belongs. */
export interface Placed {
  readonly namespace: Namespace;
  readonly method: string;
  readonly path: string;
  readonly operation: object;
}

/** The operations of an endpoint: one for each of its routes. */
export function operations(endpoint: Endpoint, tag: string, shared: Shared): Placed[] {
  const { namespace = 'api', summary, access, body, bodyType } = endpoint;
  const common = {
    security: security(access),
    parameters: parameters(endpoint, shared),
    ...(body && { requestBody: requestBody(body, bodyType, shared) }),
    responses: {
      ...success(endpoint, shared),
      ...(endpoint.etag && { 304: unchanged }),
      ...errorResponses(endpoint, shared),
    },
  };
  return endpoint.route.map((route) => {
    const [method, path] = methodAndPath(route);
    const operationId = operationIdOf(endpoint, route);
    const text = description(endpoint, route);
    return {
      namespace,
      method,
      path,
      operation: { operationId, tags: [tag], summary, description: text, ...common },
    };
  });
}

/** The method and the path of a route, the path as OpenAPI writes it. */
function methodAndPath(route: Route): [method: string, path: string] {
  const [method = '', path = ''] = route.split(' ');
  return [method.toLowerCase(), path.replace(/:(\w+)/g, '{$1}')];
}

/** The endpoint's id for its first route; for the others with what tells them from it. */
function operationIdOf({ id, route: routes }: Endpoint, route: Route): string {
  if (route === routes[0]) return id;
  const [method, path] = methodAndPath(route);
  const alike = routes.filter((other) => methodAndPath(other)[0] === method);
  return alike.length > 1 ? `${id}.${path.split('/').at(-1)}` : `${id}.${method}`;
}

function description(endpoint: Endpoint, route: Route): string {
  const [main] = endpoint.route;
  const [method, path] = methodAndPath(main);
  return [
    endpoint.description,
    route !== main && `Another way to call \`${method.toUpperCase()} ${path}\`.`,
    callers(endpoint.access),
  ]
    .filter(Boolean)
    .join('\n\n');
}

function callers(access: Access): string {
  switch (access.kind) {
    case 'key':
      return `**Scope:** ${access.scopes.map((scope) => `\`${scope}\``).join(' or ')}`;
    case 'session':
      return access.capability
        ? `**Caller:** a user with the capability \`${access.capability}\`, by session token`
        : '**Caller:** a user, by session token';
    case 'admin':
      return '**Caller:** an administrator, by a session token of their own (not while switched to another user)';
    case 'open':
      return `**Open to everyone:** ${access.reason}`;
  }
}

/** Alternatives, of which one suffices; the names in them are scopes or capabilities. */
function security(access: Access): Record<string, string[]>[] {
  switch (access.kind) {
    case 'key':
      return access.scopes.flatMap((scope) => [{ ApiKey: [scope] }, { ApiKeyHeader: [scope] }]);
    case 'session':
      return [{ UserSession: access.capability ? [access.capability] : [] }];
    case 'admin':
      return [{ UserSession: ['manage_options'] }];
    case 'open':
      return [];
  }
}

function parameters(endpoint: Endpoint, shared: Shared): object[] {
  const { params, query } = endpoint;
  return [
    ...inputs('path', params, shared),
    ...inputs('query', query, shared),
    ...(isConditional(endpoint) ? [header('IfMatch')] : []),
    ...(keepsAnswers(endpoint) ? [header('IdempotencyKey')] : []),
    ...(endpoint.etag ? [header('IfNoneMatch')] : []),
  ];
}

const header = (name: string) => ({ $ref: `#/components/parameters/${name}` });

/** A parameter for each field of a schema. */
function inputs(place: 'path' | 'query', schema: z.ZodType | undefined, shared: Shared): object[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = shared.input(schema);
  return Object.entries(properties).map(([name, property]) => {
    const { description, examples, allowEmptyValue, ...rest } = property as JsonSchema;
    return {
      name,
      in: place,
      required: required.includes(name),
      ...(description && { description }),
      ...(allowEmptyValue === true && { allowEmptyValue }),
      schema: rest,
      // A viewer fills in the examples it is given: there are none for what is optional.
      ...(required.includes(name) && {
        example: examples?.[0] ?? exampleOf(rest, shared, { object: '', field: name }),
      }),
    };
  });
}

function requestBody(body: z.ZodType, type: Endpoint['bodyType'], shared: Shared) {
  const schema = shared.input(body);
  return {
    required: (shared.resolved(schema).required ?? []).length > 0,
    // There is no example of a file.
    content: type
      ? { [type]: { schema } }
      : { 'application/json': { schema, example: exampleOf(schema, shared) } },
  };
}

const reference = (name: string) => ({ $ref: `#/components/headers/${name}` });

const successes = { 200: 'Success.', 201: 'Created.', 302: 'Go there; with a cookie to keep.' };

/** The response to a request that names the tag of what would be sent. */
const unchanged = {
  description: 'Nothing has changed since the reply with this tag; there is no body.',
  headers: {
    'x-request-id': reference('RequestId'),
    'Server-Timing': reference('ServerTiming'),
    ETag: reference('ETag'),
  },
};

function success(endpoint: Endpoint, shared: Shared) {
  const [status, body] = endpoint.reply;
  const schema = shared.output(body);
  const type = body === html ? 'text/html' : body === picture ? 'image/*' : undefined;
  const content = type
    ? { [type]: { schema } }
    : { 'application/json': { schema, example: exampleOf(schema, shared) } };
  return {
    [status]: {
      description: successes[status],
      headers: {
        'x-request-id': reference('RequestId'),
        'Server-Timing': reference('ServerTiming'),
        ...(status === 302 && { Location: reference('Location') }),
        ...(endpoint.etag && { ETag: reference('ETag') }),
        ...(keepsAnswers(endpoint) && { 'Idempotency-Replayed': reference('IdempotencyReplayed') }),
      },
      content,
    },
  };
}
