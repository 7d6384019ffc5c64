import { describe, expect, test } from 'vitest';
import { endpoints } from '../../src/endpoints.ts';
import type { Endpoint } from '../../src/kernel/endpoint/endpoint.ts';
import { isLong } from '../harness/long.ts';
import { askedOf, dealerOf, exemplarsOf } from './kinds.ts';
import { bodyLimitOf, mistakes, ownAndTypicalMistakes, typicalMistakes } from './mistakes.ts';
import { fill, mainRoute, pathParameters, routesOf } from './routes.ts';
import { useScene } from './scene.ts';
import { ignoresOthers, requiredFields, shapeOf } from './schemas.ts';

const stage = useScene();

const withBody = endpoints.filter(({ body }) => body);
/** Endpoints that take JSON; forms have their own tests. */
const withJson = withBody.filter(({ bodyType }) => !bodyType);

/** True if a path, such as `detail.total`, is in a field. */
const isWithin = (path: string, field: string) => path === field || path.startsWith(`${field}.`);

describe('an invalid request is refused with its error, and changes nothing', () => {
  const exemplars = exemplarsOf(endpoints);
  const others = isLong ? ownAndTypicalMistakes : typicalMistakes;
  test.each(endpoints)('$id', async (endpoint) => {
    const { scene } = stage;
    const example = await scene.example(endpoint);
    const caller = await scene.caller(endpoint, example);
    const before = await scene.contents();
    for (const [index, route] of routesOf(endpoint).entries()) {
      const usual = exemplars.includes(endpoint) ? mistakes : others;
      const made = (index === 0 ? usual : typicalMistakes)(endpoint, example);
      for (const mistake of made) {
        const { name, status, code, named = [] } = mistake;
        const reply = await scene.call(caller, route, example, mistake);
        expect(reply.body, name).toMatchObject({ code, data: { status } });
        const params = Object.keys(reply.body.data.params ?? {});
        const unnamed = named.filter((field) => !params.some((path) => isWithin(path, field)));
        expect(unnamed, name).toEqual([]);
        expect(reply.trips, name).toBe(endpoint.access.kind === 'open' ? 0 : 1);
      }
    }
    expect(await scene.contents()).toEqual(before);
  });
});

describe('every missing field is named at once, and invalid ones are not', () => {
  const demanding = withBody.filter(({ body }) => requiredFields(body).length > 0);
  test.each(demanding)('$id', async (endpoint) => {
    const { scene } = stage;
    const example = await scene.example(endpoint);
    const caller = await scene.caller(endpoint, example);
    const required = requiredFields(endpoint.body);
    const others = Object.keys(shapeOf(endpoint.body)).filter((name) => !required.includes(name));
    const body = Object.fromEntries(others.map((name) => [name, [[]]]));
    for (const route of routesOf(endpoint)) {
      const reply = await scene.call(caller, route, example, { body });
      expect(reply.body).toMatchObject({ code: 'rest_missing_callback_param' });
      expect(Object.keys(reply.body.data.params)).toEqual(required);
      for (const name of required) expect(reply.body.message).toContain(name);
    }
  });
});

describe('unknown fields are ignored and named', () => {
  const names = ['nobody_knows', '__proto__', 'constructor', 'toString', '', 'a\0b', '\uD800'];
  const unknown = names.map((name) => `${JSON.stringify(name)}:{"a":[1,null]}`).join();
  const tolerant = withJson.filter(({ body }) => ignoresOthers(body));
  test.each(askedOf(tolerant))('$id', async (endpoint) => {
    const { scene } = stage;
    const example = await scene.example(endpoint);
    const caller = await scene.caller(endpoint, example);
    const known = JSON.stringify(example.body ?? {}).slice(1, -1);
    const reply = await scene.call(caller, mainRoute(endpoint), example, {
      body: `{${[known, unknown].filter(Boolean).join()}}`,
    });
    expect(reply).toMatchObject({ status: endpoint.reply[0] });
    expect(reply.body.meta.ignored_fields).toEqual(expect.arrayContaining(names));
    expect(reply.body.meta.ignored_fields).toHaveLength(names.length);
  });
});

describe('a number that JavaScript would change is refused and named, wherever it stands in `meta`', () => {
  const takesMeta = withJson.filter(({ body }) => 'meta' in shapeOf(body));
  const deal = dealerOf(takesMeta);
  test.each(takesMeta)('$id', async (endpoint) => {
    const { scene } = stage;
    const example = await scene.example(endpoint);
    const caller = await scene.caller(endpoint, example);
    const before = await scene.contents();
    const { meta: _, ...body } = example.body ?? {};
    const known = JSON.stringify(body).slice(1, -1);
    for (const [number, param] of deal(endpoint, [
      ['9007199254740993', 'meta.ids.1'],
      ['-12345678901234567890', 'meta.ids.1'],
      ['1e400', 'meta.ids'],
    ])) {
      const meta = `"meta":{"name":"x","ids":[9007199254740991,${number}]}`;
      const reply = await scene.call(caller, mainRoute(endpoint), example, {
        body: `{${[known, meta].filter(Boolean).join()}}`,
      });
      expect(reply).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
      expect(Object.keys(reply.body.data.params), number).toEqual([param]);
    }
    expect(await scene.contents()).toEqual(before);
  });
});

describe('unknown parameters are ignored and named, whatever their names', () => {
  const names = ['nobody_knows', '__proto__', 'constructor', 'toString', ''];
  test.each(askedOf(endpoints.filter(({ query }) => ignoresOthers(query))))(
    '$id',
    async (endpoint) => {
      const { scene } = stage;
      const example = await scene.example(endpoint);
      const caller = await scene.caller(endpoint, example);
      const query = { ...example.query, ...Object.fromEntries(names.map((name) => [name, ''])) };
      const search = new URLSearchParams(Object.entries(query)).toString();
      const reply = await scene.call(caller, mainRoute(endpoint), example, { search });
      expect(reply).toMatchObject({ status: endpoint.reply[0] });
      if (!('meta' in shapeOf(endpoint.reply[1]))) return;
      const said = new Set(reply.body.meta.ignored_parameters);
      expect(said).toEqual(new Set(names.filter((name) => name !== '')));
    },
  );
});

describe('a body of the largest size is accepted, and a larger one is refused even in chunks', () => {
  const chunk = new TextEncoder().encode(' '.repeat(8192));

  test.each(exemplarsOf(withJson))('$id', async (endpoint) => {
    const { scene } = stage;
    const route = mainRoute(endpoint);
    const example = await scene.example(endpoint);
    const credentials = await scene.credentials(endpoint, example);
    const before = await scene.contents();
    let sent = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sent += chunk.byteLength;
        controller.enqueue(chunk);
      },
    });
    // A stream has no Content-Length.
    const request = new Request(`https://shop.example${fill(route, example.params)}`, {
      method: route.method,
      headers: { ...credentials, 'content-type': 'application/json' },
      body: endless,
      duplex: 'half',
    });
    const refused = await scene.send(request);
    expect(refused.status).toBe(413);
    expect(await refused.json()).toMatchObject({ code: 'rest_payload_too_large' });
    expect(sent).toBeLessThan(bodyLimitOf(endpoint) + 10 * chunk.byteLength);
    expect(await scene.contents()).toEqual(before);

    const body = JSON.stringify(example.body ?? {}).padEnd(bodyLimitOf(endpoint));
    const taken = await scene.call(scene.client(credentials), route, example, { body });
    expect(taken).toMatchObject({ status: endpoint.reply[0] });
  });
});

describe('texts that are invalid UTF-8 or invalid escapes never cause a 500', () => {
  const odd = ['%', '%ED%A0%80', '%FF', '%C0%AF'];
  const hasText = (endpoint: Endpoint) => pathParameters(mainRoute(endpoint), 'text').length > 0;
  const withQuery = endpoints.filter((endpoint) => endpoint.query && !hasText(endpoint));
  test.each([...endpoints.filter(hasText), ...askedOf(withQuery)])('$id', async (endpoint) => {
    const { scene } = stage;
    const example = await scene.example(endpoint);
    const caller = await scene.caller(endpoint, example);
    const names = ['nobody_knows', ...Object.keys(shapeOf(endpoint.query))];
    for (const text of endpoint.query ? odd : []) {
      const search = names.map((name) => `${name}=${text}`).join('&');
      const reply = await scene.call(caller, mainRoute(endpoint), example, { search });
      expect(reply.status, search).toBeLessThan(500);
    }
    // A link of an unknown affiliate still redirects its visitor.
    const least = endpoint.id === 'affiliates.click' ? 302 : 400;
    for (const route of routesOf(endpoint)) {
      for (const name of pathParameters(route, 'text')) {
        // For an address at the root, `..` is the root itself.
        const above = endpoint.namespace === 'root' ? [] : ['..'];
        for (const text of ['a\0b', '%ED%A0%80', "'", ...above, 'a'.repeat(2000)]) {
          const params = { ...example.params, [name]: text };
          const reply = await scene.call(caller, route, example, { params });
          expect(reply.status, text).toBeGreaterThanOrEqual(least);
          expect(reply.status, text).toBeLessThan(500);
        }
      }
    }
  });
});
