import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endpoints } from '../../src/endpoints.ts';
import { dealerOf, exemplarsOf, kindFields, ownFields } from './kinds.ts';

// Other tests try all cases on an endpoint of each kind, and one case in turn on every other endpoint.

const source = join(import.meta.dirname, '../../src');

test('The kernel names no endpoint: it treats all endpoints of a kind alike', () => {
  const ids = new Set(endpoints.map(({ id }) => id));
  const files = readdirSync(join(source, 'kernel'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('kernel', name));
  const named = ['app.ts', 'services.ts', ...files].flatMap((file) =>
    [...readFileSync(join(source, file), 'utf8').matchAll(/['"`]([\w.]+)['"`]/g)]
      .filter(([, text = '']) => ids.has(text))
      .map(([, text]) => `${file}: ${text}`),
  );
  expect(named).toEqual([]);
});

test('Every field of a declaration belongs to its kind or is its own', () => {
  const fields = new Set(endpoints.flatMap((endpoint) => Object.keys(endpoint)));
  expect([...fields].filter((field) => ![...kindFields, ...ownFields].includes(field))).toEqual([]);
});

test('Every kind has an example, and every case applies to more than one endpoint', () => {
  const exemplars = exemplarsOf(endpoints);
  expect(exemplars.length).toBeGreaterThan(20);
  expect(exemplars.length).toBeLessThan(60);
  const cases = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const deal = dealerOf(endpoints);
  const dealt = endpoints.flatMap((endpoint) => deal(endpoint, cases));
  for (const each of cases) {
    expect(dealt.filter((one) => one === each).length, each).toBeGreaterThan(exemplars.length);
  }
  for (const exemplar of exemplars) expect(deal(exemplar, cases)).toEqual(cases);
});
