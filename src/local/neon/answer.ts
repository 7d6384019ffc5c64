import type { FieldDef } from 'pg';
import { SIZE_LIMIT } from './wire.ts';

/**
 * The JSON that answers a request, written as PostgreSQL's messages arrive; every value is its text, or null. Its size
 * is measured like the proxy's: the JSON of all statements so far, checked before each row.
 */
export class Answer {
  /** True if rows arrived for which there is no room. */
  tooLarge = false;
  #batch: boolean;
  #chunks: string[] = [];
  #bytes = 0;
  #statements = 0;
  #separator: '' | ',' | undefined;

  constructor(batch: boolean) {
    this.#batch = batch;
    if (batch) this.#write('{"results":[');
  }

  /** Starts a statement's result; a statement without columns may leave it out. */
  begin(fields: FieldDef[]): void {
    const comma = this.#statements === 0 ? '' : ',';
    this.#write(`${comma}{"fields":${JSON.stringify(fields)},"rows":[`);
    this.#statements += 1;
    this.#separator = '';
  }

  row(values: (string | null)[]): void {
    this.tooLarge ||= this.#bytes > SIZE_LIMIT;
    if (this.tooLarge) return;
    this.#write(`${this.#separator}${JSON.stringify(values)}`);
    this.#separator = ',';
  }

  /** @param tag PostgreSQL's: "INSERT oid count", "SELECT count", "CREATE TABLE" */
  end(tag: string): void {
    if (this.#separator === undefined) this.begin([]);
    const [command = '', ...numbers] = tag.split(' ');
    const count = Number.parseInt(numbers[command === 'INSERT' ? 1 : 0] ?? '', 10);
    const rowCount = Number.isNaN(count) ? null : count;
    this.#write(`],${JSON.stringify({ command, rowCount, rowAsArray: true }).slice(1)}`);
    this.#separator = undefined;
  }

  toBuffer(): Buffer {
    return Buffer.from(`${this.#chunks.join('')}${this.#batch ? ']}' : ''}`);
  }

  #write(text: string): void {
    this.#chunks.push(text);
    this.#bytes += Buffer.byteLength(text);
  }
}
