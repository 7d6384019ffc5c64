import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { differenceOf } from '../../../src/kernel/command/difference.ts';

const fields = fc.dictionary(
  fc.constantFrom('price', 'title', 'email', 'stock', 'version'),
  fc.jsonValue(),
);

/** A field as JSON; an absent one equals null. */
const text = (of: Record<string, unknown>, name: string) => JSON.stringify(of[name] ?? null);

describe('The difference of two representations', () => {
  test('is empty if only the fields differ that every change changes', () => {
    fc.assert(
      fc.property(fields, (record) => {
        const { version: _, ...same } = record;
        const later = { ...same, version: 7, updated_at: '2026-03-10T09:00:00.000Z' };
        expect(differenceOf(record, later, [])).toBeUndefined();
      }),
    );
  });

  test('names just the fields that differ, with the old and the new values', () => {
    fc.assert(
      fc.property(fields, fields, (before, after) => {
        const names = ['price', 'title', 'email', 'stock'];
        const changed = names.filter((name) => text(before, name) !== text(after, name));
        const difference = differenceOf(before, after, []);
        expect(Object.keys(difference?.before ?? {}).sort()).toEqual(changed.sort());
        for (const name of changed) {
          expect(text(difference?.before ?? {}, name)).toBe(text(before, name));
          expect(text(difference?.after ?? {}, name)).toBe(text(after, name));
        }
      }),
    );
  });

  test('never contains personal data, and at most 2,000 characters of a value', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 3 }), fc.string({ minLength: 3 }), (one, other) => {
        fc.pre(one !== other);
        const said = differenceOf({ email: one }, { email: other }, ['email']);
        expect(said).toEqual({ before: { email: '[personal]' }, after: { email: '[personal]' } });
      }),
    );
    const said = differenceOf({ layout: 'x'.repeat(1999) }, { layout: 'short' }, []);
    expect(said).toEqual({ before: { layout: '[long]' }, after: { layout: 'short' } });
  });
});
