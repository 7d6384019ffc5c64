import type { Client, Connection, FieldDef, Submittable } from 'pg';
import type { Answer } from './answer.ts';
import type { Statement } from './wire.ts';

/** The statements ran, and were rolled back since they were not to be committed. */
export class NotCommitted extends Error {}

/** The answer is over the limit. */
export class TooLarge extends Error {}

/** The statements of a request, and the way that a connection executes them. */
export interface Work {
  statements: Statement[];
  /** The command that opens the transaction; undefined: a single statement, its own transaction. */
  begin?: string | undefined;
  /** Takes in what is answered. */
  answer: Answer;
  /** Asked when all statements have run and nothing is committed yet; absent: commit at once. */
  mayCommit?: (() => Promise<boolean>) | undefined;
  /**
   * Pauses before each exchange with PostgreSQL, as the proxy does. Without it everything is written at once, except
   * a commit that needs leave, which is an exchange of its own.
   */
  pause?: (() => Promise<void>) | undefined;
}

/**
 * Runs the statements of a request, in one exchange or two; or as the proxy does: BEGIN and COMMIT are
 * an exchange each, a statement is two.
 * @throws PostgreSQL's error, NotCommitted, TooLarge, or what ended the connection
 */
export async function run(client: Client, work: Work): Promise<void> {
  const { statements, begin, answer, mayCommit, pause } = work;
  if (!pause) return execute(client, work);
  if (begin) {
    await pause();
    await client.query(begin);
  }
  for (const statement of statements) {
    await pause();
    const single = { statements: [statement], answer, pause };
    await execute(client, begin ? single : { ...single, mayCommit });
  }
  if (!begin) return;
  await pause();
  if (mayCommit && !(await mayCommit())) throw new NotCommitted();
  await client.query('COMMIT');
}

const execute = (client: Client, work: Work): Promise<void> =>
  client.query(new Execution(work)).done;

/**
 * Statements on their way through one connection up to a Sync: PostgreSQL skips the rest after an
 * error. Each is the unnamed statement. The `handle…` methods are called by pg's client.
 */
class Execution implements Submittable {
  readonly done: Promise<void>;
  #work: Work;
  #settle: { resolve(): void; reject(error: unknown): void };
  /** The number of the present statement: BEGIN comes before the first, COMMIT after the last. */
  #index: number;
  #synced = false;

  constructor(work: Work) {
    const { promise, ...settle } = Promise.withResolvers<void>();
    this.done = promise;
    this.#settle = settle;
    this.#work = work;
    this.#index = work.begin ? -1 : 0;
  }

  /** Writes everything, or what prepares the one statement that is run after a pause. */
  submit(connection: Connection): void {
    const { begin, statements, pause } = this.#work;
    connection.stream.cork();
    if (pause) {
      for (const statement of statements) prepare(connection, statement);
      connection.flush();
      connection.once('parameterDescription', () => void this.#runPrepared(connection, pause));
    } else {
      if (begin) write(connection, { query: begin, params: [] });
      for (const statement of statements) write(connection, statement);
      this.#end(connection);
    }
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
    connection.removeAllListeners('parameterDescription');
    if (!this.#synced) this.#sync(connection);
    this.#settle.reject(error);
  }

  handleCopyInResponse(connection: Connection): void {
    this.#breakOff(connection, new Error('unexpected message from server'));
  }

  handleCopyData(_message: object, connection: Connection): void {
    this.handleCopyInResponse(connection);
  }

  async #runPrepared(connection: Connection, pause: () => Promise<void>): Promise<void> {
    try {
      await pause();
    } catch (error) {
      return this.#breakOff(connection, error);
    }
    connection.stream.cork();
    for (const statement of this.#work.statements) runPrepared(connection, statement);
    this.#end(connection);
    connection.stream.uncork();
  }

  #complete(tag: string, connection: Connection): void {
    const { statements, answer } = this.#work;
    if (this.#index in statements) answer.end(tag);
    this.#index += 1;
    if (this.#index === statements.length && !this.#synced) void this.#decide(connection);
  }

  /** Ends the last statement: commits, or flushes so that leave can be asked for. */
  #end(connection: Connection): void {
    if (this.#work.mayCommit) connection.flush();
    else this.#commit(connection);
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

function write(connection: Connection, statement: Statement): void {
  prepare(connection, statement);
  runPrepared(connection, statement);
}

function prepare(connection: Connection, { query }: Statement): void {
  connection.parse({ name: '', text: query, types: [] }, true);
  connection.describe({ type: 'S', name: '' }, true);
}

function runPrepared(connection: Connection, { params }: Statement): void {
  connection.bind({ values: params }, true);
  connection.execute(null, true);
}
