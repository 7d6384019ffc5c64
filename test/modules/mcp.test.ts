import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  Client,
  StreamableHTTPClientTransport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildAssets } from '../../src/cli/assets.ts';
import { buildWorker, runWorker } from '../../src/local/worker/index.ts';
import type { Scope } from '../../src/schema/scopes.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';

// The built worker with its assets, and the protocol's own client.

const opened = useStoreFixture();
const logged: string[] = [];
let folder: string;
let script: string;
let worker: Awaited<ReturnType<typeof runWorker>>;

beforeAll(async () => {
  const { store } = opened.fixture;
  folder = await mkdtemp(join(tmpdir(), 'mcp-test-'));
  const bindings = { ...(await store.environment), MODULES: 'mcp' };
  await buildAssets(bindings, folder);
  const entry = resolve(import.meta.dirname, '../../src/worker.ts');
  script = await buildWorker(entry, { modules: ['mcp'] });
  worker = await runWorker({
    script,
    bindings,
    neonUrl: store.neon.url,
    compatibilityDate: '2026-10-20',
    assets: { directory: folder },
    env: { ASSETS: { type: 'assets' } },
    log: (line) => logged.push(line),
  });
});

afterAll(async () => {
  await worker.dispose();
  await rm(folder, { recursive: true });
});

async function connect(scopes: Scope[], path = '/mcp', mode: VersionNegotiationMode = 'auto') {
  const { token } = await opened.fixture.store.createKey({ scopes });
  const trips: number[] = [];
  const client = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL(worker.url + path), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      const timing = response.headers.get('server-timing') ?? '';
      trips.push(Number(/desc="(\d+)/.exec(timing)?.[1] ?? 0));
      return response;
    },
  });
  await client.connect(transport);
  /** Calls a tool, and reads the service's answer from its text. */
  const call = async (name: string, given: Record<string, unknown> = {}) => {
    const result = await client.callTool({ name, arguments: given });
    const [content] = result.content;
    const text = content?.type === 'text' ? content.text : '';
    return { isError: result.isError, body: JSON.parse(text), trips: trips.at(-1) };
  };
  const names = async () => (await client.listTools()).tools.map(({ name }) => name).sort();
  return { client, call, names, trips };
}

test('a module that is off is not in the worker that is deployed', () => {
  expect(script).toContain('tools/call');
  expect(script).not.toContain('slm_check');
});

describe.each<[string, VersionNegotiationMode, string]>([
  ['of today', 'auto', '2026-07-28'],
  ['with a handshake', 'legacy', '2025-11-25'],
])('A client %s', (_, mode, version) => {
  test('connects, lists the tools of its key and calls one, in a trip each', async () => {
    const { fixture } = opened;
    const { id } = await fixture.newProduct({ title: 'Tea' });
    const { client, call, names, trips } = await connect(['products:read'], '/mcp', mode);
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect(client.getInstructions()).toContain('never instructions');
    expect(await names()).toEqual(['products_get', 'products_list', 'products_variants']);
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'products_get')).toMatchObject({
      title: 'Get a product',
      inputSchema: { properties: { id: { type: 'integer' } }, required: ['id'] },
      annotations: { readOnlyHint: true },
    });
    const { data } = (await fixture.api.get(`/products/${id}`)).body;
    expect(await call('products_get', { id })).toEqual({
      isError: false,
      body: { success: true, data },
      trips: 1,
    });
    expect(Math.max(...trips)).toBe(1);
    await client.close();
  });
});

describe('Tools that write', () => {
  const scopes = ['orders:read', 'orders:write', 'orders:delete'] as const;

  test('are listed only if the address asks for them', async () => {
    const reader = await connect([...scopes]);
    const names = await reader.names();
    expect(names).toContain('orders_list');
    expect(names.filter((name) => /create|update|delete/.test(name))).toEqual([]);
    const { id } = await opened.fixture.newProduct();
    await expect(reader.call('orders_create', { product_id: id })).rejects.toThrow('writes=true');
    const writer = await connect([...scopes], '/mcp?writes=true');
    expect(await writer.names()).toEqual(
      expect.arrayContaining([...names, 'orders_create', 'orders_delete', 'orders_update']),
    );
  });

  test('write as the operation does: in two trips, once per Idempotency-Key, and never over a newer version', async () => {
    const { fixture } = opened;
    const order = {
      product_id: (await fixture.newProduct()).id,
      user_id: (await fixture.newUser()).id,
    };
    const { call } = await connect([...scopes], '/mcp?writes=true');
    const placed = await call('orders_create', { ...order, idempotency_key: 'one-order' });
    expect(placed).toMatchObject({ isError: false, trips: 2, body: { data: order } });
    const again = await call('orders_create', { ...order, idempotency_key: 'one-order' });
    expect(again).toEqual({ ...placed, trips: 1 });
    const { id, version } = placed.body.data;
    const changed = await call('orders_update', { id, note: 'Ring twice', if_match: version });
    expect(changed.body.data).toMatchObject({ id, note: 'Ring twice' });
    const late = await call('orders_update', { id, note: 'Knock', if_match: version });
    expect(late).toMatchObject({ isError: true, body: { code: 'rest_conflict' } });
    expect(await fixture.order(id)).toMatchObject({ note: 'Ring twice' });
  });
});

describe("The refusal of a tool is its result, in the service's words:", () => {
  test.each<[string, string, Record<string, unknown>, object]>([
    ['an unknown record', 'orders_get', { id: 999_999 }, { code: 'rest_not_found' }],
    [
      'a missing argument',
      'orders_get',
      {},
      { code: 'rest_missing_callback_param', data: { params: { id: 'is required' } } },
    ],
    ['null for one', 'orders_get', { id: null }, { code: 'rest_missing_callback_param' }],
    [
      'a wrong one',
      'orders_list',
      { status: 'lost' },
      { code: 'rest_invalid_param', data: { params: { status: expect.any(String) } } },
    ],
    [
      'an operation that the key may not use',
      'users_list',
      {},
      { code: 'rest_forbidden', data: { status: 403 } },
    ],
  ])('%s', async (_, name, given, body) => {
    const { call } = await connect(['orders:read']);
    expect(await call(name, given)).toMatchObject({ isError: true, body });
  });

  test('an argument that it does not know is ignored and named', async () => {
    const { call } = await connect(['orders:read']);
    const { isError, body } = await call('orders_list', { per_page: 1, user: 4 });
    expect(isError).toBe(false);
    expect(body.meta.ignored_parameters).toEqual(['user']);
  });

  test('no argument leads to another operation', async () => {
    const { call } = await connect(['orders:read', 'coupons:read', 'users:read', 'orders:write']);
    const elsewhere = ['..', '.', '../users', '1/../../users', '1?x', '1#x', '%2e%2e', 'abc', '1 '];
    for (const id of [...elsewhere, '\ud800', [1, 2], { a: 1 }]) {
      const { isError, body } = await call('orders_get', { id });
      expect(isError, JSON.stringify(id)).toBe(true);
      expect(body.code, JSON.stringify(id)).toBe('rest_invalid_param');
    }
    for (const id of ['..', '.']) {
      expect((await call('coupons_get', { id })).body.code).toBe('rest_invalid_param');
    }
    for (const id of ['../orders', 'a/b', '?x', 'a#b', '\ud800']) {
      expect((await call('coupons_get', { id })).body.code).toBe('rest_not_found');
    }
    // GET /orders?output=count is another operation.
    expect((await call('orders_list', { output: 'count' })).body.code).toBe('rest_invalid_param');
  });

  test('no argument becomes a header of its own', async () => {
    const { fixture } = opened;
    const { token } = await fixture.store.createKey();
    const { call } = await connect(['orders:write'], '/mcp?writes=true');
    const order = {
      product_id: (await fixture.newProduct()).id,
      user_id: (await fixture.newUser()).id,
    };
    for (const text of [`k\r\nx-svc-key: ${token}`, 'k\0', 'ключ', 'k\ud800']) {
      const { isError, body } = await call('orders_create', { ...order, idempotency_key: text });
      expect({ isError, body }).toMatchObject({
        isError: true,
        body: { code: 'rest_invalid_param' },
      });
    }
    for (const name of ['authorization', 'x-svc-key', 'Authorization', 'cf-connecting-ip']) {
      const { body } = await call('users_list', { [name]: `Bearer ${token}` });
      expect(body.code, name).toBe('rest_forbidden');
    }
  });
});
