import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { pathOfInexact, syntaxErrorOf } from '../../src/lib/json.ts';

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
])('syntaxErrorOf finds the error of %j at line %i, column %i', (text, line, column) => {
  expect(() => JSON.parse(text)).toThrow();
  expect(syntaxErrorOf(text)).toEqual({ line, column });
});

test('syntaxErrorOf points at the text after a complete JSON text', () => {
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

test('syntaxErrorOf finds the end of a long text', () => {
  const long = `{"a":"${'x\\n'.repeat(300_000)}","b":[${'1,'.repeat(200_000)}]}`;
  expect(syntaxErrorOf(long)).toEqual({ line: 1, column: long.length - 1 });
});

test('pathOfInexact finds a whole number of 2^53 or more at any depth', () => {
  const number = fc.bigInt({ min: 2n ** 53n, max: 10n ** 30n }).map(String);
  const sign = fc.constantFrom('', '-');
  fc.assert(
    fc.property(number, sign, fc.jsonValue(), (digits, minus, other) => {
      const text = `{"a":${JSON.stringify(other)},"b":[0,{"c":${minus}${digits}}],"d":"${digits}"}`;
      const found = pathOfInexact(JSON.parse(text));
      if (pathOfInexact(other) === undefined) expect(found).toEqual(['b', '1', 'c']);
      else expect(found?.[0]).toBe('a');
    }),
  );
});

test.each([
  '9007199254740991',
  '-9007199254740991',
  '0.1',
  '-0',
  '1e15',
  '4503599627370495.5',
  '"1e30"',
  'null',
])('pathOfInexact treats %s as exact', (text) => {
  expect(pathOfInexact(JSON.parse(`{"a":[${text}]}`))).toBeUndefined();
});

test.each(['9007199254740992', '9007199254740993.0', '1e16', '-1.2e20'])(
  'pathOfInexact treats %s as inexact',
  (text) => {
    expect(pathOfInexact(JSON.parse(`{"a":[${text}]}`))).toEqual(['a', '0']);
  },
);
