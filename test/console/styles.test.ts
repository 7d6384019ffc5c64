import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const folder = resolve(import.meta.dirname, '../../packages/console/src/styles');

/** The classes that a file styles on their own. */
const classesIn = (name: string): string[] => {
  const css = readFileSync(join(folder, name), 'utf8');
  return [...css.matchAll(/(?<!,\n)^\.([\w-]+) \{/gm)].map(([, found = '']) => found);
};

test('Each class of the console is styled in one file, so that no layer overrides another', () => {
  const places = readdirSync(folder).flatMap((file) =>
    [...new Set(classesIn(file))].map((name) => ({ name, file })),
  );
  const shared = [...Map.groupBy(places, ({ name }) => name).values()].filter(
    ({ length }) => length > 1,
  );
  expect(shared).toEqual([]);
  expect(places.length).toBeGreaterThan(80);
});
