import { describe, expect, test } from 'vitest';
import { completed, orNull } from '../../src/lib/documents.ts';

const shape = {
  rate: 0,
  limit: null,
  terms: { on: false, days: 7 },
  options: [{ id: '', cost: 0, countries: [] }],
  shipping: orNull({ cost: 0 }),
};

const empty = {
  rate: 0,
  limit: null,
  terms: { on: false, days: 7 },
  options: [],
  shipping: null,
};

describe('A stored document', () => {
  test.each([[{}], [null], [undefined], ['text'], [[1]]])('that is %j has every key', (stored) => {
    expect(completed(stored, shape)).toEqual(empty);
  });

  test('keeps its values, including null and unknown keys', () => {
    const said = { ...empty, rate: 3, limit: 5, more: { a: 1 }, terms: { on: true, days: null } };
    expect(completed(said, shape)).toEqual(said);
  });

  test('is completed in its parts, its lists and the parts that may be missing', () => {
    const said = { terms: { on: true }, options: [{ id: 'a' }, { cost: 2, countries: ['ID'] }] };
    expect(completed({ ...said, shipping: {} }, shape)).toEqual({
      ...empty,
      terms: { on: true, days: 7 },
      options: [
        { id: 'a', cost: 0, countries: [] },
        { id: '', cost: 2, countries: ['ID'] },
      ],
      shipping: { cost: 0 },
    });
  });
});
