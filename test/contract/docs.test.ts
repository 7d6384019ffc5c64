import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildAssets } from '../../src/cli/assets.ts';
import { slug } from '../../src/cli/docs/page.ts';
import { createClient, createSessionClient } from '../../packages/client/src/index.ts';
import { catalogue } from '../../src/domain/webhook/catalogue.ts';
import { documentedEndpoints } from '../../src/endpoints.ts';
import { partsOf } from '../../src/kernel/endpoint/routes.ts';
import type { Endpoint } from '../../src/kernel/endpoint/endpoint.ts';
import { runWorker } from '../../src/local/worker/index.ts';
import { builtWorker } from '../harness/built-worker.ts';
import { baseUrl, useStore } from '../harness/store.ts';
import { addressesIn, faultsOf, idsIn } from '../docs/html.ts';

const opened = useStore();

let folder: string;
let worker: Awaited<ReturnType<typeof runWorker>>;
let pages: ReadonlyMap<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docs-test-'));
  const directory = join(folder, 'assets');
  await buildAssets(await opened.store.environment, directory);
  const script = await builtWorker();
  worker = await runWorker({
    script,
    bindings: await opened.store.environment,
    neonUrl: opened.store.neon.url,
    compatibilityDate: '2026-10-20',
    assets: { directory },
    env: { ASSETS: { type: 'assets' } },
    log: () => {},
  });
  const files = await readdir(directory, { recursive: true });
  const names = files.filter((name) => name.endsWith('.html') && name.startsWith('docs'));
  pages = new Map(
    await Promise.all(
      names.map(async (name): Promise<[string, string]> => [
        `/${name.replace(/\.html$/, '')}`,
        await readFile(join(directory, name), 'utf8'),
      ]),
    ),
  );
});

afterAll(async () => {
  await worker.dispose();
  await rm(folder, { recursive: true });
});

test.each([
  ...['/docs', '/docs/guides', '/docs/guides/first-sale'],
  ...['/docs/reference', '/docs/reference/orders', '/docs/try'],
])('everyone gets %s, as HTML that no other page may show in a frame', async (path) => {
  const page = await fetch(worker.url + path);
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toMatch(/^text\/html; charset=utf-8$/i);
  expect(await page.text()).toBe(pages.get(path));
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(page.headers.get('x-frame-options')).toBe('DENY');
  expect(page.headers.get('x-content-type-options')).toBe('nosniff');
});

test('an unknown page answers 404, with a page that says so and links to the others', async () => {
  const other = await fetch(`${worker.url}/docs`);
  const names = [
    ...['content-security-policy', 'content-type', 'x-frame-options', 'x-content-type-options'],
    ...['referrer-policy', 'cross-origin-resource-policy', 'strict-transport-security'],
  ];
  for (const path of ['/docs/nonsense', '/docs/guides/nonsense']) {
    const page = await fetch(worker.url + path);
    expect(page.status).toBe(404);
    const html = await page.text();
    expect(html).toContain('<h1>There is no such page</h1>');
    expect(addressesIn(html)).toContainEqual({ address: '/docs', isLoaded: false });
    for (const name of names) expect(page.headers.get(name), name).toBe(other.headers.get(name));
  }
});

test('an address above pages lists these pages', () => {
  for (const path of ['/docs/guides', '/docs/reference']) {
    const below = [...pages.keys()].filter((each) => each.startsWith(`${path}/`));
    const [, list = ''] = /<main[^]+?<ul>([^]+?)<\/ul>/.exec(pages.get(path) ?? '') ?? [];
    const listed = addressesIn(list).map(({ address }) => address);
    expect(listed.toSorted()).toEqual(below.toSorted());
  }
});

test('the page may load and run only files of its own origin', async () => {
  const page = await fetch(`${worker.url}/docs`);
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/^default-src 'none';/);
  const sources = policy.split('; ').flatMap((directive) => directive.split(' ').slice(1));
  expect(new Set(sources)).toEqual(new Set(["'none'", "'self'", 'data:']));
  expect(policy).toContain("script-src 'self';");
});

/** The document has no operation for a route that differs from another only by a parameter. */
const hasRoute = ({ route }: Endpoint) =>
  route.some((each) => Object.keys(partsOf(each).only).length === 0);

test('every operation, event and error is documented on its page', () => {
  const paths = [...pages.keys()].filter((path) => path.startsWith('/docs/reference/'));
  expect(paths).toContain('/docs/reference/me');
  const places = paths.flatMap((path) => idsIn(pages.get(path) ?? ''));
  for (const { id } of documentedEndpoints.filter(hasRoute)) {
    expect(places).toContain(slug(id));
  }
  expect(idsIn(pages.get('/docs/events') ?? '')).toEqual(
    expect.arrayContaining(Object.keys(catalogue)),
  );
  expect(idsIn(pages.get('/docs/errors') ?? '')).toContain('out_of_stock');
});

test("the documented call of an operation is the client's own", () => {
  const connection = { url: baseUrl, token: '', apiKey: '' };
  const clients = { client: createClient(connection), me: createSessionClient(connection) };
  const calls = [...pages.values()].flatMap((html) => [
    ...html.matchAll(/in TypeScript <code>([\w.]+)\(/g),
  ]);
  expect(calls.length).toBeGreaterThan(150);
  for (const [, name = ''] of calls) {
    const found = name.split('.').reduce((at: unknown, part) => Object(at)[part], clients);
    expect(found, name).toBeTypeOf('function');
  }
});

test('pages are well-formed, and every id is unique', () => {
  for (const [path, html] of pages) expect(faultsOf(html), path).toEqual([]);
});

test('Pages of the reference link objects, errors and events where they name them', () => {
  const orders = pages.get('/docs/reference/orders') ?? '';
  expect(orders).toContain('<code><a href="/docs/objects#Order">Order</a>[]</code>');
  expect(orders).toContain('<code><a href="/docs/errors#out_of_stock">out_of_stock</a></code>');
  expect(pages.get('/docs/events')).toContain('<a href="/docs/events#order.created">');
  for (const [path, html] of pages) expect(html, path).not.toMatch(/<a [^>]*>(?:(?!<\/a>).)*<a /);
});

test('pages have nothing inline that their policy would block', () => {
  for (const [path, html] of pages) {
    expect(html, path).not.toMatch(/<script(?! src=)|<style|<[^>]*\s(style|on\w+)=/);
  }
});

test('pages can be read without scripts, except the page for trying operations', () => {
  for (const [path, html] of pages) {
    if (path !== '/docs/try') expect(html, path).toMatch(/<h1>[^]+<\/h1>[^]+<p/);
  }
});

test('every link has a target, and every file that a page loads exists', async () => {
  const found = [...pages].flatMap(([path, html]) =>
    addressesIn(html).map(({ address, isLoaded }) => ({ path, address, isLoaded })),
  );
  const foreign = found.filter(({ address }) => /^[a-z]+:|^\/\//.test(address));
  expect(foreign.filter(({ isLoaded }) => isLoaded)).toEqual([]);
  const places = new Map([...pages].map(([path, html]) => [path, new Set(idsIn(html))]));
  const files = new Set<string>();
  for (const { path, address } of found.filter((each) => !foreign.includes(each))) {
    const { pathname, hash } = new URL(address, `${baseUrl}${path}`);
    const ids = places.get(pathname);
    if (!ids) files.add(pathname);
    else if (hash) expect(ids.has(hash.slice(1)), `${path}: ${address}`).toBe(true);
  }
  expect(files).toContain('/docs/docs.js');
  for (const file of files) {
    const response = await fetch(worker.url + file);
    expect(response.status, file).toBe(200);
    expect(response.headers.get('content-type'), file).toContain(typeOf(file));
    expect(response.headers.get('x-content-type-options'), file).toBe('nosniff');
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0);
  }
});

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript',
  css: 'text/css',
  png: 'image/png',
  json: 'application/json',
  txt: 'text/plain',
};

const typeOf = (file: string) => types[file.split('.').at(-1) ?? ''] ?? 'none';

test('every result of the search exists', async () => {
  const response = await fetch(`${worker.url}/docs/search.json`);
  const entries = (await response.json()) as { href: string; title: string }[];
  expect(entries.find(({ title }) => title === 'Create an order')?.href).toBe(
    '/docs/reference/orders#orders-create',
  );
  for (const { href, title } of entries) {
    const [path = '', id] = href.split('#');
    expect(pages.get(path), href).toContain(id === undefined ? '<h1>' : ` id="${id}"`);
    expect(title).not.toMatch(/[`*]|\]\(/);
  }
});

interface SearchEntry {
  readonly title: string;
  readonly place: string;
  readonly text: string;
}

interface Search {
  readonly find: (entries: readonly SearchEntry[], typed: string) => SearchEntry[];
}

test.each(['since_id', 'If-Match'])(
  'the search for %s lists the pages that have exactly this name before others',
  async (name) => {
    const response = await fetch(`${worker.url}/docs/search.json`);
    const { find } = (await import(join(folder, 'assets/docs/search.js'))) as Search;
    const found = find((await response.json()) as SearchEntry[], name).map(
      ({ title, place, text }) =>
        [title, place, text].some((part) => part.toLowerCase().includes(name.toLowerCase())),
    );
    const exact = found.filter(Boolean);
    expect(exact.length).toBeGreaterThan(0);
    expect(found.slice(0, exact.length)).toEqual(exact);
  },
);

test.each([
  ['ordersCreate', ['Create an order']],
  ['orders.create', ['Create an order']],
  ['POST /orders', ['Create an order']],
  ['/payout-runs', ['List payout runs', 'Draft a payout run']],
])('the search for %s lists the operations of exactly this name first', async (name, titles) => {
  const response = await fetch(`${worker.url}/docs/search.json`);
  const { find } = (await import(join(folder, 'assets/docs/search.js'))) as Search;
  const found = find((await response.json()) as SearchEntry[], name).slice(0, titles.length);
  expect(new Set(found.map(({ title }) => title))).toEqual(new Set(titles));
});

test('the document is that of this deployment', async () => {
  const response = await fetch(`${worker.url}/openapi.json`);
  expect(response.headers.get('etag')).not.toBeNull();
  expect(await response.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: baseUrl }] });
});

test('the same document exists for tools that read OpenAPI 3.0', async () => {
  const response = await fetch(`${worker.url}/openapi-3.0.json`);
  expect(await response.json()).toMatchObject({ openapi: '3.0.3', servers: [{ url: baseUrl }] });
});

test('/llms.txt and the pages it links to exist, as text', async () => {
  const index = await fetch(`${worker.url}/llms.txt`);
  expect(index.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const links = [...(await index.text()).matchAll(/\]\((.+?\.md)\)/g)];
  expect(links.length).toBeGreaterThan(20);
  for (const [, address = ''] of links) {
    const page = await fetch(worker.url + new URL(address).pathname);
    expect(page.status, address).toBe(200);
    expect(page.headers.get('content-type'), address).toBe('text/markdown; charset=utf-8');
  }
});

test('editors on other sites may load the document, and nothing else', async () => {
  const origin = { origin: 'https://editor.example' };
  const document = await fetch(`${worker.url}/openapi.json`, { headers: origin });
  expect(document.headers.get('access-control-allow-origin')).toBe('*');
  const earlier = await fetch(`${worker.url}/openapi-3.0.json`, { headers: origin });
  expect(earlier.headers.get('access-control-allow-origin')).toBe('*');
  for (const path of ['/docs', '/docs/docs.js', '/healthz']) {
    const { headers } = await fetch(worker.url + path, { headers: origin });
    expect(headers.get('access-control-allow-origin'), path).toBeNull();
  }
});

test('a browser that asks for an icon gets one', async () => {
  const icon = await fetch(`${worker.url}/favicon.ico`);
  expect(icon.status).toBe(200);
  expect(icon.headers.get('content-type')).toMatch(/^image\//);
});

test('the styles load nothing', async () => {
  for (const name of ['swagger-ui.css', 'try.css', 'docs.css']) {
    const css = await readFile(join(folder, 'assets/docs', name), 'utf8');
    expect(css).not.toMatch(/@import|url\((?!["']?data:)/);
  }
});

test('files other than the assets are looked for in the worker', async () => {
  const response = await fetch(`${worker.url}/docs/missing.js`);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ code: 'rest_no_route' });
});
