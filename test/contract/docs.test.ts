import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildAssets } from '../../src/cli/assets.ts';
import { buildWorker, runWorker } from '../../src/local/worker/index.ts';
import { baseUrl, useStore } from '../harness/store.ts';

const shop = useStore();

let folder: string;
let worker: Awaited<ReturnType<typeof runWorker>>;
let page: Response;
let html: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docs-test-'));
  const directory = join(folder, 'assets');
  await buildAssets(await shop.store.environment, directory);
  const entry = resolve(import.meta.dirname, '../../src/worker.ts');
  const script = await buildWorker(entry);
  worker = await runWorker({
    script,
    bindings: await shop.store.environment,
    neonUrl: shop.store.neon.url,
    compatibilityDate: '2026-10-20',
    assets: { directory },
    log: () => {},
  });
  page = await fetch(`${worker.url}/docs`);
  html = await page.text();
});

afterAll(async () => {
  await worker.dispose();
  await rm(folder, { recursive: true });
});

test('everyone gets the page, as HTML', () => {
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toBe('text/html; charset=UTF-8');
  expect(html).toMatch(/^<!doctype html>/);
});

test('the page may run and reach nothing but its own origin', () => {
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/^default-src 'none';/);
  const sources = policy.split('; ').flatMap((directive) => directive.split(' ').slice(1));
  expect(new Set(sources)).toEqual(new Set(["'none'", "'self'", 'data:']));
  expect(policy).toContain("script-src 'self';");
});

test('no other page may show it in a frame', () => {
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(page.headers.get('x-frame-options')).toBe('DENY');
});

test('the page has nothing inline that its policy would stop', () => {
  expect(html).not.toMatch(/<script(?! src=)|<style|\sstyle=|\son\w+=/);
});

test('the page loads files of this origin, and all of them are there', async () => {
  const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
  expect(files).toContain('/docs/page.js');
  const types = {
    js: 'text/javascript',
    css: 'text/css',
    png: 'image/png',
    json: 'application/json',
  };
  for (const file of files) {
    expect(file).toMatch(/^\//);
    const response = await fetch(worker.url + file);
    expect(response.status, file).toBe(200);
    const extension = file.split('.').at(-1) as keyof typeof types;
    expect(response.headers.get('content-type'), file).toContain(types[extension]);
    expect(response.headers.get('x-content-type-options'), file).toBe('nosniff');
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0);
  }
});

test('the document that the page shows is this deployment’s', async () => {
  const response = await fetch(`${worker.url}/openapi.json`);
  expect(response.headers.get('etag')).not.toBeNull();
  expect(await response.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: baseUrl }] });
});

test('the same document is there for what reads OpenAPI 3.0', async () => {
  const response = await fetch(`${worker.url}/openapi-3.0.json`);
  expect(await response.json()).toMatchObject({ openapi: '3.0.4', servers: [{ url: baseUrl }] });
});

test('/llms.txt and the pages it leads to are there, as text', async () => {
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
  for (const path of ['/docs', '/docs/page.js', '/healthz']) {
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
  for (const name of ['swagger-ui.css', 'page.css']) {
    const css = await readFile(join(folder, 'assets/docs', name), 'utf8');
    expect(css).not.toMatch(/@import|url\((?!["']?data:)/);
  }
});

test('other addresses beside the assets reach the worker', async () => {
  const response = await fetch(`${worker.url}/docs/missing.js`);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ code: 'rest_no_route' });
});
