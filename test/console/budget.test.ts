import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** The largest gzipped sizes of loaded files, in bytes. */
const limits = { entry: 130_000, screen: 40_000, css: 15_000 };

const sources = join(import.meta.dirname, '../../packages/console');
const screens = await readdir(join(sources, 'src/screens'));

const files = new Map<string, string>();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'console-'));
  await promisify(execFile)(process.execPath, [join(sources, 'build.ts'), folder]);
  for (const name of await readdir(join(folder, 'assets'))) {
    files.set(name, await readFile(join(folder, 'assets', name), 'utf8'));
  }
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const textOf = (name: string) => files.get(name) ?? '';
const sizeOf = (names: Iterable<string>) =>
  [...names].reduce((sum, name) => sum + gzipSync(textOf(name)).length, 0);

/** A module with its static imports. */
function withImports(name: string, into = new Set<string>()): Set<string> {
  if (into.has(name)) return into;
  into.add(name);
  for (const [, imported = ''] of textOf(name).matchAll(
    /(?:\bfrom|\bimport)\s*"\.\/([^"]+\.js)"/g,
  )) {
    withImports(imported, into);
  }
  return into;
}

const entry = () =>
  withImports([...files.keys()].find((name) => /^index-.*\.js$/.test(name)) ?? '');
const css = () => [...files.keys()].filter((name) => name.endsWith('.css'));

test('the files that every screen needs weigh no more than allowed', () => {
  expect(entry().size).toBeGreaterThan(0);
  expect(sizeOf(entry())).toBeLessThan(limits.entry);
  expect(css()).toHaveLength(1);
  expect(sizeOf(css())).toBeLessThan(limits.css);
});

test.each(screens)('the files that only %s needs weigh no more than allowed', (screen) => {
  const name = [...files.keys()].find((file) => file.startsWith(`${screen}-`)) ?? '';
  const own = withImports(name).difference(entry());
  expect(own.size).toBeGreaterThan(0);
  expect(sizeOf(own)).toBeLessThan(limits.screen);
});

test('the page runs and styles nothing that isn’t a file of its own', async () => {
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  expect(page).not.toMatch(/<style|style=|<script(?![^>]*src="\/console\/assets\/)|\son\w+=/);
  const code = [...files.values()].join('');
  expect(code).not.toContain('dangerouslySetInnerHTML:');
});
