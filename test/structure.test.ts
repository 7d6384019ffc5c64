import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { describe, expect, test } from 'vitest';
import type { Endpoint } from '../src/kernel/endpoint/endpoint.ts';
import { errorTable } from '../src/domain/service/errors.ts';
import { sqlFunctions } from '../src/cli/migrations/migrate.ts';
import { eventNames } from '../src/domain/webhook/catalogue.ts';
import { endpoints, pages } from '../src/endpoints.ts';
import { confirmationStatuses, orderStatuses, reminderStatuses } from '../src/schema/lists.ts';

const src = resolve(import.meta.dirname, '../src');

/** The layers, lowest first: a file imports only from its own layer and from lower ones. */
const layers = [
  ...['lib', 'config', 'kernel', 'schema', 'providers', 'domain', 'queries', 'reactions'],
  ...[
    'actions',
    'processes',
    'operations',
    'modules',
    'endpoints',
    'table',
    'openapi',
    'jobs',
    'services',
    'app',
    'worker',
  ],
];

/** Not in the worker: the commands, the tools for one machine, and the exports for packages. */
const beside = ['local', 'cli', 'exports'];

const sourcesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));

const files = sourcesIn(src);

const packages = sourcesIn(resolve(src, '../packages')).map((name) => `../packages/${name}`);

interface Import {
  readonly from: string;
  readonly name: string;
  /** The path of a file of this repository; undefined for other imports. */
  readonly path: string | undefined;
  /** True if it is erased when the code is compiled. */
  readonly isType: boolean;
}

/** Every import and re-export of a file, including those of types. */
function importsOf(from: string): Import[] {
  const text = readFileSync(join(src, from), 'utf8');
  const found = text.matchAll(
    /^(?:import|export) (type )?[^;]*?from '([^']+)';|import\('([^']+)'\)/gms,
  );
  return [...found].map((match) => {
    const name = match[2] ?? match[3] ?? '';
    const path = name.startsWith('.') ? relative(src, join(src, dirname(from), name)) : undefined;
    return { from, name, path, isType: match[1] !== undefined };
  });
}

const imports = files.flatMap(importsOf);
const inPackages = packages.flatMap(importsOf);

const layerOf = (path: string) => path.split('/')[0]?.replace(/\.ts$/, '') ?? '';

/** A file's folder; files right under `src` stand for themselves. */
const folderOf = (path: string) => (path.includes('/') ? dirname(path) : path);

test('every file of the service belongs to a layer', () => {
  const strangers = files.filter((file) => ![...layers, ...beside].includes(layerOf(file)));
  expect(strangers).toEqual([]);
});

test('imports go down the layers', () => {
  const upwards = imports.filter(({ from, path }) => {
    if (path === undefined || beside.includes(layerOf(from))) return false;
    return !layers.slice(0, layers.indexOf(layerOf(from)) + 1).includes(layerOf(path));
  });
  expect(upwards.map(({ from, path }) => `${from} imports ${path}`)).toEqual([]);
});

/** The first cycle from each node on, as its nodes. */
function circlesOf(edges: readonly (readonly [from: string, to: string])[]): string[] {
  const targets = Map.groupBy(edges, ([from]) => from);
  const done = new Set<string>();
  const circleFrom = (node: string, way: readonly string[]): string[] | undefined => {
    if (way.includes(node)) return [...way.slice(way.indexOf(node)), node];
    if (done.has(node)) return undefined;
    done.add(node);
    for (const [, next] of targets.get(node) ?? []) {
      const circle = circleFrom(next, [...way, node]);
      if (circle) return circle;
    }
    return undefined;
  };
  return [...targets.keys()].flatMap((node) => circleFrom(node, [])?.join(' → ') ?? []);
}

const edges = [...imports, ...inPackages].flatMap(({ from, path }): [string, string][] =>
  path === undefined ? [] : [[from, path]],
);

test('no files import each other in a circle', () => {
  expect(circlesOf(edges)).toEqual([]);
});

test('no folders import each other in a circle', () => {
  const folders = edges.map(([from, to]): [string, string] => [folderOf(from), folderOf(to)]);
  expect(circlesOf(folders.filter(([from, to]) => from !== to))).toEqual([]);
});

test('no layer below the operations imports endpoints', () => {
  const below = ['schema', 'providers', 'domain', 'queries', 'reactions', 'actions', 'processes'];
  const wrong = imports.filter(
    ({ from, path }) => below.includes(layerOf(from)) && path?.startsWith('kernel/endpoint/'),
  );
  expect(wrong.map(({ from, path }) => `${from} imports ${path}`)).toEqual([]);
});

/** The only files that may import a package; all others import these files. */
const homes: Readonly<Record<string, RegExp>> = {
  hono: /^(kernel\/endpoint\/|app\.ts|worker\.ts)/,
  'drizzle-orm': /^(kernel|schema|queries|cli)\/|^modules\/\w+\/queries\.ts$/,
  'node:': /^(cli|local)\/|^endpoints\.ts$/,
};

test.each(Object.entries(homes))('%s is imported only where it belongs', (name, home) => {
  const wrong = imports.filter(
    (item) => !item.isType && item.name.startsWith(name) && !home.test(item.from),
  );
  expect(wrong.map(({ from, name }) => `${from} imports ${name}`)).toEqual([]);
});

describe('the statements of a table are in one family of files', async () => {
  const schema = await Promise.all(
    files
      .filter((file) => layerOf(file) === 'schema')
      .map(async (file): Promise<object> => import(join(src, file))),
  );
  const tables = schema
    .flatMap((exported) => Object.entries(exported))
    .flatMap(([name, item]) => (is(item, PgTable) ? [name] : []));

  /** Files with statements about every table: erasing users, and ending retention periods. */
  const across = ['queries/erasure.ts', 'queries/retention.ts'];

  /** The noun of a file of statements: `order` for `orders.ts` and `order-totals.ts`. */
  const familyOf = (file: string) =>
    file
      .replace(/^queries\/([a-z]+?)s?(-[a-z-]+)?\.ts$/, '$1')
      .replace(/^modules\/|\/queries\.ts$/g, '');

  const texts = files
    .filter((file) => !across.includes(file))
    .map((file) => ({ file, text: readFileSync(join(src, file), 'utf8') }));

  test.each(tables)('%s', (table) => {
    const statement = new RegExp(`\\.(from|insert|update|delete)\\(${table}\\)`);
    const families = texts
      .filter(({ text }) => statement.test(text))
      .map(({ file }) => familyOf(file));
    const [, ...others] = new Set(families);
    expect(others).toEqual([]);
    expect(families.filter((family) => family.includes('/'))).toEqual([]);
  });
});

test('every error is used in an answer', () => {
  const texts = [
    ...files.map((file) => readFileSync(join(src, file), 'utf8')),
    ...sqlFunctions.map(({ text }) => text),
  ];
  const unused = Object.keys(errorTable).filter(
    (code) => !texts.some((text) => text.includes(`'${code}'`)),
  );
  expect(unused).toEqual([]);
});

describe('In the packages', () => {
  const textsOf = (found: readonly Import[]) =>
    found.map(({ from, name }) => `${from} imports ${name}`);

  test('each package imports of the service only its exports', () => {
    const wrong = inPackages.filter(
      ({ path }) => path !== undefined && !/^(\.\.\/packages|exports)\//.test(path),
    );
    expect(textsOf(wrong)).toEqual([]);
  });

  test('the client imports nothing but itself', () => {
    const own = '../packages/client/src/';
    const wrong = inPackages.filter(
      ({ from, path }) => from.startsWith(own) && path?.startsWith(own) !== true,
    );
    expect(textsOf(wrong)).toEqual([]);
  });

  test('the console imports of the others only the client', () => {
    const wrong = inPackages.filter(
      ({ from, path }) =>
        from.startsWith('../packages/console/') &&
        path !== undefined &&
        !/^\.\.\/packages\/(console|client\/src)\//.test(path),
    );
    expect(textsOf(wrong)).toEqual([]);
  });

  test('the import takes none of the others, and outside its command only src/exports/store.ts', () => {
    const own = '../packages/import/src/';
    const wrong = inPackages.filter(
      ({ from, path }) =>
        from.startsWith(own) &&
        path !== undefined &&
        !path.startsWith(own) &&
        !(from.startsWith(`${own}command/`) ? /^exports\// : /^exports\/store\.ts$/).test(path),
    );
    expect(textsOf(wrong)).toEqual([]);
  });

  test('the service imports no package, and its commands only the client', () => {
    const wrong = imports.filter(
      ({ from, path }) =>
        path?.startsWith('..') === true &&
        !(layerOf(from) === 'cli' && path.startsWith('../packages/client/')) &&
        !path.endsWith('.json'),
    );
    expect(textsOf(wrong)).toEqual([]);
  });
});

test('the worker contains no code that is for one machine only', () => {
  const wrong = imports.filter(
    ({ from, path }) =>
      path !== undefined && !beside.includes(layerOf(from)) && beside.includes(layerOf(path)),
  );
  expect(wrong.map(({ from, path }) => `${from} imports ${path}`)).toEqual([]);
});

describe('an operation is one file, named for it', async () => {
  const isEndpoint = (item: unknown): item is Endpoint =>
    typeof item === 'object' && item !== null && 'handler' in item && 'route' in item;
  const kebab = (text: string) => text.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase();
  const fileOf = (id: string) => `${kebab(id.replace('.', '/').replaceAll('.', '-'))}.ts`;
  const modules = files.filter((file) => /^(operations|modules)\/.*\/(?!index\.ts)/.test(file));
  const declared = await Promise.all(
    modules.map(async (file) => {
      const exported: object = await import(join(src, file));
      return { file, found: Object.values(exported).filter((item) => isEndpoint(item)) };
    }),
  );
  const operations = declared.filter(({ found }) => found.length > 0);

  test('the folder of operations contains nothing else', () => {
    const others = declared.filter(
      ({ file, found }) => layerOf(file) === 'operations' && found.length === 0,
    );
    expect(others.map(({ file }) => file)).toEqual([]);
  });

  test('every operation is in the endpoint table', () => {
    const ids = operations.flatMap(({ found }) => found.map(({ id }) => id));
    expect(ids.sort()).toEqual([...endpoints, ...pages].map(({ id }) => id).sort());
  });

  test.each(operations)('$file', ({ file, found: [endpoint, ...others] }) => {
    const id = endpoint?.id ?? '';
    // An endpoint that takes its input as a query or as a body becomes two endpoints.
    expect([[], [`${id}ByQuery`]]).toContainEqual(others.map(({ id: other }) => other));
    // An operation about users is in the folder of users or in that of its subject.
    expect([fileOf(id), fileOf(id.replace(/^me\./, ''))]).toContain(
      file.replace(/^(operations|modules)\//, ''),
    );
  });

  test('operations of one folder use none of another', () => {
    const wrong = imports.filter(({ from, path }) => {
      const target = operations.find(({ file }) => file === path);
      return target && folderOf(from) !== folderOf(target.file) && !from.endsWith('/index.ts');
    });
    expect(wrong.map(({ from, path }) => `${from} imports ${path}`)).toEqual([]);
  });
});

test('every module and test that the mutation check names exists', () => {
  const globs = ['stryker.config.mjs', 'vitest.mutation.config.ts'].flatMap((config) =>
    readFileSync(resolve(src, '..', config), 'utf8').match(/(?<=')(?:src|test)\/.*\.ts(?=')/g),
  );
  expect(globs.length).toBeGreaterThan(10);
  for (const glob of globs) {
    const [, folder = '', names = ''] = /^(.*)\/(.*?)\.(?:test\.)?ts$/.exec(glob ?? '') ?? [];
    const there = readdirSync(resolve(src, '..', folder));
    for (const name of names.replace(/[{}]/g, '').split(','))
      expect(
        there.some((file) => file.endsWith('.ts') && (name === '*' || file.split('.')[0] === name)),
        `${folder}/${name}`,
      ).toBe(true);
  }
});

test('every declared event is raised somewhere', () => {
  const service = files.filter((file) => layers.includes(layerOf(file)));
  const text = service.map((file) => readFileSync(join(src, file), 'utf8')).join('\n');
  const byStatus: Readonly<Record<string, readonly string[]>> = {
    order: orderStatuses,
    confirmation: confirmationStatuses,
    reminder: reminderStatuses,
  };
  const isMade = (name: string) => {
    const [resource = '', status = ''] = name.split('.');
    return (
      new RegExp(`'${name}'(?!:)`).test(text) ||
      (byStatus[resource]?.includes(status) && text.includes(`Event(\`${resource}.\${`))
    );
  };
  expect(eventNames.length).toBeGreaterThan(40);
  expect(eventNames.filter((name) => !isMade(name))).toEqual([]);
});

test('no decision draws a UUID or random number, or reads the clock: decisions are given them', () => {
  const impure = /crypto\.randomUUID|Math\.random|Date\.now\(\)|new Date\(\)/;
  const found = files.filter(
    (file) => file.startsWith('domain/') && impure.test(readFileSync(join(src, file), 'utf8')),
  );
  expect(found).toEqual([]);
});
