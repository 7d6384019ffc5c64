import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const src = resolve(import.meta.dirname, '../src');

/** The layers, lowest first: a layer imports only what comes before it, and itself. */
const layers = [
  ...['lib', 'db', 'auth', 'config', 'events', 'http', 'resources', 'modules'],
  ...['app', 'scheduled', 'worker'],
  // Made when the service is deployed: the worker has no part in it.
  'openapi',
];

/** Lists of what others declare belong to the layer of those: the events, and the endpoints. */
const lists: Readonly<Record<string, string>> = {
  'events/catalogue.ts': 'resources',
  'resources/index.ts': 'modules',
};

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
);

/** A file's imports: what is named, whether only as a type, and where it is of ours. */
function importsOf(file: string) {
  return [...textOf(file).matchAll(/^(?:import|export) (type )?[^;]*? from '([^']+)';/gms)].map(
    (match) => {
      const name = match[2] ?? '';
      const path = name.startsWith('.') ? relative(src, join(src, dirname(file), name)) : undefined;
      return { name, path, typeOnly: match[1] !== undefined };
    },
  );
}

const layerOf = (path: string) => lists[path] ?? path.split('/')[0]?.replace(/\.ts$/, '') ?? '';

test.each(files.filter((file) => layers.includes(layerOf(file))))(
  '%s imports only downwards',
  (file) => {
    const own = layers.indexOf(layerOf(file));
    for (const { path, typeOnly } of importsOf(file)) {
      if (path === undefined || typeOnly) continue;
      expect(layers.slice(0, own + 1), `imports ${path}`).toContain(layerOf(path));
    }
  },
);

const textOf = (file: string) => readFileSync(join(src, file), 'utf8');

/** Whether a file exports endpoints, of its own or of other files. */
const exportsEndpoints = (file: string): boolean =>
  /^export const \w+ = endpoint\(/m.test(textOf(file)) ||
  [...textOf(file).matchAll(/^export \* from '([^']+)'/gm)].some(([, name = '']) =>
    exportsEndpoints(join(dirname(file), name)),
  );

test('endpoints are found wherever they are declared', async () => {
  const { endpoints } = await import('../src/resources/index.ts');
  const declared = files
    .filter(exportsEndpoints)
    .flatMap((file) => [...textOf(file).matchAll(/= endpoint\(/g)]);
  expect(declared).toHaveLength(endpoints.length);
});

test('resources use each other only through queries, rules, schemas and the like', () => {
  const wrong = files
    .filter((file) => /^(resources|modules)\//.test(file) && !(file in lists))
    .flatMap((file) =>
      importsOf(file)
        .filter(({ path, typeOnly }) => path !== undefined && !typeOnly && exportsEndpoints(path))
        .filter(({ path }) => path?.split('/')[1] !== file.split('/')[1])
        .map(({ path }) => `${file} imports ${path}`),
    );
  expect(wrong).toEqual([]);
});

test('hono stays in http, the app and the worker; statements are built in queries', () => {
  const wrong = files.flatMap((file) =>
    importsOf(file)
      .filter(({ name, typeOnly }) => {
        if (name.startsWith('hono')) return !/^(http\/|app\.ts|worker\.ts)/.test(file);
        if (!name.startsWith('drizzle-orm') || typeOnly) return false;
        const allowed = /^(db|local|auth|events|http)\/|\/([a-z]+-)?(queries|rollups)(\/|\.ts|-)/;
        return !allowed.test(file);
      })
      .map(({ name }) => `${file} imports ${name}`),
  );
  expect(wrong).toEqual([]);
});

test('the worker never loads what belongs to one machine', () => {
  const wrong = files
    .filter((file) => !file.startsWith('local/'))
    .flatMap((file) =>
      importsOf(file)
        .filter(({ name, path }) => name.startsWith('node:') || path?.startsWith('local/'))
        .map(({ name }) => `${file} imports ${name}`),
    );
  expect(wrong).toEqual([]);
});
