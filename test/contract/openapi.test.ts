import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import type { Access } from '../../src/kernel/auth/access.ts';
import { declaredErrors } from '../../src/kernel/endpoint/declared-errors.ts';
import { errorTable } from '../../src/domain/service/errors.ts';
import type { Endpoint } from '../../src/kernel/endpoint/endpoint.ts';
import { placesOf } from '../../src/kernel/endpoint/routes.ts';
import { catalogue } from '../../src/domain/webhook/catalogue.ts';
import { operationName } from '../../src/openapi/names.ts';
import { scopes } from '../../src/schema/scopes.ts';
import { documentedEndpoints } from '../../src/endpoints.ts';
import { baseUrl } from '../harness/store.ts';
import { type Operation, document, objectsIn, resolved, isInExample } from './openapi.ts';

/** Every operation by its route in the endpoint table: `PUT https://…/orders/:id`. */
const operations = new Map<string, Operation>();
for (const [path, item] of Object.entries(document.paths)) {
  for (const [method, operation] of Object.entries(item)) {
    const address = document.servers[0]?.url + path.replace(/\{(\w+)\}/g, ':$1');
    operations.set(`${method.toUpperCase()} ${address}`, operation);
  }
}

const routes = placesOf(documentedEndpoints, '/api')
  .filter(({ only }) => Object.keys(only).length === 0)
  .map(({ endpoint, method, path }) => ({ endpoint, route: `${method} ${baseUrl}${path}` }));

function operationOf(route: string): Operation {
  const operation = operations.get(route);
  if (!operation) throw new Error(`The document has no operation for ${route}.`);
  return operation;
}

describe('The OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate({ ...structuredClone(document) });
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  test('equals the reviewed snapshot', async () => {
    const hint =
      'The API changed. If it was meant to: npx vitest run test/contract/openapi --update';
    await expect(`${JSON.stringify(document, null, 1)}\n`, hint).toMatchFileSnapshot(
      './openapi.snapshot.json',
    );
  });

  test('has every route and no others', () => {
    expect([...operations.keys()].sort()).toEqual(routes.map(({ route }) => route).sort());
  });

  test('names every operation once', () => {
    const ids = [...operations.values()].map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { endpoint } of routes) expect(ids).toContain(operationName(endpoint.id));
  });

  test('has names that are valid identifiers', () => {
    const { schemas = {}, responses = {} } = document.components;
    const ids = [...operations.values()].map(({ operationId }) => operationId);
    for (const name of [...ids, ...Object.keys(schemas), ...Object.keys(responses)]) {
      expect(name).toMatch(/^[A-Za-z][A-Za-z0-9]{1,50}$/);
    }
    // Names that differ only in case are the same file on some machines, and clash in generated code.
    const names = [...Object.keys(schemas), ...Object.keys(responses)];
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
    for (const name of names) expect(globalThis).not.toHaveProperty(name);
  });

  test('has one server, the origin, and every path in full', () => {
    expect(document.servers).toMatchObject([{ url: baseUrl }]);
    for (const [path, item] of Object.entries(document.paths)) {
      expect(path).toMatch(/^\//);
      expect(Object.keys(item)).not.toContain('servers');
    }
    for (const path of ['/api/svc/v1/orders', '/api/svc-notify/v1/feed', '/healthz']) {
      expect(document.paths).toHaveProperty([path, 'get']);
    }
  });

  test('has no two paths that differ only in the names of their parameters', () => {
    const places = Object.keys(document.paths).map((path) => path.replace(/\{\w+\}/g, '{}'));
    expect(new Set(places).size).toBe(places.length);
  });

  test('has one operation of each endpoint that is not deprecated', () => {
    const current = [...operations.values()].filter(({ deprecated }) => !deprecated);
    expect(current).toHaveLength(documentedEndpoints.length);
  });

  test('says how long this deployment keeps answers under an Idempotency-Key', () => {
    expect(document.info.description).toContain('Keys are kept for 5 days.');
  });

  test('names every event, and the schema of what is sent', () => {
    const ids = Object.values(document.webhooks).map(({ post }) => post.operationId);
    expect(new Set(ids).size).toBe(Object.keys(catalogue).length);
    for (const [event, { post }] of Object.entries(document.webhooks)) {
      const { schema } = (post.requestBody.content as Record<string, { schema: { $ref: string } }>)[
        'application/json'
      ] as { schema: { $ref: string } };
      expect(schema.$ref).toMatch(/^#\/components\/schemas\/[A-Z]\w+Event$/);
      const { properties } = resolved(schema) as { properties: Record<string, object> };
      expect(properties['event']).toEqual({ type: 'string', const: event });
      expect(post.security).toEqual([]);
    }
  });

  test('describes each tag in one line', () => {
    for (const { description } of document.tags) expect(description).toMatch(/^.{10,100}\.$/);
  });
});

describe.each(routes)('$route', ({ endpoint, route }) => {
  test('has a summary, and a tag with a description', () => {
    const { summary, tags } = operationOf(route);
    expect(summary).toMatch(/^[A-Z].{3,60}[^.]$/);
    const known = document.tags.map(({ name }) => name);
    expect(tags).toEqual([expect.toBeOneOf(known)]);
  });

  test('says who may call it', () => {
    const { description, ...operation } = operationOf(route);
    const { text, ...said } = callers(endpoint.access);
    expect(operation).toMatchObject(said);
    expect(description).toContain(text);
  });

  test('takes parameters as a client sends them', () => {
    const schemas = operationOf(route).parameters.map((parameter) =>
      resolved((resolved(parameter) as { schema: object }).schema),
    );
    for (const schema of schemas) expect(schema).toHaveProperty('type');
    for (const schema of schemas.filter(
      (schema) => !('type' in schema && schema.type === 'string'),
    )) {
      expect(schema).not.toHaveProperty('pattern');
      expect(schema).not.toHaveProperty('enum');
    }
  });

  test('shows an example of each of its errors', () => {
    expect(errorsShown(route)).toEqual(errorsDeclared(endpoint));
  });
});

function callers(access: Access): { security: object[]; text: string } {
  switch (access.kind) {
    case 'console':
      throw new Error('No document shows it.');
    case 'open':
      return { security: [], text: `**Open to everyone:** ${access.reason}` };
    case 'key': {
      const names = access.scopes.map((scope) => `\`${scope}\``);
      return {
        security: [{ ApiKey: [] }, { ApiKeyHeader: [] }],
        text: `**Scope:** ${names.length === scopes.length ? 'any' : names.join(' or ')}`,
        ...{ 'x-required-scopes': access.scopes },
      };
    }
    case 'session':
      return {
        security: [{ UserSession: [] }],
        text: '**Caller:** a user',
        ...(access.capability && { 'x-required-capability': access.capability }),
      };
    case 'admin':
      return {
        security: [{ UserSession: [] }],
        text: '**Caller:** an administrator',
        ...{ 'x-required-capability': 'manage_options' },
      };
  }
}

const errorsDeclared = (endpoint: Endpoint) =>
  declaredErrors(endpoint, errorTable)
    .map(({ code, status }) => `${status} ${code}`)
    .sort();

function errorsShown(route: string): string[] {
  const failures = Object.entries(operationOf(route).responses).filter(([status]) => status >= '4');
  return failures
    .flatMap(([status, response]) => {
      const { content } = resolved(response) as {
        content: { 'application/json': { schema: object; examples: Record<string, object> } };
      };
      expect(content['application/json'].schema).toEqual({ $ref: '#/components/schemas/ApiError' });
      return Object.values(content['application/json'].examples).map((reference) => {
        const { value } = resolved(reference) as {
          value: { code: string; message: string; data: { status: number } };
        };
        expect(value.message).not.toBe('');
        expect(String(value.data.status)).toBe(status);
        return `${status} ${value.code}`;
      });
    })
    .sort();
}

test('Every body that is JSON has a name', () => {
  const nameless = [...objectsIn()]
    .filter(([pointer]) => pointer.endsWith('/content/application~1json'))
    .filter(([, { schema }]) => !Object.hasOwn(schema as object, '$ref'))
    .map(([pointer]) => pointer);
  expect(nameless, "Name the schema: .meta({ id: 'Thing' })").toEqual([]);
});

test('A closed list that several schemas take has a name', () => {
  const places = new Map<string, string[]>();
  for (const [pointer, { enum: values }] of objectsIn()) {
    if (!Array.isArray(values) || isInExample(pointer)) continue;
    const list = values
      .filter((value) => value !== null)
      .map(String)
      .toSorted();
    places.set(list.join(), [...(places.get(list.join()) ?? []), pointer]);
  }
  const copies = [...places.values()].filter((pointers) => pointers.length > 1);
  expect(copies, 'Name the list in src/openapi/closed-lists.ts').toEqual([]);
});

test('A record that several operations show is described once', () => {
  const places = new Map<string, string[]>();
  for (const [pointer, object] of objectsIn()) {
    const { properties } = object;
    if (!/^\/(paths|webhooks)\//.test(pointer) || isInExample(pointer)) continue;
    if (Object.keys(properties ?? {}).length < 6) continue;
    const text = JSON.stringify(properties);
    places.set(text, [...(places.get(text) ?? []), pointer]);
  }
  const copies = [...places.values()].filter((pointers) => pointers.length > 1);
  expect(copies, "Name the schema: .meta({ id: 'Thing' })").toEqual([]);
});
