/** Reads RFC 4180, by its grammar: records of fields. @throws Error for what is none */
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

/** The text of a cell, without the apostrophes that keep it from being a formula. */
export const plain = (cell: string): string => cell.replace(apostrophes, '');

/**
 * Reads a file as a spreadsheet with another separator does, line ends of any kind. With quotes, what begins with one
 * goes on to the next that stands alone, and whatever follows up to the separator belongs to it.
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

/** A value as a cell says it. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns the text of an item's value in a column. */
export const cellOf = (item: unknown, column: string): string =>
  textOf(
    column
      .split('.')
      .reduce<unknown>((part, name) => (part as Record<string, unknown> | null)?.[name], item),
  );
