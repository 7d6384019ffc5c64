import * as fc from 'fast-check';
import { serialize } from 'php-serialize';
import { describe, expect, test } from 'vitest';
import { unserialize } from '../../packages/import/src/serialized.ts';
import type { PhpValue } from '../../packages/import/src/serialized.ts';

/** A JSON value in the form in which it is read: lists are arrays like all others. */
const asArrays = (value: unknown): PhpValue =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asArrays(item)]))
    : (value as PhpValue);

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('";', '";}', '";i:0;', 's:1:"a";', '😀', 'a:0:{}'),
);
/** The writing package fails on keys that every object has. */
const key = text.map((is) => `.${is}`);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(fc.constant(null), fc.boolean(), fc.integer(), text),
    fc.double({ noNaN: true, min: -1e15, max: 1e15 }).filter((number) => !Object.is(number, -0)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

describe('A serialised value', () => {
  test('is read with the same values', () => {
    fc.assert(
      fc.property(value, (is) => {
        expect(unserialize(serialize(is))).toEqual({ ok: true, value: asArrays(is) });
      }),
    );
  });

  test.each<[string, PhpValue]>([
    ['N;', null],
    ['b:1;', true],
    ['i:-7;', -7],
    ['i:9223372036854775807;', '9223372036854775807'],
    ['d:33333.330000000002;', 33333.33],
    ['d:1.0E+25;', 1e25],
    ['d:-INF;', -Infinity],
    ['s:5:"café";', 'café'],
    ['a:0:{}', {}],
    ['a:2:{i:0;s:1:"a";s:3:"b c";i:2;}\n', { '0': 'a', 'b c': 2 }],
  ])('%s', (written, is) => {
    expect(unserialize(written)).toEqual({ ok: true, value: is });
  });

  test('may have wrong lengths, as after an address was replaced', () => {
    const moved =
      'a:2:{s:3:"url";s:18:"https://new.example/shop";s:4:"next";s:99:"a "quoted"; word";}';
    expect(unserialize(moved)).toEqual({
      ok: true,
      value: { url: 'https://new.example/shop', next: 'a "quoted"; word' },
    });
    expect(unserialize('s:1:"long";')).toEqual({ ok: true, value: 'long' });
    expect(unserialize('a:1:{i:0;s:50:"";}')).toEqual({ ok: true, value: { '0': '' } });
  });

  test('cannot change the prototype of objects', () => {
    const found = unserialize('a:1:{s:9:"__proto__";a:1:{s:5:"admin";b:1;}}');
    expect(found.ok && Object.keys(found.value ?? {})).toEqual(['__proto__']);
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
  });

  test.each([
    ['O:8:"stdClass":0:{}', 'object'],
    ['a:1:{i:0;O:8:"stdClass":0:{}}', 'object'],
    ['C:3:"Foo":0:{}', 'object'],
    ['E:7:"Suit:Up";', 'object'],
    ['a:2:{i:0;i:1;i:1;R:2;}', 'reference'],
    ['', 'malformed'],
    ['plain text', 'malformed'],
    ['i:;', 'malformed'],
    ['i:1', 'malformed'],
    ['b:2;', 'malformed'],
    ['i:1;i:2;', 'malformed'],
    ['s:3:"abc', 'malformed'],
    ["s:3:'abc';", 'malformed'],
    ['a:2:{i:0;i:1;}', 'malformed'],
    ['a:1:{i:0;i:1;i:2;i:3;}', 'malformed'],
    ['a:1:{N;i:1;}', 'malformed'],
    ['a:1:[i:0;i:1;]', 'malformed'],
    ['a:1:{i:0;'.repeat(5000), 'malformed'],
  ])('is refused if it is malformed, or has objects or references: %s', (written, reason) => {
    expect(unserialize(written)).toEqual({ ok: false, reason });
  });

  test('that is cut off is refused at any character', () => {
    const whole = 'a:2:{s:3:"a";b";i:1;i:5;a:2:{i:0;d:0.5;i:1;N;}}';
    expect(unserialize(whole).ok).toBe(true);
    for (let length = 0; length < whole.length; length += 1)
      expect(unserialize(whole.slice(0, length)).ok).toBe(false);
  });
});
