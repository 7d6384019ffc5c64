/**
 * Reads CSV by the grammar of RFC 4180.
 * @throws Error for any other text
 */
export function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  while (field.lastIndex < text.length) {
    const at = field.lastIndex;
    const found = field.exec(text);
    if (!found) throw new Error(`No field at ${at}: ${text.slice(at, at + 40)}`);
    record.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    if (found[3] === ',') continue;
    records.push(record);
    record = [];
  }
  if (record.length > 0) throw new Error('The last line has no end.');
  return records;
}

const signs = String.raw`=+\-@\t＝＋－＠`;
const apostrophes = new RegExp(
  String.raw`^'(?='*[${signs}\r\n])|(?<=,)'(?='*[${signs}])|(?<=[;|\t\r\n])'(?=["']*[${signs}])`,
  'g',
);

/** The text of a cell, without the apostrophes that prevent formulas. */
export const plain = (cell: string): string => cell.replace(apostrophes, '');

/**
 * Reads a file as a spreadsheet with another separator does, with line ends of any kind. With quotes, a cell that
 * begins with one continues to the next quote that is not doubled and up to the separator.
 */
export function spreadsheetCells(text: string, separator: string, quotes: boolean): string[] {
  const cells: string[] = [];
  const end = new RegExp(String.raw`[${separator}\r\n]`);
  let at = 0;
  while (at <= text.length) {
    const quoted = quotes ? /^"((?:[^"]|"")*)(?:"|$)/.exec(text.slice(at)) : null;
    const rest = text.slice(at + (quoted?.[0].length ?? 0));
    const length = rest.search(end) < 0 ? rest.length : rest.search(end);
    cells.push((quoted?.[1]?.replaceAll('""', '"') ?? '') + rest.slice(0, length));
    at += (quoted?.[0].length ?? 0) + length + 1;
  }
  return cells;
}

/** The records of a file as objects, by its header. */
export function recordsOf(text: string): Record<string, string>[] {
  const [header = [], ...records] = parseCsv(text);
  return records.map((record) =>
    Object.fromEntries(header.map((name, i) => [name, plain(record[i] ?? '')])),
  );
}

export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export const cellOf = (item: unknown, column: string): string =>
  textOf(
    column
      .split('.')
      .reduce<unknown>((part, name) => (part as Record<string, unknown> | null)?.[name], item),
  );
