import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

/** Words that don't say what a comment is about. */
const banned = String.raw`(?:What|Whatever|Whether|Those|The same|Where|Wherever|Who|Whoever|Whom|Whose|Which|When|How|Has|One that|That)\b.*`;

const patterns = [
  new RegExp(String.raw`(?<!^[ \t]*//.*\n)^[ \t]*(?:/\*\*?|//)\s+(?:\*\s+)?(${banned})`, 'gm'),
  new RegExp(String.raw`[;,{}()[\]] // (${banned})`, 'g'),
];

const riddlesIn = (text: string) =>
  patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, comment = '']) => comment));

describe('Comments begin with a noun or a verb', () => {
  test.each(['src', 'test', 'packages/client', 'packages/console', 'packages/import'])(
    'in %s',
    (folder) => {
      const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter(
        (name) =>
          /\.(?:tsx?|m?js|css)$/.test(name) && !/(?:node_modules|dist|generated)/.test(name),
      );
      expect(files.length).toBeGreaterThan(10);
      const found = files.flatMap((name) =>
        riddlesIn(readFileSync(join(root, folder, name), 'utf8')).map((text) => `${name}: ${text}`),
      );
      expect(found).toEqual([]);
    },
  );

  test('a comment that does not is found in each form', () => {
    const comments = [
      '/** What it is. */',
      '/**\n * That it is. */',
      '// How it is.',
      '/** Has it look. */',
      ['a();', '// Who.'].join(' '),
    ];
    expect(comments.map((comment) => riddlesIn(comment).length)).toEqual([1, 1, 1, 1, 1]);
    expect(riddlesIn('// It is known\n// What follows from it.')).toEqual([]);
  });
});
