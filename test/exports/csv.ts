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

/** What a cell says, without the apostrophe that keeps it from being a formula. */
export const plain = (cell: string): string => cell.replace(/^'('*[=+\-@\t\r\n＝＋－＠])/, '$1');

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

/** What a column of a file says of an item of the list: its value there, as text. */
export const cellOf = (item: unknown, column: string): string =>
  textOf(
    column
      .split('.')
      .reduce<unknown>((part, name) => (part as Record<string, unknown> | null)?.[name], item),
  );
