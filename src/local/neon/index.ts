import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { Answer } from './answer.ts';
import { NotCommitted, TooLarge, type Work } from './execution.ts';
import { Faults, Trips, type ActiveFault, type Trip } from './faults.ts';
import { NoConnection, Pool } from './pool.ts';
import { type DriverRequest, within } from './within.ts';
import {
  type Answered,
  Refusal,
  type Refused,
  SIZE_LIMIT,
  beginCommand,
  echoedHeaders,
  errorBody,
  parseRequest,
  readBody,
  refusal,
  type SqlRequest,
} from './wire.ts';

export interface NeonOptions {
  /** The PostgreSQL that a request's connection string stands for (default: the string itself). */
  resolve?: (connectionString: string) => string;
  /** Port on 127.0.0.1 (default: any free one). */
  port?: number;
  /** The largest number of connections to PostgreSQL; further callers queue (default 100). */
  poolSize?: number;
}

export interface NeonEndpoint {
  /** http://127.0.0.1:PORT/sql, the value of the driver's `fetchEndpoint`. */
  url: string;
  port: number;
  /** Answers a request of the driver within the process, as `fetch` of the address would. */
  fetch(request: DriverRequest): Promise<Response>;
  close(): Promise<void>;
  faults: Faults;
  trips: Trips;
}

/**
 * Starts Neon's HTTP interface (`POST /sql`) in front of a real PostgreSQL, so that the driver runs unchanged on one
 * machine.
 */
export async function startNeonEndpoint(options: NeonOptions = {}): Promise<NeonEndpoint> {
  const { resolve = (url: string) => url, poolSize = 100 } = options;
  const pool = new Pool(poolSize);
  const faults = new Faults();
  const trips = new Trips();

  async function answer(asked: SqlRequest, gone: AbortSignal): Promise<Answered> {
    const { connectionString, statements, transaction, pooled } = asked;
    const trip = tripOf(asked, trips);
    const active = faults.take(trip);
    if (active) await beforeRunning(active, trip, gone);
    const begin = transaction && beginCommand(transaction);
    const rows = new Answer(begin !== undefined);
    const mayCommit = commitCheck(asked, active, trip, gone);
    const work = { statements, begin, answer: rows, mayCommit };
    await pool.run({ url: resolve(connectionString), pooled }, work, gone);
    const cut = active?.fault.cut;
    if (cut === 'after commit') throw new Disconnected();
    return { headers: transaction ? echoedHeaders(transaction) : {}, body: rows.toBuffer(), cut };
  }

  async function sql(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = abortedOnDisconnect(response);
    if (request.method !== 'POST' || request.url !== '/sql')
      throw refusal(400, 'query is not supported');
    const asked = parseRequest(request.headers, await readBody(request));
    send(response, await answer(asked, gone));
  }

  const server = createServer((request, response) => {
    sql(request, response).catch((error: unknown) => refuse(response, error));
  });
  // The worker keeps its connections: closing an idle one can collide with its next request.
  server.keepAliveTimeout = 0;
  server.requestTimeout = 0;
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the endpoint has no port');

  return {
    url: `http://127.0.0.1:${address.port}/sql`,
    port: address.port,
    faults,
    trips,
    fetch: (request) => within(request, answer, refusalFor),
    async close() {
      faults.clear();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await Promise.all([closed, pool.close()]);
    },
  };
}

function abortedOnDisconnect(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.on('close', () => {
    if (!response.writableFinished) gone.abort(new Disconnected());
  });
  return gone.signal;
}

/** The caller has disconnected, or should see a disconnect. */
class Disconnected extends Error {}

function tripOf({ requestId, statements, transaction }: SqlRequest, trips: Trips): Trip {
  const ofRequest = trips.count(requestId);
  return {
    number: trips.total,
    requestId,
    ofRequest,
    statements: statements.map(({ query }) => query),
    parameters: statements.flatMap(({ params }) => params),
    batch: transaction !== undefined,
  };
}

async function beforeRunning(active: ActiveFault, trip: Trip, gone: AbortSignal): Promise<void> {
  const { delay, cut, answer, sqlState, hold } = active.fault;
  if (!hold) active.reach(trip);
  if (delay) await wait(delay, undefined, { signal: gone });
  if (cut === 'before parse') throw new Disconnected();
  if (answer) throw new Refusal(answer.status, answer.body);
  if (sqlState) {
    const message = `injected error ${sqlState}`;
    throw new Refusal(400, errorBody({ message, code: sqlState, severity: 'ERROR' }));
  }
}

/**
 * Returns the check before the commit: for a fault and, for writes, for a caller who may have disconnected. Reads and
 * single statements are committed at once.
 */
function commitCheck(
  { transaction }: SqlRequest,
  active: ActiveFault | undefined,
  trip: Trip,
  gone: AbortSignal,
): Work['mayCommit'] {
  const { hold, cut } = active?.fault ?? {};
  if (active && (hold || cut === 'before commit'))
    return async () => {
      if (hold) {
        active.reach(trip);
        await Promise.race([active.released, once(gone, 'abort')]);
      }
      return cut !== 'before commit';
    };
  return transaction && !transaction.readOnly ? async () => true : undefined;
}

function send(response: ServerResponse, { headers, body, cut }: Answered): void {
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': body.byteLength,
    ...headers,
  });
  if (cut === 'mid body')
    response.write(body.subarray(0, body.byteLength / 2), () => response.destroy());
  else response.end(body);
}

function refuse(response: ServerResponse, error: unknown): void {
  const { status, body } = refusalFor(error);
  if (status === 0) {
    response.destroy();
  } else if (typeof body === 'string') {
    response.writeHead(status, { 'content-type': 'text/plain' }).end(body);
  } else {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }
}

function refusalFor(error: unknown): Refused {
  if (error instanceof Refusal) return error;
  if (error instanceof DatabaseError) return { status: 400, body: errorBody(error) };
  if (error instanceof NoConnection) return connectionRefusal(error.cause);
  if (error instanceof TooLarge)
    return refusal(507, `response is too large (max is ${SIZE_LIMIT} bytes)`);
  if (error instanceof Disconnected || error instanceof NotCommitted)
    return { status: 0, body: '' };
  if (error instanceof Error && error.name === 'AbortError') return { status: 0, body: '' };
  // The proxy also answers 400 for a connection that ended, although the outcome is unknown.
  return refusal(400, error instanceof Error ? error.message : String(error));
}

/** Only a wrong database or password is the caller's mistake, and the proxy checks the password itself. */
function connectionRefusal(cause: unknown): Refusal {
  if (!(cause instanceof DatabaseError)) return refusal(500, "Couldn't connect to compute node");
  if (cause.code === '28P01') return refusal(400, cause.message);
  return new Refusal(cause.code === '3D000' ? 400 : 500, errorBody(cause));
}
