import { beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { openDeployment } from '../../src/services.ts';
import { endpoints } from '../../src/endpoints.ts';
import { inputOf, isTool, toolName } from '../../src/modules/mcp/tools.ts';
import { toolsOf } from '../../src/openapi/tools.ts';
import { tripsOf } from '../contract/examples.ts';
import { document } from '../contract/openapi.ts';
import { shapeOf } from '../contract/schemas.ts';
import { type Scene, authorization, useScene } from '../contract/scene.ts';

// Single messages, without a client that follows the protocol.

const stage = useScene();
let key: Record<string, string>;

beforeAll(async () => {
  key = authorization((await stage.scene.store.createKey()).token);
});

const today = '2026-07-28';
const legacy = { 'mcp-protocol-version': '2025-11-25' };

interface Sent {
  path?: string;
  method?: string;
  headers?: Record<string, string>;
}

/** Posts a text, or another value as JSON. */
async function post(body: unknown, { path = '/mcp', method = 'POST', headers = {} }: Sent = {}) {
  const request = new Request(`https://shop.example${path}`, {
    method,
    headers: { ...key, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const response = await stage.scene.store.fetch(request);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
}

const request = (method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  id: 7,
  method,
  params,
});

const meta = { protocolVersion: today, clientCapabilities: {} };

/** A request of the present revision, with the given `_meta` and headers. */
const modern = (
  method: string,
  params: Record<string, unknown> = {},
  { said = meta, headers = {} }: { said?: object; headers?: Record<string, string> } = {},
) => {
  const fields = Object.fromEntries(
    Object.entries(said).map(([name, value]) => [`io.modelcontextprotocol/${name}`, value]),
  );
  return [
    request(method, { ...params, _meta: fields }),
    { 'mcp-protocol-version': today, 'mcp-method': method, ...headers },
  ] as const;
};

describe('An invalid message is answered with its error, under its id:', () => {
  const call = { name: 'orders_list', arguments: {} };
  const wrong: [string, status: number, code: number, body: unknown, Record<string, string>?][] = [
    ['no JSON', 400, -32_700, '{"jsonrpc": "2.0",'],
    ['nothing', 400, -32_700, ''],
    ['a batch', 400, -32_600, [request('ping')]],
    ['an empty batch', 400, -32_600, []],
    ['no object', 400, -32_600, 'null'],
    ['another JSON-RPC', 400, -32_600, { ...request('ping'), jsonrpc: '1.0' }],
    ['null as id', 400, -32_600, { ...request('ping'), id: null }],
    ['a list as id', 400, -32_600, { ...request('ping'), id: [7] }],
    ['no method', 400, -32_600, { jsonrpc: '2.0', id: 7 }],
    ['a response', 400, -32_600, { jsonrpc: '2.0', id: 7, result: {} }],
    ['a list as params', 400, -32_600, { ...request('ping'), params: [1] }],
    [
      'a depth',
      400,
      -32_600,
      `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":${'['.repeat(9999)}${']'.repeat(9999)}}}`,
    ],
    ['no revision', 400, -32_020, request('tools/list'), {}],
    [
      'an unknown revision',
      400,
      -32_022,
      request('ping'),
      { 'mcp-protocol-version': '1999-01-01' },
    ],
    [
      'a revision with batches',
      400,
      -32_022,
      request('ping'),
      { 'mcp-protocol-version': '2025-03-26' },
    ],
    ['an unknown method', 200, -32_601, request('resources/list'), legacy],
    ['a method of every object', 200, -32_601, request('constructor'), legacy],
    ["today's method in an old revision", 200, -32_601, request('server/discover'), legacy],
    ['a method of old today', 404, -32_601, ...modern('initialize')],
    ['ping today', 404, -32_601, ...modern('ping')],
    ['no _meta', 400, -32_602, request('tools/list'), modern('tools/list')[1]],
    [
      'no capabilities',
      400,
      -32_602,
      ...modern('tools/list', {}, { said: { protocolVersion: today } }),
    ],
    [
      'null as capabilities',
      400,
      -32_602,
      ...modern('tools/list', {}, { said: { ...meta, clientCapabilities: null } }),
    ],
    [
      'another method in the headers',
      400,
      -32_020,
      ...modern('tools/list', {}, { headers: { 'mcp-method': 'ping' } }),
    ],
    [
      'another revision in the headers',
      400,
      -32_020,
      ...modern('tools/list', {}, { headers: legacy }),
    ],
    ['no tool in the headers', 400, -32_020, ...modern('tools/call', call)],
    [
      'another tool in the headers',
      400,
      -32_020,
      ...modern('tools/call', call, { headers: { 'mcp-name': 'orders_get' } }),
    ],
    ['an unknown tool', 200, -32_602, request('tools/call', { name: 'telepathy' }), legacy],
    [
      'a tool that every object has',
      200,
      -32_602,
      request('tools/call', { name: 'constructor' }),
      legacy,
    ],
    [
      'an operation that is none',
      200,
      -32_602,
      request('tools/call', { name: 'sessions_create' }),
      legacy,
    ],
    ['no tool', 200, -32_602, request('tools/call'), legacy],
    [
      'a list as arguments',
      200,
      -32_602,
      request('tools/call', { ...call, arguments: [] }),
      legacy,
    ],
  ];

  test.each(wrong)('%s', async (_, status, code, body, headers = {}) => {
    const reply = await post(body, { headers });
    const { id, error, jsonrpc } = JSON.parse(reply.text);
    expect({ status: reply.status, jsonrpc, error }).toMatchObject({
      status,
      jsonrpc: '2.0',
      error: { code, message: expect.any(String) },
    });
    if (code !== -32_700 && code !== -32_600) expect(id).toBe(7);
  });

  test('the supported revisions are listed', async () => {
    const { text } = await post(request('ping'), { headers: { 'mcp-protocol-version': '1' } });
    const supported = [today, '2025-11-25', '2025-06-18'];
    expect(JSON.parse(text).error.data).toEqual({ supported, requested: '1' });
  });
});

test('a handshake agrees on a revision with sessions that need not be kept', async () => {
  for (const [asked, agreed] of [
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['2024-11-05', '2025-11-25'],
    [today, '2025-11-25'],
    [undefined, '2025-11-25'],
  ]) {
    const { status, headers, text } = await post(request('initialize', { protocolVersion: asked }));
    expect(status).toBe(200);
    expect(JSON.parse(text).result.protocolVersion).toBe(agreed);
    expect(headers.get('mcp-session-id')).toBeNull();
  }
});

test('the name of a tool may be sent in the headers in Base64', async () => {
  const params = { name: 'orders_list', arguments: { per_page: 1 } };
  const headers = { 'mcp-name': `=?base64?${btoa('orders_list')}?=` };
  const [body, said] = modern('tools/call', params, { headers });
  expect(JSON.parse((await post(body, { headers: said })).text).result.isError).toBe(false);
});

test('a notification is accepted with an empty answer', async () => {
  const body = { jsonrpc: '2.0', method: 'notifications/initialized' };
  expect(await post(body)).toMatchObject({ status: 202, text: '' });
});

test('only POST is accepted: there is no stream and no session', async () => {
  for (const method of ['GET', 'HEAD', 'DELETE', 'PUT', 'OPTIONS']) {
    const { status, headers } = await post(undefined, { method });
    expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'POST' });
  }
});

test('pages of other origins are refused', async () => {
  const ask = (origin: string) =>
    post(request('tools/list'), { headers: { ...legacy, origin } }).then(({ status }) => status);
  expect(await ask('https://shop.example')).toBe(200);
  for (const origin of ['https://evil.example', 'null', 'https://shop.example.evil.example', '']) {
    expect(await ask(origin), origin).toBe(403);
  }
});

test('a body above the largest limit of any operation is not read', async () => {
  const { status, text } = await post(' '.repeat(1_100_000));
  expect({ status, code: JSON.parse(text).code }).toEqual({
    status: 413,
    code: 'rest_payload_too_large',
  });
});

describe('Without a valid key every request is a 401 that says which key it needs:', () => {
  const messages = {
    'a handshake': request('initialize', { protocolVersion: '2025-11-25' }),
    'a notification': { jsonrpc: '2.0', method: 'notifications/initialized' },
    'the list of tools': request('tools/list'),
    'a call': request('tools/call', { name: 'orders_list' }),
    'a call of no tool': request('tools/call', { name: 'telepathy' }),
    'no message': 'nothing',
  };
  test.each(Object.entries(messages))('%s', async (_, body) => {
    const { store } = stage.scene;
    const { id, token } = await store.createKey();
    await store.database.query('update api_keys set revoked_at = $2 where id = $1', [
      id,
      store.clock.now(),
    ]);
    for (const headers of [
      authorization(token),
      authorization('nonsense'),
      { authorization: '' },
    ]) {
      const reply = await post(body, { headers: { ...legacy, ...headers } });
      expect(reply).toMatchObject({ status: 401 });
      expect(JSON.parse(reply.text)).toMatchObject({ code: 'rest_forbidden' });
      expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer realm="sales-api"/);
    }
  });
});

test("a call can't have arguments that no address can contain", async () => {
  const many = Object.fromEntries(Array.from({ length: 4000 }, (_, at) => [`name${at}`, 1]));
  for (const [name, given] of [
    ['orders_list', many],
    ['orders_get', { id: '1'.repeat(20_000) }],
  ]) {
    const call = request('tools/call', { name, arguments: given });
    const { result } = JSON.parse((await post(call, { headers: legacy })).text);
    expect(result).toMatchObject({ isError: true });
    expect(JSON.parse(result.content[0].text)).toMatchObject({ code: 'rest_invalid_param' });
  }
});

test('a key for some IP addresses is accepted from these only', async () => {
  const { token } = await stage.scene.store.createKey({ ip_allow: ['203.0.113.0/24'] });
  const from = async (address: string, body: object) =>
    post(body, {
      headers: { ...legacy, ...authorization(token), 'cf-connecting-ip': address },
    });
  const call = request('tools/call', { name: 'orders_list' });
  expect(JSON.parse((await from('203.0.113.7', call)).text).result.isError).toBe(false);
  expect((await from('198.51.100.1', call)).text).toContain('not be used from this address');
  expect((await from('198.51.100.1', request('tools/list'))).status).toBe(403);
});

test('a call is logged once, as its operation and without its arguments', async () => {
  const { logs } = stage.scene.store;
  const before = logs.length;
  const params = { name: 'users_list', arguments: { search: 'secret words' } };
  const reply = await post(request('tools/call', params), { headers: legacy });
  expect(logs.slice(before)).toEqual([
    {
      level: 'info',
      request_id: reply.headers.get('x-request-id'),
      method: 'GET',
      operation: 'users.list',
      via: 'mcp.message',
      api_key_id: expect.any(Number),
      status: 200,
      trips: 1,
      db_ms: expect.any(Number),
    },
  ]);
});

test('a call counts once towards the limit of its key', async () => {
  const { environment, neon, clock, context } = stage.scene.store;
  const counted: string[] = [];
  let success = true;
  const services = await openDeployment(
    {
      ...(await environment),
      DATABASE_ENDPOINT: { fetch: (_: string, init?: RequestInit) => fetch(neon.url, init) },
      CALLER_RATE_LIMIT: {
        limit: async ({ key }: { key: string }) => {
          counted.push(key);
          return { success };
        },
      },
    },
    clock,
  );
  const app = createApp(services, () => {});
  const call = (name: string) =>
    app.fetch(
      new Request('https://shop.example/mcp', {
        method: 'POST',
        headers: { ...key, ...legacy },
        body: JSON.stringify(request('tools/call', { name })),
      }),
      {},
      context,
    );
  expect((await call('orders_list')).status).toBe(200);
  expect(counted).toHaveLength(1);
  success = false;
  const refused = await call('orders_list');
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('60');
});

describe('A tool is its operation:', () => {
  const tools = new Map(toolsOf(endpoints, document as never).map(({ tool }) => [tool.name, tool]));

  /** The arguments that correspond to an example of the operation. */
  const given = ({ params, query, body }: Awaited<ReturnType<Scene['example']>>) => ({
    ...body,
    ...query,
    ...params,
  });

  test('each operation that API keys can call with JSON has one, unless it shows a secret or only programs need it', () => {
    const others = endpoints.filter(
      (endpoint) => endpoint.access.kind === 'key' && !isTool(endpoint),
    );
    expect(others.map(({ id }) => id).sort()).toEqual([
      'access.check',
      'access.checkContent',
      'affiliates.figures',
      'affiliates.link',
      'affiliates.lookup',
      'checkout.quote',
      'confirmations.proof',
      'files.complete',
      'files.create',
      'files.delete',
      'files.get',
      'files.list',
      'files.update',
      'files.uploadPart',
      'licenses.register',
      'licenses.resetByQuery',
      'licenses.status',
      'licenses.statusByQuery',
      'licenses.unregister',
      'licenses.unregisterByQuery',
      'licenses.validate',
      'licenses.validateByQuery',
      'mcp.message',
      'notify.feed',
      'orders.count',
      'orders.paymentGateway',
      'payoutRuns.confirm',
      'payoutRuns.create',
      'payoutRuns.discard',
      'payoutRuns.file',
      'payoutRuns.get',
      'payoutRuns.lines',
      'payoutRuns.list',
      'payoutRuns.setResult',
      'payoutRuns.setResults',
      'payouts.get',
      'products.figures',
      'risks.decide',
      'risks.list',
      'sessions.create',
      'shop.accountLink',
      'staffRoles.list',
      'status.get',
      'users.canAccessAdmin',
      'users.canAccessAffiliate',
      'users.hasBought',
      'users.state',
      'users.stateByExternalId',
      'webhooks.create',
      'webhooks.rotate',
    ]);
  });

  test('There are at most 128 tools, which is as many as some clients take', () => {
    expect(tools.size).toBeGreaterThan(100);
    expect(tools.size).toBeLessThanOrEqual(128);
  });

  test('its name is valid for every model', () => {
    for (const name of tools.keys()) expect(name).toMatch(/^[A-Za-z][A-Za-z0-9_]{2,47}$/);
    expect(tools.size).toBe(endpoints.filter(isTool).length);
  });

  test.each(endpoints.filter(isTool))('$id', async (endpoint) => {
    const { scene } = stage;
    const tool = tools.get(toolName(endpoint));
    const { properties = {} } = (tool?.inputSchema ?? {}) as { properties?: object };
    const names = Object.keys(properties);
    const fields = [endpoint.params, endpoint.query, endpoint.body].flatMap((schema) =>
      Object.keys(shapeOf(schema)),
    );
    expect(new Set(names.filter((name) => !/^(if_match|idempotency_key)$/.test(name)))).toEqual(
      new Set(fields),
    );
    expect(JSON.stringify(tool)).not.toContain('"$ref"');

    const example = await scene.example(endpoint);
    expect(inputOf(endpoint, given(example)).body).toEqual(endpoint.body && { ...example.body });
    const params = { name: toolName(endpoint), arguments: given(example) };
    const reply = await post(request('tools/call', params), {
      path: '/mcp?writes=true',
      headers: legacy,
    });
    const { result } = JSON.parse(reply.text);
    expect(result.isError, reply.text).toBe(false);
    const body = JSON.parse(result.content[0].text);
    expect(endpoint.reply[1].parse(body)).toEqual(body);
    const trips = /desc="(\d+)/.exec(reply.headers.get('server-timing') ?? '')?.[1];
    expect(Number(trips)).toBe(tripsOf(endpoint, example));
  });
});
