import { type Connection, type QueryOptions, createConnection } from 'mysql2';
import type { Address } from './address.ts';
import { SourceRefused } from './errors.ts';

/** Opens a connection for a piece of work. Errors of MySQL and the network become a `SourceRefused`. */
export async function connected<T>(
  address: Address,
  work: (database: LiveDatabase) => Promise<T>,
): Promise<T> {
  const connection = createConnection({
    ...address,
    charset: 'utf8mb4',
    keepAliveInitialDelay: 30_000,
  });
  const database = new LiveDatabase(connection, address);
  try {
    await database.connect();
    const done = await work(database);
    await connection.promise().end();
    return done;
  } finally {
    connection.destroy();
  }
}

export class LiveDatabase {
  readonly #connection: Connection;
  readonly #address: Address;
  /** Ends the current stream when the connection is lost; the driver doesn't. */
  #lost: (error: Error) => void = () => undefined;

  constructor(connection: Connection, address: Address) {
    this.#connection = connection;
    this.#address = address;
    connection.on('error', (error) => this.#lost(error));
  }

  async connect(): Promise<void> {
    try {
      await this.#connection.promise().connect();
    } catch (error) {
      throw refusal(error, this.#address, 'connecting');
    }
  }

  /** Reads all rows into memory. */
  async all(sql: string, values: readonly unknown[] = []): Promise<readonly string[][]> {
    try {
      const query = { sql, values: [...values], rowsAsArray: true };
      const [rows] = await this.#connection.promise().query(query);
      return rows as string[][];
    } catch (error) {
      throw refusal(error, this.#address, 'reading');
    }
  }

  /** Streams rows. MySQL sends more after these have been taken. */
  async *stream<Value>(query: QueryOptions): AsyncGenerator<readonly Value[]> {
    const rows = this.#connection.query({ ...query, rowsAsArray: true }).stream();
    this.#lost = (error) => rows.destroy(error);
    try {
      for await (const row of rows) yield row as Value[];
    } catch (error) {
      throw refusal(error, this.#address, 'reading');
    }
  }
}

const denied = new Set([
  'ER_ACCESS_DENIED_ERROR',
  'ER_ACCESS_DENIED_NO_PASSWORD_ERROR',
  'ER_COLUMNACCESS_DENIED_ERROR',
  'ER_DBACCESS_DENIED_ERROR',
  'ER_HOST_IS_BLOCKED',
  'ER_HOST_NOT_PRIVILEGED',
  'ER_TABLEACCESS_DENIED_ERROR',
]);

const unreachable = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'ETIMEDOUT',
]);

/** Turns an error of the driver into advice. The driver's message may contain a row's data, so it is dropped. */
function refusal(
  error: unknown,
  address: Address,
  during: 'connecting' | 'reading',
): SourceRefused {
  const { host, port, user, database } = address;
  const { code = 'no code' } = error as NodeJS.ErrnoException;
  const where = `${host}:${port}`;
  if (denied.has(code))
    return new SourceRefused(
      'access',
      `MySQL at ${where} doesn't let ${user} read the database ${database} (${code}). Check the user's name and password, whether it may connect from this machine, and that it has SELECT on all tables of the shop`,
    );
  if (code === 'ER_BAD_DB_ERROR')
    return new SourceRefused(
      'address',
      `There is no database ${database} at ${where}. WordPress has its name in wp-config.php, as DB_NAME`,
    );
  if (during === 'reading')
    return new SourceRefused(
      'connection',
      `Reading the database ${database} at ${where} was interrupted (${code}). Nothing was kept: start again`,
    );
  return new SourceRefused('connection', notConnected(where, code));
}

function notConnected(where: string, code: string): string {
  if (unreachable.has(code))
    return `No MySQL answers at ${where} (${code}). Many shops' databases can be reached only from the shop's machine: open a tunnel (ssh -L), or import a dump`;
  if (code.startsWith('ER_'))
    return `MySQL at ${where} refuses the connection (${code}). Try again later, or import a dump`;
  return `The server at ${where} isn't a MySQL or MariaDB that can be read (${code}). Check the host and the port`;
}
