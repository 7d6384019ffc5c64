import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvCell, csvLine } from '../../src/lib/csv.ts';
import { parseCsv, plain, textOf } from './csv.ts';

/** Texts of what matters to a CSV file and to a spreadsheet, and any others. */
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom(...Array.from('=+-@\t\r\n\'",;＝＋－＠ a1')) }),
  fc.string({ unit: 'grapheme' }),
);
const value = fc.oneof(
  text,
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(text),
  fc.dictionary(fc.string(), text),
);
test('what is read back from a file is what was written, whatever is in it', () => {
  const lines = fc.array(fc.array(value, { minLength: 1 }), { minLength: 1 });
  fc.assert(
    fc.property(lines, (written) => {
      const read = parseCsv(written.map(csvLine).join(''));
      expect(read.map((cells) => cells.map(plain))).toEqual(written.map((one) => one.map(textOf)));
    }),
  );
});

test('no cell but a number begins as a formula does', () => {
  fc.assert(
    fc.property(text, (of) => {
      const [[cell = ''] = []] = parseCsv(csvLine([of]));
      expect(cell).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
    }),
  );
  expect(csvCell(-1500)).toBe('-1500');
  expect(csvCell('-1500')).toBe("'-1500");
});
