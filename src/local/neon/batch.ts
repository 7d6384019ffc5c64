import type { Client, Connection, FieldDef, Submittable } from 'pg';
import { SIZE_LIMIT } from './wire.ts';
import type { Statement } from './wire.ts';

/** What one statement answered; every value is PostgreSQL's own text, or null. */
export interface Result {
  fields: FieldDef[];
  rows: (string | null)[][];
  command: string;
  rowCount: number | null;
  rowAsArray: true;
}

/** The statements ran, and were rolled back since they were not to be committed. */
export class NotCommitted extends Error {}

/** The result is over the limit. */
export class TooLarge extends Error {}

/** What a request has a connection do. */
export interface BatchOptions {
  statements: Statement[];
  /** The command that opens the transaction; undefined: a single statement, its own transaction. */
  begin: string | undefined;
  /** Asked when all statements have run and nothing is committed yet; absent: commit at once. */
  mayCommit?: () => boolean | Promise<boolean>;
}

/** What returns a connection to the state it was opened in, but for its cached plans. */
const RESET = `CLOSE ALL; SET SESSION AUTHORIZATION DEFAULT; RESET ALL; DEALLOCATE ALL; UNLISTEN *;
SELECT pg_advisory_unlock_all(); DISCARD TEMP; DISCARD SEQUENCES`;

/**
 * The statements of one request on their way through one connection, in as few round trips as they
 * allow: everything is written at once, the reset of the connection behind it, and PostgreSQL skips
 * the rest after an error. Only where somebody has a say in the commit is that a trip of its own.
 *
 * Each statement is Parse, Bind, Describe, Execute of the unnamed statement. The `handle…` methods
 * are called by pg's client.
 */
export class Batch implements Submittable {
  /** Rejects with PostgreSQL's error, NotCommitted, TooLarge, or what ended the connection. */
  readonly done: Promise<Result[]>;
  /** Resolves when the connection is as good as new, rejects when it isn't. */
  readonly reset: Promise<void>;
  #client: Client;
  #options: BatchOptions;
  #settle: { resolve(results: Result[]): void; reject(error: Error): void };
  #trailer: Trailer;
  #results: Result[] = [];
  #current = emptyResult();
  #bytes = 0;
  #synced = false;

  constructor(client: Client, options: BatchOptions) {
    const { promise, ...settle } = Promise.withResolvers<Result[]>();
    this.done = promise;
    this.#settle = settle;
    this.#trailer = new Trailer();
    this.reset = this.#trailer.done;
    this.#client = client;
    this.#options = options;
  }

  /** Writes the commands. */
  submit(connection: Connection): void {
    const { begin, statements, mayCommit } = this.#options;
    connection.stream.cork();
    if (begin) write(connection, begin);
    for (const { query, params } of statements) write(connection, query, params);
    if (mayCommit) connection.flush();
    else this.#commit(connection);
    connection.stream.uncork();
  }

  handleRowDescription(message: { fields: FieldDef[] }): void {
    this.#current.fields = message.fields;
  }

  handleDataRow(message: { fields: (string | null)[]; length: number }): void {
    this.#bytes += message.length;
    if (this.#bytes <= SIZE_LIMIT) this.#current.rows.push(message.fields);
  }

  handleCommandComplete(message: { text: string }, connection: Connection): void {
    const [command = '', ...numbers] = message.text.split(' ');
    // "INSERT oid count", "SELECT count", "CREATE TABLE".
    const count = Number.parseInt(numbers[command === 'INSERT' ? 1 : 0] ?? '', 10);
    this.#complete(command, Number.isNaN(count) ? null : count, connection);
  }

  handleEmptyQuery(connection: Connection): void {
    this.#complete('', null, connection);
  }

  handleReadyForQuery(): void {
    this.#client.query(this.#trailer);
    if (this.#bytes > SIZE_LIMIT) void this.#fail(new TooLarge());
    else if (this.#options.begin) this.#settle.resolve(this.#results.slice(1, -1));
    else this.#settle.resolve(this.#results);
  }

  handleError(error: Error, connection: Connection): void {
    if (!this.#synced) this.#sync(connection);
    this.#client.query(this.#trailer);
    void this.#fail(error);
  }

  handleCopyInResponse(connection: Connection): void {
    connection.stream.destroy();
    this.#settle.reject(new Error('COPY FROM STDIN has no data here'));
  }

  handleCopyData(): void {
    // What COPY TO STDOUT sends has no place in the answer.
  }

  get #expected(): number {
    return this.#options.statements.length + (this.#options.begin ? 1 : 0);
  }

  #complete(command: string, rowCount: number | null, connection: Connection): void {
    this.#results.push({ ...this.#current, command, rowCount });
    this.#current = emptyResult();
    if (!this.#synced && this.#results.length === this.#expected) void this.#decide(connection);
  }

  async #decide(connection: Connection): Promise<void> {
    const tooLarge = this.#bytes > SIZE_LIMIT;
    if (!tooLarge && (await this.#options.mayCommit?.())) {
      connection.stream.cork();
      this.#commit(connection);
      connection.stream.uncork();
      return;
    }
    // The server rolls back when the connection is gone.
    connection.stream.destroy();
    this.#settle.reject(tooLarge ? new TooLarge() : new NotCommitted());
  }

  /** PostgreSQL reports an error before it has undone the work; the reset comes after that. */
  async #fail(cause: Error): Promise<void> {
    await this.reset.catch(() => undefined);
    this.#settle.reject(cause);
  }

  #commit(connection: Connection): void {
    if (this.#options.begin) write(connection, 'COMMIT');
    this.#sync(connection);
  }

  #sync(connection: Connection): void {
    connection.sync();
    connection.query(RESET);
    this.#synced = true;
  }
}

/** Takes in what the reset answers; it was written with the batch. */
class Trailer implements Submittable {
  readonly done: Promise<void>;
  #settle: { resolve(): void; reject(error: Error): void };

  constructor() {
    const { promise, ...settle } = Promise.withResolvers<void>();
    this.done = promise;
    this.#settle = settle;
  }

  submit(): void {}

  handleRowDescription(): void {}

  handleDataRow(): void {}

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#settle.resolve();
  }

  handleError(error: Error): void {
    this.#settle.reject(error);
  }
}

function write(connection: Connection, text: string, values: Statement['params'] = []): void {
  connection.parse({ name: '', text, types: [] }, true);
  connection.bind({ values }, true);
  connection.describe({ type: 'P', name: '' }, true);
  connection.execute(null, true);
}

function emptyResult(): Result {
  return { fields: [], rows: [], command: '', rowCount: null, rowAsArray: true };
}
