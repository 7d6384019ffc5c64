import type { Client, Connection, FieldDef, Submittable } from 'pg';
import type { Answer } from './answer.ts';
import type { Statement } from './wire.ts';

/** The statements ran and were rolled back, because a commit was refused. */
export class NotCommitted extends Error {}

export class TooLarge extends Error {}

export interface Work {
  statements: Statement[];
  /** The command that opens the transaction; undefined for a single statement, which is its own transaction. */
  begin?: string | undefined;
  answer: Answer;
  /** Called after all statements, before the commit; absent: commit at once. */
  mayCommit?: (() => Promise<boolean>) | undefined;
}

/**
 * Runs the statements of a request. All are written at once; the commit follows separately only if it depends on a
 * check.
 * @throws PostgreSQL's error, NotCommitted, TooLarge, or the reason why the connection ended
 */
export const run = (client: Client, work: Work): Promise<void> =>
  client.query(new Execution(work)).done;

/**
 * Statements sent through one connection up to a Sync: after an error PostgreSQL skips the rest. Each is the unnamed
 * statement. pg's client calls the `handle…` methods.
 */
class Execution implements Submittable {
  readonly done: Promise<void>;
  #work: Work;
  #settle: { resolve(): void; reject(error: unknown): void };
  /** The number of the current statement: BEGIN comes before the first, COMMIT after the last. */
  #index: number;
  #synced = false;

  constructor(work: Work) {
    const { promise, ...settle } = Promise.withResolvers<void>();
    this.done = promise;
    this.#settle = settle;
    this.#work = work;
    this.#index = work.begin ? -1 : 0;
  }

  submit(connection: Connection): void {
    const { begin, statements, mayCommit } = this.#work;
    connection.stream.cork();
    if (begin) write(connection, { query: begin, params: [] });
    for (const statement of statements) write(connection, statement);
    // The check before the commit runs after all statements.
    if (mayCommit) connection.flush();
    else this.#commit(connection);
    connection.stream.uncork();
  }

  handleRowDescription(message: { fields: FieldDef[] }): void {
    this.#work.answer.begin(message.fields);
  }

  handleDataRow(message: { fields: (string | null)[] }): void {
    this.#work.answer.row(message.fields);
  }

  handleCommandComplete(message: { text: string }, connection: Connection): void {
    this.#complete(message.text, connection);
  }

  handleEmptyQuery(connection: Connection): void {
    this.#complete('', connection);
  }

  handleReadyForQuery(): void {
    if (this.#work.answer.tooLarge) this.#settle.reject(new TooLarge());
    else this.#settle.resolve();
  }

  handleError(error: Error, connection: Connection): void {
    if (!this.#synced) this.#sync(connection);
    this.#settle.reject(error);
  }

  handleCopyInResponse(connection: Connection): void {
    this.#breakOff(connection, new Error('unexpected message from server'));
  }

  handleCopyData(_message: object, connection: Connection): void {
    this.handleCopyInResponse(connection);
  }

  #complete(tag: string, connection: Connection): void {
    const { statements, answer } = this.#work;
    if (this.#index in statements) answer.end(tag);
    this.#index += 1;
    if (this.#index === statements.length && !this.#synced) void this.#decide(connection);
  }

  async #decide(connection: Connection): Promise<void> {
    const { answer, mayCommit } = this.#work;
    if (answer.tooLarge) return this.#breakOff(connection, new TooLarge());
    if (!(await mayCommit?.())) return this.#breakOff(connection, new NotCommitted());
    connection.stream.cork();
    this.#commit(connection);
    connection.stream.uncork();
  }

  #commit(connection: Connection): void {
    if (this.#work.begin) write(connection, { query: 'COMMIT', params: [] });
    this.#sync(connection);
  }

  #sync(connection: Connection): void {
    connection.sync();
    this.#synced = true;
  }

  /** PostgreSQL rolls back when the connection is gone. */
  #breakOff(connection: Connection, cause: unknown): void {
    connection.stream.destroy();
    this.#settle.reject(cause);
  }
}

function write(connection: Connection, { query, params }: Statement): void {
  connection.parse({ name: '', text: query, types: [] }, true);
  connection.describe({ type: 'S', name: '' }, true);
  connection.bind({ values: params }, true);
  connection.execute(null, true);
}
