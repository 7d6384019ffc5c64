import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { syntaxErrorOf } from '../../src/lib/json.ts';

test.each([
  ['', 1, 1],
  ['{', 1, 2],
  ['{"a":1', 1, 7],
  ['{"a":1}}', 1, 8],
  ['a=1', 1, 1],
  ['{"a" 1}', 1, 6],
  ["{'a':1}", 1, 2],
  ['{"a":1,}', 1, 8],
  ['[1,]', 1, 4],
  ['[1 2]', 1, 4],
  ['{"a":[1}', 1, 8],
  ['{"a":01}', 1, 6],
  ['{"a":1.}', 1, 6],
  ['{"a":"x\ty"}', 1, 6],
  ['{"a":"\\x"}', 1, 6],
  ['{"a":NaN}', 1, 6],
  ['{\n  "a": 1,\n  b: 2\n}', 3, 3],
  ['{\r\n"a": tru\r\n}', 2, 6],
  ['{"a":1} {"b":2}', 1, 9],
  [':', 1, 1],
])('%j is wrong at line %i, column %i', (text, line, column) => {
  expect(() => JSON.parse(text)).toThrow();
  expect(syntaxErrorOf(text)).toEqual({ line, column });
});

test('whatever stands behind a whole JSON text is what is wrong', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom('?', ' ]', '\n}', ' ,', '"', '\t:'), (text, more) => {
      const { line, column } = syntaxErrorOf(text + more);
      const lines = (text + more.slice(0, -1)).split('\n');
      expect({ line, column }).toEqual({
        line: lines.length,
        column: (lines.at(-1)?.length ?? 0) + 1,
      });
    }),
  );
});

test('a long text is no burden', () => {
  const long = `{"a":"${'x\\n'.repeat(300_000)}","b":[${'1,'.repeat(200_000)}]}`;
  expect(syntaxErrorOf(long)).toEqual({ line: 1, column: long.length - 1 });
});
