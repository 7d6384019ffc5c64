import type { Charset } from './charset.ts';
import { MAKE_ANOTHER, SourceRefused, cutOff } from './errors.ts';
import { literal } from './literals.ts';
import {
  BYTE,
  MORE,
  blankEnd,
  commentEnd,
  headEnd,
  lineEnd,
  rowEnd,
  throughStatement,
  wordEnd,
} from './scan.ts';
import { insertHead, messageOf, setting, tableShape } from './statements.ts';
import { type RowPlan, Tables } from './tables.ts';
import { Window } from './window.ts';

export type Value = string | null;

export interface RowSink {
  /** The wanted columns of a table, in their order; undefined if the table is skipped. */
  columnsOf(table: string): readonly string[] | undefined;
  /**
   * Receives each row as soon as it is read. A missing column is null. `repairs` counts values with NUL or undecodable
   * bytes, which became U+FFFD.
   */
  row(table: string, values: readonly Value[], repairs: number): void;
}

export interface DumpFacts {
  /** All tables of the dump, wanted or not. */
  tables: readonly string[];
  /** Requested columns that their tables lack, as `table.column`. */
  missingColumns: readonly string[];
}

/**
 * Reads a dump of MySQL or MariaDB from chunks of bytes, and passes on the rows of the wanted tables. Holds at most the
 * longest row. Throws `SourceRefused` for an incomplete dump; rows passed on before are then invalid.
 */
export async function readDump(
  chunks: AsyncIterable<Uint8Array>,
  sink: RowSink,
): Promise<DumpFacts> {
  const reader = new DumpReader(sink);
  for await (const chunk of chunks) reader.add(chunk);
  return reader.end();
}

/** Statements to skip: they contain no rows. */
const passedOver = new Set([
  ...['ALTER', 'ANALYZE', 'BEGIN', 'CHANGE', 'COMMIT', 'DROP', 'FLUSH', 'GRANT', 'LOCK'],
  ...['START', 'TRUNCATE', 'UNLOCK', 'USE'],
]);

/** Bytes of a line that are enough to recognise a tool's message. */
const longestMessage = 1024;

const isStatement = (verb: string): boolean =>
  ['INSERT', 'REPLACE', 'CREATE', 'SET', 'DELIMITER'].includes(verb) || passedOver.has(verb);

type Within = 'nothing' | 'rows' | 'other statement' | 'other delimiter';

class DumpReader {
  readonly #sink: RowSink;
  readonly #window = new Window();
  #within: Within = 'nothing';
  #plan: RowPlan = { table: '', charset: 'utf-8', width: 0, places: [] };
  /** The character set of SET NAMES; without it, each table has its own. */
  #charset: Charset | undefined;
  /** True if nothing came after the mark that ends a dump. */
  #isClosed = false;
  readonly #tables = new Tables();
  readonly #bounds: number[] = [];

  constructor(sink: RowSink) {
    this.#sink = sink;
  }

  add(chunk: Uint8Array): void {
    if (this.#window.add(chunk)) this.#readOn();
  }

  end(): DumpFacts {
    this.#window.add(Buffer.alloc(0), true);
    this.#readOn();
    this.#lastLine();
    if (!this.#isClosed || this.#within !== 'nothing' || !this.#window.isEmpty) throw cutOff();
    return {
      tables: this.#tables.names,
      missingColumns: [...this.#tables.missingColumns],
    };
  }

  /** Reads a last line that has no line break: it may be the mark at the dump's end. */
  #lastLine(): void {
    const { bytes, at } = this.#window;
    const line = bytes.toString('latin1', at, at + longestMessage);
    if (this.#within !== 'nothing') return;
    if (line.startsWith('--')) this.#comment(line);
    else if (messageOf(line)) this.#refuseError(line, '');
    else return;
    this.#window.at = bytes.length;
  }

  #readOn(): void {
    while (this.#step());
  }

  /** Reads one item and moves past it; false if it may continue after the available bytes. */
  #step(): boolean {
    switch (this.#within) {
      case 'nothing':
        return this.#begin();
      case 'rows':
        return this.#row();
      case 'other statement': {
        const { at, ended } = throughStatement(this.#window.bytes, this.#window.at);
        return this.#goOn(at, ended ? 'nothing' : this.#within) && ended;
      }
      case 'other delimiter': {
        const { bytes, at } = this.#window;
        const end = lineEnd(bytes, at);
        if (end === MORE) return false;
        const isLast = /^\s*DELIMITER\s*;\s*$/i.test(
          bytes.toString('latin1', at, Math.min(end, at + 64)),
        );
        return this.#goOn(end, isLast ? 'nothing' : this.#within);
      }
    }
  }

  #goOn(at: number, within: Within): true {
    this.#window.at = at;
    this.#within = within;
    return true;
  }

  /** Skips a comment, or begins a statement. */
  #begin(): boolean {
    const { bytes } = this.#window;
    const at = blankEnd(bytes, this.#window.at);
    this.#window.at = at;
    if (at === bytes.length) return false;
    if (bytes[at] === BYTE.semicolon) return this.#goOn(at + 1, 'nothing');
    const end = commentEnd(bytes, at);
    if (end === MORE) return false;
    if (end > at) {
      this.#comment(bytes.toString('latin1', at, Math.min(end, at + 1024)));
      return this.#goOn(end, 'nothing');
    }
    const wordStop = wordEnd(bytes, at);
    if (wordStop === MORE) return false;
    const verb = bytes.toString('latin1', at, wordStop).toUpperCase();
    return isStatement(verb) ? this.#statement(at, verb) : this.#message(at, verb);
  }

  /** Reads a message that the dump tool wrote into the dump. Warnings are skipped. */
  #message(at: number, verb: string): boolean {
    const { bytes } = this.#window;
    const end = lineEnd(bytes, at);
    if (end === MORE && bytes.length < at + longestMessage) return false;
    this.#refuseError(bytes.toString('latin1', at, at + longestMessage), verb);
    return end !== MORE && this.#goOn(end, 'nothing');
  }

  /** @throws SourceRefused for a line that is no warning */
  #refuseError(line: string, verb: string): void {
    const message = messageOf(line);
    if (message === 'warning') return;
    if (message === undefined)
      throw this.#refusal(`${/^[A-Z]{1,20}$/.test(verb) ? verb : 'this text'} is not supported`);
    throw new SourceRefused(
      'format',
      `The dump has an error message of mysqldump in it (byte ${this.#window.passed + this.#window.at}), so rows may be missing. Correct what the message says, and export the database again, without 2>&1`,
    );
  }

  #comment(text: string): void {
    const [, carriedOut] = /^\/\*M?!\d*\s*(.*)\*\/$/s.exec(text) ?? [];
    if (carriedOut !== undefined && /^SET\b/i.test(carriedOut)) this.#set(carriedOut);
    else this.#isClosed = /^-- Dump completed\b/.test(text);
  }

  #set(text: string): void {
    const { charset, isGreeting, isFarewell, isWithoutEscapes } = setting(text);
    if (isWithoutEscapes) throw this.#refusal('it is written with NO_BACKSLASH_ESCAPES');
    this.#charset = charset ?? this.#charset;
    this.#isClosed = (this.#isClosed && !isGreeting) || isFarewell;
  }

  #statement(at: number, verb: string): boolean {
    const { bytes } = this.#window;
    if (verb === 'INSERT' || verb === 'REPLACE') return this.#beginInsert(at);
    if (verb === 'CREATE' || verb === 'SET') {
      const statement = throughStatement(bytes, at);
      if (!statement.ended) return false;
      const text = bytes.toString('utf8', at, statement.at);
      if (verb === 'SET') this.#set(text);
      else this.#create(text);
      return this.#goOn(statement.at, 'nothing');
    }
    this.#isClosed = false;
    return this.#goOn(at, verb === 'DELIMITER' ? 'other delimiter' : 'other statement');
  }

  #create(text: string): void {
    this.#isClosed = false;
    const shape = tableShape(text);
    if (shape) this.#tables.create(shape, this.#sink.columnsOf(shape.table) !== undefined);
  }

  #beginInsert(at: number): boolean {
    this.#isClosed = false;
    const { bytes } = this.#window;
    const end = headEnd(bytes, at);
    if (end === MORE) return false;
    const head = insertHead(bytes.toString('utf8', at, end));
    if (!head) throw this.#refusal('this INSERT is not supported');
    this.#tables.meet(head.table);
    const wanted = this.#sink.columnsOf(head.table);
    if (!wanted) return this.#goOn(end, 'other statement');
    const plan = this.#tables.plan(head, wanted, this.#charset);
    if (!plan) throw this.#refusal(`this INSERT of ${head.table} is not supported`);
    this.#plan = plan;
    return this.#goOn(end, 'rows');
  }

  /** Reads a row, or the separator after it. */
  #row(): boolean {
    const { bytes } = this.#window;
    const at = blankEnd(bytes, this.#window.at);
    this.#window.at = at;
    if (at === bytes.length) return false;
    if (bytes[at] === BYTE.comma) return this.#goOn(at + 1, 'rows');
    if (bytes[at] === BYTE.semicolon) return this.#goOn(at + 1, 'nothing');
    const { table } = this.#plan;
    if (bytes[at] !== BYTE.open) throw this.#refusal(`these rows of ${table} are malformed`);
    const end = rowEnd(bytes, at, this.#bounds);
    if (end === MORE) return false;
    this.#handOver(bytes);
    return this.#goOn(end, 'rows');
  }

  #handOver(bytes: Buffer): void {
    const { table, charset, width, places } = this.#plan;
    const bounds = this.#bounds;
    if (bounds.length !== 2 * width)
      throw this.#refusal(`a row of ${table} has ${bounds.length / 2} values for ${width} columns`);
    let repairs = 0;
    const values = places.map((place) => {
      if (place === -1) return null;
      const value = literal(bytes, bounds[2 * place] ?? 0, bounds[2 * place + 1] ?? 0, charset);
      if (value === undefined) throw this.#refusal(`a value of ${table} is malformed`);
      if (value?.repaired) repairs += 1;
      return value && value.text;
    });
    this.#sink.row(table, values, repairs);
  }

  #refusal(what: string): SourceRefused {
    const where = `byte ${this.#window.passed + this.#window.at}`;
    return new SourceRefused(
      'format',
      `The dump can't be read: ${what} (${where}). ${MAKE_ANOTHER}`,
    );
  }
}
