import { connect } from 'node:net';
import { Client } from 'pg';
import { Batch } from './batch.ts';
import type { BatchOptions, Result } from './batch.ts';

/** One connection to PostgreSQL. */
interface Backend {
  url: string;
  client: Client;
  /** What PostgreSQL wants to see in order to cancel a query of this connection. */
  key: { processID: number; secretKey: number };
}

interface Waiting {
  url: string;
  take(backend: Promise<Backend>): void;
}

/**
 * Connections to any number of databases, `size` of them at most; callers beyond wait in line. A
 * connection is reset between uses and thrown away after an error.
 */
export class Pool {
  #size: number;
  #open = new Set<Backend>();
  /** The least recently used first. */
  #idle: Backend[] = [];
  #line: Waiting[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  /**
   * Runs the statements. An abort takes the caller out of the line, or cancels its query.
   * @throws what Batch.done rejects with, or what kept the connection from opening
   */
  async run(url: string, options: BatchOptions, signal: AbortSignal): Promise<Result[]> {
    const backend = await (this.#available(url) ?? this.#wait(url, signal));
    const onAbort = () => cancel(backend);
    signal.addEventListener('abort', onAbort);
    try {
      signal.throwIfAborted();
      const batch = backend.client.query(new Batch(backend.client, options));
      const results = await batch.done;
      void this.#recycle(backend, batch.reset, signal);
      return results;
    } catch (error) {
      // An error after a savepoint leaves the rest of the transaction open.
      if (options.begin) await backend.client.query('ROLLBACK').catch(() => undefined);
      void this.#discard(backend);
      throw error;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Ends all connections; whoever is waiting gets an error. */
  async close(): Promise<void> {
    this.#size = 0;
    const closing = new Error('the endpoint is closing');
    for (const waiting of this.#line.splice(0)) waiting.take(Promise.reject(closing));
    await Promise.all([...this.#open].map((backend) => this.#discard(backend)));
  }

  /** A connection to that database, idle or new, unless all are in use. */
  #available(url: string): Promise<Backend> | undefined {
    const index = this.#idle.findLastIndex((backend) => backend.url === url);
    const [backend] = index < 0 ? [] : this.#idle.splice(index, 1);
    if (backend) return Promise.resolve(backend);
    return this.#open.size < this.#size ? this.#connect(url) : undefined;
  }

  async #connect(url: string): Promise<Backend> {
    const client = new Client({ connectionString: url });
    const backend: Backend = { url, client, key: { processID: 0, secretKey: 0 } };
    this.#open.add(backend);
    client.connection.on('backendKeyData', (key: Backend['key']) => (backend.key = key));
    // Without a listener, a connection that ends while nobody uses it would end the process.
    client.on('error', () => void this.#discard(backend));
    try {
      await client.connect();
      return backend;
    } catch (error) {
      void this.#discard(backend);
      throw error;
    }
  }

  async #wait(url: string, signal: AbortSignal): Promise<Backend> {
    const { promise, resolve, reject } = Promise.withResolvers<Backend>();
    const waiting: Waiting = { url, take: resolve };
    const leave = () => {
      this.#line = this.#line.filter((other) => other !== waiting);
      reject(new Error('the caller left the line'));
    };
    signal.addEventListener('abort', leave);
    this.#line.push(waiting);
    this.#serveLine();
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  /** Gives the first in line what has become free, if need be by closing an idle connection. */
  #serveLine(): void {
    const [first] = this.#line;
    if (!first) return;
    const backend = this.#available(first.url);
    if (backend) {
      this.#line.shift();
      first.take(backend);
    } else if (this.#idle[0]) {
      void this.#discard(this.#idle[0]);
    }
  }

  async #recycle(backend: Backend, reset: Promise<void>, signal: AbortSignal): Promise<void> {
    const isReset = await reset.then(
      () => true,
      () => false,
    );
    // A cancellation that comes late would hit whoever has the connection next.
    if (!isReset || signal.aborted) return this.#discard(backend);
    if (!this.#open.has(backend)) return undefined;
    this.#idle.push(backend);
    return this.#serveLine();
  }

  async #discard(backend: Backend): Promise<void> {
    if (!this.#open.delete(backend)) return;
    this.#idle = this.#idle.filter((other) => other !== backend);
    this.#serveLine();
    await backend.client.end().catch(() => undefined);
  }
}

/** Asks PostgreSQL to stop what the connection is doing, by its protocol's cancel request. */
function cancel({ client, key }: Backend): void {
  const request = Buffer.alloc(16);
  request.writeInt32BE(16, 0);
  request.writeInt32BE(80877102, 4);
  request.writeInt32BE(key.processID, 8);
  request.writeInt32BE(key.secretKey, 12);
  const { host, port } = client;
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  socket.on('error', () => socket.destroy());
  socket.end(request);
}
