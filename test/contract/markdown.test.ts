import { describe, expect, test } from 'vitest';
import { errorTable } from '../../src/domain/service/errors.ts';
import { documentedEndpoints } from '../../src/endpoints.ts';
import { declaredErrors } from '../../src/kernel/endpoint/declared-errors.ts';
import { callsOf } from '../../packages/client/build/operations.ts';
import { guideTexts } from '../../src/cli/docs/site.ts';
import { llmsText } from '../../src/openapi/markdown/llms.ts';
import { pagesOf } from '../../src/openapi/markdown/pages.ts';
import type { Document } from '../../src/openapi/reading.ts';
import { operationName } from '../../src/openapi/names.ts';
import { baseUrl } from '../harness/store.ts';
import { document } from './openapi.ts';
import { mainRoute } from './routes.ts';
import { shapeOf } from './schemas.ts';

const read = document as unknown as Document;
const pages = pagesOf(read, callsOf(documentedEndpoints));
const sections = pages.flatMap(({ text }) => text.split(/^## /m).slice(1));

test.each(documentedEndpoints)(
  '$id is described on one page, with its inputs and errors',
  (endpoint) => {
    const { method, path } = mainRoute(endpoint);
    const address = `\`${method} ${path.replace(/:(\w+)/g, '{$1}')}\``;
    const [section = '', ...others] = sections.filter((text) => text.includes(`\n${address}\n`));
    expect(others).toEqual([]);
    expect(section).toMatch(/^.+\n\n`/);
    for (const name of [endpoint.params, endpoint.query].flatMap((of) =>
      Object.keys(shapeOf(of)),
    )) {
      expect(section).toContain(`| \`${name}\` |`);
    }
    for (const { status, code } of declaredErrors(endpoint, errorTable)) {
      expect(section).toContain(`- ${status} \`${code}\` `);
    }
    expect(section).toContain(`Operation \`${operationName(endpoint.id)}\``);
    expect(section).toContain(`${baseUrl}/`);
  },
);

describe.each(pages)('$path', ({ text }) => {
  test('has tables whose rows are as wide as their heads', () => {
    const tables = text.match(/(?:^\|.*\n)+/gm) ?? [];
    for (const rows of tables.map((table) => table.trim().split('\n'))) {
      const widths = rows.map((row) => row.split(/(?<!\\)\|/).length);
      expect(new Set(widths).size, rows[0]).toBe(1);
    }
  });

  test('has no empty texts', () => {
    expect(text).not.toMatch(/undefined|\[object |(?<!`)``(?!`)/);
    expect(text).toMatch(/^# .+\n\n.+/);
  });

  test('describes every object that it names', () => {
    const named = [...text.matchAll(/^\| `[\w[\].]+` \| `([A-Z]\w+)(?:\[\])?`/gm)];
    for (const [, name = ''] of named) expect(text).toContain(`### ${name}\n`);
  });
});

test('The reference shows how the TypeScript client calls an operation, and the id of each', () => {
  const text = pages.map((page) => page.text).join('\n');
  expect(text).toContain(
    'Operation `ordersUpdate`; in TypeScript `client.orders.update(id, body)`\n',
  );
  expect(text).toContain('Operation `meGet`; in TypeScript `me.get()`\n');
  expect(text).toMatch(/Operation `licensesValidateByQuery`\n/);
});

test('A page of the reference begins with its operations, linked to their headings', () => {
  const { text = '' } = pages.find(({ title }) => title === 'Orders') ?? {};
  expect(text).toMatch(/\| \[Create an order\]\(#orders-create\) \| `POST \S+\/orders` \|\n/);
  const listed = [...text.matchAll(/^\| \[.+\]\(#(\S+)\)/gm)].map(([, id]) => id);
  const headed = [...text.matchAll(/^## .+ \{#(\S+)\}$/gm)].map(([, id]) => id);
  expect(listed).toEqual(headed);
});

test('The reference states the limits of a value, and its values if it is a closed list', () => {
  const text = sections.find((section) => section.startsWith('Confirm a payment {'));
  expect(text).toMatch(/^\| `sender` \| `string` \|.*\| _At most 500 characters\._ \|$/m);
  const list = sections.find((section) => section.startsWith('List payment confirmations {'));
  expect(list).toMatch(/^\| `status` \| query \| `"pending" \\\| "approved" \\\| /m);
});

test('The page of errors has every error of the operations, with each status it comes with', () => {
  const { text = '' } = pages.find(({ title }) => title === 'Errors') ?? {};
  for (const endpoint of documentedEndpoints) {
    for (const { status, code, message } of declaredErrors(endpoint, errorTable)) {
      const [, section = ''] = text.split(`\n## \`${code}\`\n`);
      expect(section.split('\n## ')[0]).toContain(`**${status}** ${message}`);
    }
  }
});

test('/llms.txt leads to every page', () => {
  const guides = guideTexts();
  const text = llmsText(read, pages, guides);
  expect(text).toMatch(/^# .+\n\n> .+\n\n/);
  const links = [...text.matchAll(/^- \[.+\]\((.+)\): .+\.$/gm)].map(([, address = '']) => address);
  const expected = [...[...guides, ...pages].map(({ path }) => path), '/openapi.json'];
  expect(new Set(links)).toEqual(new Set(expected.map((path) => baseUrl + path)));
});
