import { type PublishedConfig, prefixes } from '../config.ts';
import type { Resource } from '../kernel/endpoint/resource.ts';
import { resourcesOf } from '../endpoints.ts';
import { service } from '../domain/service/service.ts';
import { guide } from './guide.ts';
import { type PlacedOperation, operations } from './operation.ts';
import { Shared } from './shared.ts';
import { webhookHeaders, webhooks } from './webhooks.ts';

/**
 * The OpenAPI 3.1 document of a deployment, made from the declarations. It is built at deployment and served as a file,
 * without the worker.
 * @param resources the resources to show; by default those for keys and sessions
 */
export function openApiDocument(config: PublishedConfig, resources = resourcesOf(config)) {
  const apiBase = config.BASE_URL + prefixes(config.REST_ROOT).api;
  const shared = new Shared(resources.flatMap(({ endpoints }) => endpoints));
  const paths = pathItems(resources, config, shared);
  const { schemas, responses, examples } = shared;
  return {
    openapi: '3.1.0',
    info: {
      title: service.name,
      version: service.version,
      description: guide(apiBase, config.IDEMPOTENCY_DAYS),
      contact: { name: 'The store that runs this service', url: config.BASE_URL },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: config.BASE_URL, description: 'This deployment' }],
    tags: resources.map(({ name, description }) => ({ name, description })),
    paths,
    webhooks: webhooks(shared),
    components: {
      schemas: sorted(schemas),
      responses: sorted(responses),
      examples: sorted(examples),
      parameters: { ...parameters, ...webhookHeaders },
      headers,
      securitySchemes,
    },
  };
}

function pathItems(resources: readonly Resource[], config: PublishedConfig, shared: Shared) {
  const prefix = prefixes(config.REST_ROOT);
  const items: Record<string, Record<string, unknown>> = {};
  for (const { name, endpoints } of resources) {
    const placed = endpoints.flatMap((endpoint) =>
      operations(endpoint, { tag: name, prefix: prefix[endpoint.namespace ?? 'api'] }, shared),
    );
    for (const { method, path, operation } of placed.sort(inReadingOrder)) {
      items[path] ??= {};
      items[path][method] = operation;
    }
  }
  return items;
}

const methods = ['get', 'patch', 'put', 'post', 'delete'];

/** By path; reads come before writes. */
const inReadingOrder = (one: PlacedOperation, other: PlacedOperation) =>
  byName(one.path, other.path) || methods.indexOf(one.method) - methods.indexOf(other.method);

const byName = (one: string, other: string) => Number(one > other) - Number(one < other);

const sorted = <T>(named: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(named).sort(([one], [other]) => byName(one, other)));

const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A key you choose to identify this request. A repeat with the same key and, byte for byte, the same body returns the first reply and is not carried out again.',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description:
      'The `ETag` of the reply you have, or several, separated by commas. If nothing has changed since, the answer is 304 without a body.',
    schema: { type: 'string' },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'The `version` of the record as you read it, if it has one. If the record has another version by now, the write is refused with 409 `rest_conflict`.',
    schema: { type: 'integer', minimum: 0 },
  },
} as const;

const headers = {
  RequestId: {
    description: 'Identifies this request; quote it to support.',
    schema: { type: 'string' },
  },
  ServerTiming: {
    description: 'Time spent in the database, and round trips to it. Absent if there were none.',
    schema: { type: 'string', examples: ['db;dur=12;desc="1 trip"'] },
  },
  IdempotencyReplayed: {
    description: '`true` if this is the stored reply to an earlier request with the same key.',
    schema: { type: 'string', const: 'true' },
  },
  ETag: {
    description: 'Identifies exactly this reply; send it as `If-None-Match` with the next request.',
    schema: { type: 'string' },
  },
  Location: {
    description: 'The page it leads to.',
    schema: { type: 'string', format: 'uri' },
  },
  SetCookie: {
    description: 'Sent if the browser is to keep a `ref`.',
    schema: { type: 'string' },
  },
  WWWAuthenticate: {
    description:
      'The kind of credentials required; with `error="invalid_token"` if some were sent.',
    schema: { type: 'string' },
  },
  RetryAfter: {
    description: 'Seconds to wait before trying again.',
    schema: { type: 'integer', minimum: 0 },
  },
} as const;

const securitySchemes = {
  ApiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'svcapi_<prefix>_<secret>',
    description: "An API key with the operation's scope: `Authorization: Bearer <API key>`.",
  },
  ApiKeyHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Svc-Key',
    description:
      'The same API key in a separate header. If both are sent, the one in `Authorization` counts.',
  },
  UserSession: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'The session token of a user, issued by `POST /sessions`: `Authorization: Bearer <token>`.',
  },
} as const;
