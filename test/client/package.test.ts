import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { generatedModule } from '../../packages/client/build/generate.ts';
import { useProject } from './project.ts';

const project = useProject();

describe('the package', () => {
  test('depends on nothing', async () => {
    expect(JSON.parse(await project.installed('package.json'))).not.toHaveProperty('dependencies');
    expect(await project.installed('index.js')).not.toMatch(/\b(import|require)\b ?\(?['"{]/);
    expect(await project.installed('index.d.ts')).not.toMatch(/^import |from '/m);
  });

  test('has types without `any`, which older compilers can read too', async () => {
    const types = (await project.installed('index.d.ts')).replaceAll(/\/\*.*?\*\/|'.*?'/gs, '');
    expect(types).not.toMatch(/\bany\b/);
    // TypeScript before 5.6 takes this type with one parameter, and later versions add `any` for the others.
    expect(types).not.toMatch(/\bAsyncIterable\b/);
  });

  test('keeps its lines short enough for the stack trace of an uncaught error', async () => {
    const lines = (await project.installed('index.js')).split('\n');
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(400);
    expect(lines).toContain('var ApiError = class extends Error {');
  });

  test('weighs at most 8 kB, and contains its README and its licence', async () => {
    expect(gzipSync(await project.installed('index.js')).length).toBeLessThanOrEqual(8000);
    expect(await project.installed('README.md')).toMatch(/^# The client\n/);
    expect(await project.installed('LICENSE')).toMatch(/MIT/);
  });

  test('consists of the current declarations', async () => {
    const file = resolve(import.meta.dirname, '../../packages/client/src/generated.ts');
    const isCurrent = (await readFile(file, 'utf8')) === generatedModule();
    expect(isCurrent, 'Run `npm run build:client`.').toBe(true);
  });
});

const right = `
import { ApiError, createClient, createSessionClient, isApiError, isEvent, verifyWebhook } from 'sales-api-client';
import type { Order, WebhookEvent } from 'sales-api-client';

const client = createClient({ url: 'https://shop.example', apiKey: 'svcapi_…' });

export async function sell(status: 'completed' | undefined): Promise<number> {
  const { data: order } = await client.orders.create({ product_id: 1, user_id: 4 });
  const { data: updated } = await client.orders.update(order, { status: 'completed' });
  const { data: orders, meta } = await client.orders.list({ status, per_page: 10 });
  const all: Order[] = [];
  const { signal } = new AbortController();
  for await (const each of client.orders.list.all({ status: 'completed' }, { signal })) all.push(each);
  return updated.grand_total + orders.length + (meta.pagination?.total ?? 0) + all.length;
}

export function codeOf(error: unknown): string {
  if (isApiError(error, 'orders.create')) {
    if (error.code === 'out_of_stock') {
      const code: 'out_of_stock' = error.code;
      return code;
    }
    return error.code;
  }
  return error instanceof ApiError ? (error.params['email'] ?? error.code) : '';
}

export async function hear(body: string, headers: Headers): Promise<string> {
  const event: WebhookEvent = await verifyWebhook(body, headers, ['whsec_…']);
  const any: { type: string; data: unknown } = event;
  if (isEvent(event, 'order.created')) return event.data.number;
  if (isEvent(event, 'payout.paid')) return String(event.data.amount);
  return any.type;
}

export async function follow(): Promise<number> {
  const feed = client.feed({ webhook_id: 1, since: 5 });
  for await (const { data } of feed) if (isEvent(data, 'order.created')) return data.data.grand_total;
  return feed.since;
}

export async function greet(): Promise<string> {
  const me = createSessionClient({ url: 'https://shop.example', token: '…', onExpired: async () => '…' });
  await me.profile.update({ first_name: 'Dewi' });
  for await (const order of me.orders.list.all()) console.log(order.number);
  return (await me.get()).data.display_name;
}
`;

test('a strict program compiles against the types', async () => {
  expect(await project.compile('right', right)).toEqual([]);
});

test('the compiler refuses operations, fields and values that do not exist', async () => {
  const wrong = {
    'client.orders.send(1)': "Property 'send' does not exist",
    'client.orders.create({ product: 1, user_id: 4 })': "'product' does not exist",
    "client.orders.list({ status: 'done' })": `'"done"' is not assignable`,
    'client.orders.create({ user_id: 4 })': "Property 'product_id' is missing",
    'client.orders.get.all(1)': "Property 'all' does not exist",
    'client.me.get()': "Property 'me' does not exist",
    'client.orders.get()': 'Expected 1-2 arguments',
  };
  const program = `import { createClient } from 'sales-api-client';
const client = createClient({ url: '', apiKey: '' });
${Object.keys(wrong)
  .map((call) => `void ${call};`)
  .join('\n')}`;
  const found = await project.compile('wrong', program);
  const complaints = found.filter((line) => line.startsWith('wrong.ts'));
  expect(complaints).toEqual(
    Object.values(wrong).map((each, i) =>
      expect.stringMatching(new RegExp(`\\(${i + 3},.*${each}`)),
    ),
  );
});
