import { type Charset, charsetOf } from './charset.ts';

/** A name, plain or quoted; MySQL's keywords need quotes. */
const NAME = '(?:`(?:[^`]|``)+`|"(?:[^"]|"")+"|[\\w$\\u0080-\\uffff]+)';

/** A table's name after that of its database, if it has one. */
const TABLE = `(?:${NAME}\\s*\\.\\s*)?(${NAME})`;

const plainName = (name: string): string => {
  const quote = name.charAt(0);
  if (quote !== '`' && quote !== '"') return name;
  return name.slice(1, -1).replaceAll(quote + quote, quote);
};

/** The part of an INSERT or REPLACE before its rows. */
export interface InsertHead {
  table: string;
  /** Undefined if it names none: rows then have all columns of the table, in the table's order. */
  columns: readonly string[] | undefined;
  /** True if rows follow, not a SELECT or the like. */
  hasRows: boolean;
}

const insertInto = new RegExp(
  `^(?:INSERT|REPLACE)(?:\\s+(?:LOW_PRIORITY|DELAYED|HIGH_PRIORITY|IGNORE))*(?:\\s+INTO)?\\s*${TABLE}`,
  'i',
);

/** Parses the head of an INSERT, up to its VALUES; undefined for other statements. */
export function insertHead(text: string): InsertHead | undefined {
  const [target = '', table] = insertInto.exec(text) ?? [];
  if (table === undefined) return undefined;
  const rest = /^\s*(?:\((?<columns>.*)\))?\s*VALUES?$/is.exec(text.slice(target.length));
  const columns = rest?.groups?.['columns'];
  return {
    table: plainName(table),
    columns: columns?.match(new RegExp(NAME, 'g'))?.map((name) => plainName(name)),
    hasRows: rest !== null,
  };
}

/** The parts of a CREATE TABLE that rows depend on. */
export interface TableShape {
  table: string;
  columns: readonly string[];
  /** MySQL's name of the table's own character set, if the statement names one. */
  charset: string | undefined;
}

const createTable = new RegExp(
  `^CREATE\\s+(?:TEMPORARY\\s+)?TABLE\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?${TABLE}\\s*(?=\\()`,
  'i',
);

/** Items in brackets that are no columns: keys and constraints. */
const notColumn =
  /^\s*(PRIMARY|UNIQUE|KEY|INDEX|CONSTRAINT|FULLTEXT|SPATIAL|FOREIGN|CHECK|PERIOD)\b/i;

const PIECE = /`(?:[^`]|``)*`|"(?:[^"\\]|\\.|"")*"|'(?:[^'\\]|\\.|'')*'|[(),]|[^`"'(),]+/gs;

/** Parses a CREATE TABLE with columns; undefined for other statements. */
export function tableShape(text: string): TableShape | undefined {
  const [head = '', table] = createTable.exec(text) ?? [];
  if (table === undefined) return undefined;
  const items = [''];
  let tail = '';
  let depth = 0;
  let isClosed = false;
  for (const [piece] of text.slice(head.length).matchAll(PIECE)) {
    if (piece === ')') depth -= 1;
    if (depth === 0 && piece === ')') isClosed = true;
    if (isClosed) tail += piece;
    else if (depth === 1 && piece === ',') items.push('');
    else if (depth > 0) items[items.length - 1] += piece;
    if (piece === '(') depth += 1;
  }
  const names = items
    .filter((item) => !notColumn.test(item))
    .flatMap((item) => new RegExp(`^\\s*(${NAME})`).exec(item)?.[1] ?? []);
  return {
    table: plainName(table),
    columns: names.map((name) => plainName(name)),
    charset: /(?:CHARSET|CHARACTER\s+SET)\s*=?\s*(\w+)/i.exec(tail)?.[1],
  };
}

/** The effects of a SET on the rest of a dump. */
export interface Setting {
  /** The character set of the bytes from here on. */
  charset: Charset | undefined;
  /** True if it saves the variables that the dump is about to change, as tools do at the beginning. */
  isGreeting: boolean;
  /** True if it restores them, as tools do at the end. */
  isFarewell: boolean;
  /** True if backslashes in texts are plain characters from here on. */
  isWithoutEscapes: boolean;
}

export function setting(text: string): Setting {
  const names = /^SET\s+(?:NAMES|CHARACTER\s+SET|CHARSET)\s+['"`]?(\w+)/i.exec(text)?.[1];
  return {
    charset: names === undefined ? undefined : charsetOf(names),
    isGreeting: /@OLD_\w+\s*=\s*@@/i.test(text),
    isFarewell: /\bCOLLATION_CONNECTION\s*=\s*@OLD_COLLATION_CONNECTION\b/i.test(text),
    isWithoutEscapes: /NO_BACKSLASH_ESCAPES/i.test(text),
  };
}

const toolMessage =
  /^(?:(?:\S*[/\\])?(?:mysqldump|mariadb-dump|mysqlpump)(?:\.exe)?: |Warning: |PHP (?:Warning|Notice|Deprecated): |Success: )/i;

const isWarning =
  /^(?:\S+: )?(?:\[Warning\]|-- Warning|Deprecated program name|Warning: |PHP |Success: )/i;

/** Recognises a message of a dump tool whose errors were redirected into the file (`2>&1`). */
export function messageOf(line: string): 'warning' | 'error' | undefined {
  if (!toolMessage.test(line)) return undefined;
  return isWarning.test(line) ? 'warning' : 'error';
}
