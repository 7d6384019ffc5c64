import { connect } from 'node:net';
import { Client, DatabaseError } from 'pg';
import { run } from './execution.ts';
import type { Work } from './execution.ts';

/** The cause says why no connection could be opened. */
export class NoConnection extends Error {}

/** Returns a connection to its initial state, except for its cached plans. */
const RESET = `CLOSE ALL; SET SESSION AUTHORIZATION DEFAULT; RESET ALL; DEALLOCATE ALL;
UNLISTEN *; SELECT pg_advisory_unlock_all(); DISCARD TEMP; DISCARD SEQUENCES`;

interface Backend {
  url: string;
  client: Client;
  /** The key that PostgreSQL requires to cancel a query of this connection. */
  key: { processID: number; secretKey: number };
}

interface Wish {
  url: string;
  /** True if the connection may come from the pool and go back to it. */
  pooled: boolean;
}

interface WaitingRequest {
  wish: Wish;
  take(backend: Promise<Backend>): void;
}

/**
 * Connections to any number of databases, `size` of them at most; further callers queue. Pooled connections are reset
 * between uses. As in the proxy, a connection survives an error in a batch, and is closed when a single statement, or a
 * COMMIT, fails.
 */
export class Pool {
  #size: number;
  #open = new Set<Backend>();
  /** The least recently used connection first. */
  #idle: Backend[] = [];
  /** Connections that are being reset without a caller waiting for them, and whether they are kept. */
  #resetting = new Map<Backend, Promise<boolean>>();
  #line: WaitingRequest[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  /**
   * Runs a request's statements. An abort removes the caller from the queue or cancels the query, but not the commit:
   * the proxy sends COMMIT even if the caller has disconnected.
   * @throws NoConnection, and the errors of `run`
   */
  async run(wish: Wish, work: Work, signal: AbortSignal): Promise<void> {
    const backend = await (this.#available(wish) ?? this.#wait(wish, signal));
    const onAbort = () => cancel(backend);
    signal.addEventListener('abort', onAbort);
    let committing = false;
    const mayCommit = async () => {
      committing = (await work.mayCommit?.()) === true && !signal.aborted;
      if (committing) signal.removeEventListener('abort', onAbort);
      return committing;
    };
    try {
      signal.throwIfAborted();
      await run(backend.client, work.mayCommit ? { ...work, mayCommit } : work);
      void this.#recycle(backend, wish.pooled, signal);
    } catch (error) {
      const intact = work.begin !== undefined && error instanceof DatabaseError && !committing;
      if (work.begin) await backend.client.query('ROLLBACK').catch(() => undefined);
      // PostgreSQL reports an error before the rollback is complete; the caller learns of it afterwards.
      await this.#recycle(backend, wish.pooled && intact, signal);
      throw error;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Closes all connections. Waiting callers get an error. */
  async close(): Promise<void> {
    this.#size = 0;
    const closing = new Error('the endpoint is closing');
    for (const waiting of this.#line.splice(0)) waiting.take(Promise.reject(closing));
    await Promise.all([...this.#open].map((backend) => this.#discard(backend)));
  }

  /** A connection to that database, reused or new, unless all are in use. */
  #available({ url, pooled }: Wish): Promise<Backend> | undefined {
    const used = pooled ? (this.#takeIdle(url) ?? this.#takeResetting(url)) : undefined;
    return used ?? (this.#open.size < this.#size ? this.#connect(url) : undefined);
  }

  #takeIdle(url: string): Promise<Backend> | undefined {
    const index = this.#idle.findLastIndex((backend) => backend.url === url);
    const [backend] = index < 0 ? [] : this.#idle.splice(index, 1);
    return backend && Promise.resolve(backend);
  }

  /** A reset is quicker than a new connection, whose caches are empty. Queued callers go first. */
  #takeResetting(url: string): Promise<Backend> | undefined {
    if (this.#line.length > 0) return undefined;
    for (const [backend, reset] of this.#resetting) {
      if (backend.url !== url) continue;
      this.#resetting.delete(backend);
      return reset.then((isKept) => (isKept ? backend : this.#connect(url)));
    }
    return undefined;
  }

  async #connect(url: string): Promise<Backend> {
    const client = new Client({ connectionString: url });
    const backend: Backend = { url, client, key: { processID: 0, secretKey: 0 } };
    this.#open.add(backend);
    client.connection.on('backendKeyData', (key: Backend['key']) => (backend.key = key));
    // Without a listener, an error of an idle connection would end the process.
    client.on('error', () => void this.#discard(backend));
    try {
      await client.connect();
      return backend;
    } catch (error) {
      void this.#discard(backend);
      throw new NoConnection('no connection to PostgreSQL', { cause: error });
    }
  }

  async #wait(wish: Wish, signal: AbortSignal): Promise<Backend> {
    const { promise, resolve, reject } = Promise.withResolvers<Backend>();
    const waiting: WaitingRequest = { wish, take: resolve };
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

  /** Gives the free connection to the first caller in the queue, closing an idle one if necessary. */
  #serveLine(): void {
    const [first] = this.#line;
    if (!first) return;
    const backend = this.#available(first.wish);
    if (backend) {
      this.#line.shift();
      first.take(backend);
    } else if (this.#idle[0]) {
      void this.#discard(this.#idle[0]);
    }
  }

  /** Resets the connection, and then keeps it for a waiting caller or for later, or closes it. */
  async #recycle(backend: Backend, keep: boolean, signal: AbortSignal): Promise<void> {
    const reset = this.#reset(backend, keep, signal);
    if (keep) this.#resetting.set(backend, reset);
    const isKept = await reset;
    const isFree = this.#resetting.delete(backend);
    if (!isKept || !isFree || !this.#open.has(backend)) return;
    this.#idle.push(backend);
    this.#serveLine();
  }

  /** @returns true if the connection can be reused; otherwise it is discarded */
  async #reset(backend: Backend, keep: boolean, signal: AbortSignal): Promise<boolean> {
    const { client } = backend;
    // PostgreSQL would log a warning if there were no transaction to roll back.
    const open = client.getTransactionStatus() !== 'I';
    const isReset = await client.query(open ? `ROLLBACK; ${RESET}` : RESET).then(
      () => true,
      () => false,
    );
    // A late cancellation would hit the connection's next user.
    const isKept = keep && isReset && !signal.aborted;
    if (!isKept) void this.#discard(backend);
    return isKept;
  }

  async #discard(backend: Backend): Promise<void> {
    if (!this.#open.delete(backend)) return;
    this.#idle = this.#idle.filter((other) => other !== backend);
    this.#serveLine();
    await backend.client.end().catch(() => undefined);
  }
}

/** Sends the protocol's cancel request. */
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
