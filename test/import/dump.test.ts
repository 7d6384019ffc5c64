import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { long } from '../harness/long.ts';
import { readDump } from '../../packages/import/src/dump.ts';
import { SourceRefused } from '../../packages/import/src/errors.ts';
import { dialects, textOf } from './dump-writer.ts';
import type { Cell, Table } from './dump-writer.ts';
import { inChunks, read } from './read.ts';

/** Texts with a meaning in a dump, inside values. */
const hostile = fc.constantFrom(
  ...["'", '"', '`', '\\', "\\'", "''", '),(', ');', ';', ',', '--', '-- ', '#', '/*', '*/', '/*!'],
  ...['\n', '\r\n', '\t', '\b', '\0', '\u001A', '%', '_', 'NULL', '😀', 'é', '\uFFFD', '0x41'],
  ...['\n-- Dump completed\n', "\nINSERT INTO `a` VALUES (1,'", '\nDELIMITER ;;\n'],
  '/*!40101 SET COLLATION_CONNECTION=@OLD_COLLATION_CONNECTION */;',
);
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc
    .array(fc.oneof(hostile, fc.string({ maxLength: 3 })), { maxLength: 8 })
    .map((of) => of.join('')),
);
const number = fc
  .oneof(fc.bigInt(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  .map((value) => ({ number: String(value) }));
const cell: fc.Arbitrary<Cell> = fc.oneof(fc.constant(null), number, text);

const aTable = (name: string) =>
  fc
    .uniqueArray(fc.stringMatching(/^[a-z][a-z _`),]{0,6}$/), { minLength: 1, maxLength: 4 })
    .chain((columns) =>
      fc.record({
        name: fc.constant(name),
        columns: fc.constant(columns),
        rows: fc.array(fc.array(cell, { minLength: columns.length, maxLength: columns.length }), {
          maxLength: 7,
        }),
      }),
    );

const columnsOf = (tables: readonly Table[]) =>
  Object.fromEntries(tables.map(({ name, columns }) => [name, columns]));

const rowsOf = (tables: readonly Table[]) =>
  tables.flatMap(({ name, rows }) =>
    rows.map((cells) => ({ table: name, values: cells.map(textOf) })),
  );

describe.each(dialects)('A dump by $name', ({ write, mark }) => {
  test('has the rows that were written, whatever they hold and however it is cut into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(aTable('a'), aTable('a table`s'), aTable('z')),
        fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 4 }),
        async (tables, sizes) => {
          const wanted = tables.filter(({ name }) => name !== 'z');
          const found = await read(write(tables), columnsOf(wanted), sizes);
          expect(found.rows).toEqual(rowsOf(wanted));
          expect(found.tables).toEqual(tables.map(({ name }) => name));
          expect(found.missingColumns).toEqual([]);
        },
      ),
    );
  });

  const shop: Table[] = [
    {
      name: 'a',
      columns: ['id', 'text'],
      rows: [
        [{ number: '1' }, "it's; -- Dump completed\n"],
        [{ number: '-2' }, null],
        [{ number: '3' }, '-- Dump completed\n'],
      ],
    },
    { name: 'z', columns: ['id'], rows: [["\n-- Dump completed\n'),('"]] },
  ];

  test('is refused when it was cut off at any byte, unless all rows are there', async () => {
    const whole = Buffer.from(write(shop));
    const needed = whole.lastIndexOf(mark) + mark.length;
    for (let length = 0; length <= whole.length; length += 1) {
      const found = await read(whole.subarray(0, length), columnsOf(shop), [97]).catch(
        (error: unknown) => error,
      );
      if (found instanceof SourceRefused) expect(found.fault).toBe('cut-off');
      else expect({ found, length }).toMatchObject({ found: { rows: rowsOf(shop) } });
      expect(found instanceof SourceRefused || length >= needed).toBe(true);
    }
    expect((await read(whole, columnsOf(shop))).rows).toEqual(rowsOf(shop));
  });

  test('is refused when another one begins behind it and is cut off', async () => {
    // The shortest text that begins a dump, with or without comments.
    const [first = ''] = write(shop).split(/(?<=SET @OLD_\w+=@@.*\n|SET NAMES.*\n)/);
    for (const next of [first, first.replaceAll(/^--.*\n/gm, '')])
      await expect(read(`${write(shop)}\n${next}`, {})).rejects.toMatchObject({ fault: 'cut-off' });
  });
});

const MARK = '\n-- Dump completed\n';
const A = 'CREATE TABLE a (x text, y text) DEFAULT CHARSET=utf8mb4;\n';

/** The values of the only column of a table `a` in a dump with these rows. */
const valuesOf = async (rows: string, before = 'SET NAMES utf8mb4;') => {
  const dump = `${before} CREATE TABLE a (x text);INSERT INTO a VALUES ${rows};${MARK}`;
  return (await read(dump, { a: ['x'] })).rows.map(({ values }) => values[0]);
};

describe('A value', () => {
  test.each([
    ['NULL', null],
    ['null', null],
    ['-12.50', '-12.50'],
    ['1e-7', '1e-7'],
    ["'NULL'", 'NULL'],
    ["''", ''],
    ["'it''s \\'so\\''", "it's 'so'"],
    ['"it\'s ""so"""', 'it\'s "so"'],
    [String.raw`'\0\n\r\t\b\Z\\\"'`, '\uFFFD\n\r\t\b\u001A\\"'],
    [String.raw`'\%\_\a'`, String.raw`\%\_a`],
    ['0x41c3a9', 'Aé'],
    ["X'41'", 'A'],
    ["x''", ''],
    ["_binary 'é\\0'", 'é\uFFFD'],
    ["_utf8mb4'é'", 'é'],
    ['_binary 0x41', 'A'],
    ["b'101'", '5'],
    ['0b11', '3'],
  ])('%s', async (written, is) => {
    expect(await valuesOf(`( ${written} )`)).toEqual([is]);
  });

  test.each(['CURRENT_TIMESTAMP', "'a' 'b'", 'NOW()', '0xZZ', "'a'b", '1 2', '', "_sjis 'a'"])(
    'that is no literal is refused: %s',
    async (written) => {
      await expect(valuesOf(`(${written})`)).rejects.toThrow(/The dump/);
    },
  );

  test('may be long, and in the tiniest chunks', async () => {
    const long = "it's 😀; ".repeat(20_000);
    const dump = `${A}INSERT INTO a VALUES ('${long.replaceAll("'", "''")}',1);${MARK}`;
    const { rows } = await read(dump, { a: ['x'] }, [7]);
    expect(rows[0]?.values[0]).toBe(long);
  });

  test('that is not UTF-8 has U+FFFD in place of the wrong bytes, and is counted', async () => {
    const bytes = Buffer.concat([
      Buffer.from(`${A}INSERT INTO a VALUES ('caf`),
      Buffer.from([0xe9]),
      Buffer.from(`','\\0'),('\uFFFD','😀');${MARK}`),
    ]);
    const found = await read(bytes, { a: ['x', 'y'] });
    expect(found.rows.map(({ values }) => values)).toEqual([
      ['caf\uFFFD', '\uFFFD'],
      ['\uFFFD', '😀'],
    ]);
    expect(found.repairs).toBe(2);
  });
});

describe('The character set', () => {
  const euro = (before: string, charset: string) =>
    read(
      Buffer.from(
        `${before}CREATE TABLE a (x text) DEFAULT CHARSET=${charset};INSERT INTO a VALUES ('\x80');${MARK}`,
        'latin1',
      ),
      { a: ['x'] },
    );

  test('is the one of SET NAMES, or else that of the table', async () => {
    expect((await euro('/*!40101 SET NAMES latin1 */;', 'utf8mb4')).rows[0]?.values).toEqual(['€']);
    expect((await euro('', 'latin1')).rows[0]?.values).toEqual(['€']);
    expect((await euro('SET NAMES utf8mb4;', 'latin1')).repairs).toBe(1);
  });

  test.each(['gbk', 'utf16', 'binary', 'cp1251'])('%s is refused', async (name) => {
    await expect(euro(`SET NAMES ${name};`, 'utf8')).rejects.toMatchObject({ fault: 'charset' });
    await expect(euro('', name)).rejects.toThrow(name);
  });

  test('of an unwanted table is ignored', async () => {
    const dump = `CREATE TABLE b (x text) CHARSET=gbk;INSERT INTO b VALUES ('a');${MARK}`;
    await expect(read(dump, {})).resolves.toMatchObject({ tables: ['b'] });
  });
});

describe('A dump', () => {
  test.each([
    ['an error of the tool in it', "mysqldump: Couldn't execute 'x': Access denied\n"],
    ['UPDATE', 'UPDATE a SET x = 1;'],
    ['INSERT … SET', "INSERT INTO a SET x = 'a';"],
    ['INSERT … SELECT', 'INSERT INTO a SELECT * FROM b;'],
    ['ON DUPLICATE KEY', 'INSERT INTO a VALUES (1,2) ON DUPLICATE KEY UPDATE x = 1;'],
    ['rows that are too short', 'INSERT INTO a VALUES (1);'],
    ['rows of a table that it doesn’t show', 'INSERT INTO c VALUES (1);'],
    ['backslashes that mean nothing', "SET sql_mode = 'NO_BACKSLASH_ESCAPES';"],
    ['no SQL', '<html>'],
  ])('is refused with %s', async (_, statement) => {
    await expect(read(`${A}${statement}${MARK}`, { a: ['x'], c: ['x'] })).rejects.toMatchObject({
      fault: 'format',
    });
  });

  test.each([
    'mysqldump: [Warning] Using a password on the command line interface can be insecure.',
    "mysqldump: Deprecated program name. It will be removed in a future release, use '/usr/bin/mariadb-dump' instead",
    '/usr/bin/mysqldump: Deprecated program name. It will be removed in a future release.',
    'Warning: A partial dump from a server that has GTIDs will by default include the GTIDs of all transactions.',
  ])('is read with a warning of the tool in it: %s', async (warning) => {
    const rows = 'INSERT INTO a VALUES (1,2);';
    for (const dump of [
      `${warning}\n${A}${rows}${MARK}`,
      `${A}${warning}\n${rows}${MARK}`,
      `${A}${rows}${MARK}\n${warning}\n`,
      `${A}${rows}${MARK}\n${warning}`,
    ])
      for (const size of [1, 7, 65_536])
        expect((await read(dump, { a: ['x'] }, [size])).rows).toHaveLength(1);
  });

  test.each([
    'mysqldump: Error 2013: Lost connection to server during query when dumping table `a` at row: 7',
    'mariadb-dump: Got error: 1045: "Access denied" when trying to connect',
  ])('is refused with helpful advice if it contains an error of the tool: %s', async (error) => {
    for (const dump of [`${A}INSERT INTO a VALUES (1,2);\n${error}`, `${A}${MARK}\n${error}\n`])
      await expect(read(dump, { a: ['x'] })).rejects.toMatchObject({
        fault: 'format',
        message: expect.stringMatching(
          /error message of mysqldump in it.+rows may be missing.+2>&1/,
        ),
      });
  });

  test('is refused if it creates a wanted table twice', async () => {
    await expect(read(`${A}${A}${MARK}`, { a: ['x'] })).rejects.toMatchObject({ fault: 'tables' });
    await expect(read(`${A}${A}${MARK}`, {})).resolves.toMatchObject({ tables: ['a'] });
  });

  test('names the columns that its tables lack, which are null', async () => {
    const dump = `${A}INSERT INTO shop.a VALUES (1,2);${MARK}`;
    expect(await read(dump, { a: ['y', 'z'] })).toMatchObject({
      rows: [{ table: 'a', values: ['2', null] }],
      missingColumns: ['a.z'],
    });
  });

  test('is read to its end, although a comment that servers execute contains a quoted `*/`', async () => {
    const dump = `${A}/*!50001 CREATE VIEW v AS SELECT '*/ it;' */;INSERT INTO a VALUES (1,2);${MARK}`;
    expect((await read(dump, { a: ['x'] })).rows).toHaveLength(1);
  });

  test('hands over its rows before their statement ends', async () => {
    const counts: number[] = [];
    let rows = 0;
    const pieces = async function* () {
      yield Buffer.from(`${A}INSERT INTO a VALUES (1,2)`);
      for (let piece = 0; piece < 5; piece += 1) {
        counts.push(rows);
        yield Buffer.from(`,(3,'${'x'.repeat(1000)}'),(4`);
        yield Buffer.from(',5)');
      }
      yield Buffer.from(`;${MARK}`);
    };
    await readDump(pieces(), { columnsOf: () => ['x'], row: () => void (rows += 1) });
    expect(counts).toEqual([1, 3, 5, 7, 9]);
  });

  long('is refused early if a quote is never closed, before all of it is in memory', async () => {
    const megabyte = Buffer.alloc(1024 * 1024, 'x');
    const endless = async function* () {
      yield Buffer.from(`${A}INSERT INTO b VALUES ('`);
      for (;;) yield megabyte;
    };
    const sink = { columnsOf: () => undefined, row: () => undefined };
    await expect(readDump(endless(), sink)).rejects.toMatchObject({ fault: 'format' });
  });

  test('may have no rows, but not be empty', async () => {
    expect((await read(`${A}${MARK}`, { a: ['x'] })).rows).toEqual([]);
    await expect(
      readDump(inChunks(Buffer.alloc(0), [1]), { columnsOf: () => [], row: () => undefined }),
    ).rejects.toMatchObject({ fault: 'cut-off' });
  });
});
