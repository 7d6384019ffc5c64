import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { filledIn, unknownPlaceholders } from '../../../src/domain/message/filling.ts';

describe('A text is filled in', () => {
  test.each([
    ['Hi {{name}}!', { name: 'Dewi' }, 'Hi Dewi!'],
    ['Hi {{ name }}!', { name: 'Dewi' }, 'Hi Dewi!'],
    ['{{name}}', { name: '{{amount}}', amount: '1' }, '{{amount}}'],
    ['{{name}}', { name: '$& $1 $$' }, '$& $1 $$'],
    ['{{constructor}}', {}, '{{constructor}}'],
    ['{{unheard-of}} {{name}}', { name: 'a' }, '{{unheard-of}} a'],
  ])('%j with %j', (text, values, filled) => {
    expect(filledIn(text, values)).toBe(filled);
  });

  test.each([
    ['if all of its values are empty', 'a\nReason: {{x}} {{y}}\nb', 'a\nb'],
    ['unless one of them has a value', 'a\nReason: {{x}} {{z}}\nb', 'a\nReason:  told\nb'],
    ['but not where there are none', 'a\nb', 'a\nb'],
    ['but not where one has no value', 'a\n{{x}}{{unheard-of}}\nb', 'a\n{{unheard-of}}\nb'],
    ['with the blank lines around it', 'a\n\n{{x}}\n\n{{y}}\n \nb', 'a\n\nb'],
    ['first and last', '{{x}}\n\na\r\n\r\n{{y}}\n', 'a'],
  ])('and a line of it is left out %s', (_, text, filled) => {
    expect(filledIn(text, { x: '', y: '', z: 'told' })).toBe(filled);
  });

  test('and values stay text: no placeholder or pattern in them is read', () => {
    const value = fc.stringMatching(/^[{}a-z$&\\ -]*[{}a-z$&\\-]$/);
    fc.assert(
      fc.property(value, value, (name, amount) => {
        expect(filledIn('a {{name}}, {{amount}}.', { name, amount })).toBe(`a ${name}, ${amount}.`);
      }),
    );
  });
});

describe('A template is refused', () => {
  test.each([
    ['for what nobody knows', 'Hi {{nmae}}', ['{{nmae}}']],
    [
      'for what its kind does not have',
      '{{licenses}} {{ reason }}',
      ['{{licenses}}', '{{ reason }}'],
    ],
    ['for braces that do not end', 'Hi {{name', ['{{name']],
    ['for a name with other characters', 'Hi {{Name}} {{a_b}}', ['{{Name}} {{a_b}}']],
    ['once for each', '{{x}} {{x}}', ['{{x}}']],
  ])('%s', (_, text, wrong) => {
    expect(unknownPlaceholders(text, 'order-placed')).toEqual(wrong);
  });

  test('but not for placeholders that its kind has, or for single braces', () => {
    expect(unknownPlaceholders('{{name}} {{ how-to-pay }} {a} }}', 'order-placed')).toEqual([]);
  });
});
