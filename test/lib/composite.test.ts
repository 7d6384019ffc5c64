import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compositeFields } from '../../src/lib/composite.ts';
import { useStore } from '../harness/store.ts';

const context = useStore();

it('a composite of any texts and nulls is read as PostgreSQL writes it, composites in it included', async () => {
  const word = fc.string({ unit: fc.constantFrom('a', ' ', '"', '\\', ',', '(', ')', 'é', '\n') });
  const field = fc.option(fc.oneof(word, fc.string({ unit: 'grapheme' })));
  await fc.assert(
    fc.asyncProperty(fc.array(field, { minLength: 1, maxLength: 6 }), async (drawn) => {
      const fields = drawn.map((text) => text && text.replaceAll('\0', ''));
      const places = fields.map((_, i) => `$${i + 1}::text`).join(', ');
      const {
        rows: [row],
      } = await context.store.database.query<{ flat: string; nested: string }>(
        `select row(${places})::text as flat, row(row(${places}), null)::text as nested`,
        fields,
      );
      expect(compositeFields(row?.flat ?? '')).toEqual(fields);
      expect(compositeFields(row?.nested ?? '')).toEqual([row?.flat, null]);
    }),
  );
});
