import { isIP } from 'node:net';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import * as z from 'zod';
import type { Cut } from './faults.ts';

/** The largest body, and the size of an answer up to which another row is added, in bytes. */
export const SIZE_LIMIT = 10 * 1024 * 1024;

/** A text that UTF-8 can encode: the proxy's JSON has no lone surrogates. */
const Text = z.string().refine((text) => text.isWellFormed(), 'has a lone surrogate');

/** One SQL command with its parameters, all in PostgreSQL's text form. */
export type Statement = z.infer<typeof Statement>;
const Statement = z.object({
  query: Text,
  params: z.array(z.union([Text, z.null()])).default([]),
});
const Body = z.union([z.object({ queries: z.array(Statement) }), Statement]);

export interface SqlRequest {
  connectionString: string;
  /** The id of the service's own request that made this trip. */
  requestId: string | undefined;
  statements: Statement[];
  /** The transaction a batch runs in; undefined for a single statement. */
  transaction: Transaction | undefined;
  pooled: boolean;
}

export interface Transaction {
  isolationLevel: IsolationLevel | undefined;
  readOnly: boolean;
  deferrable: boolean;
}

/** The rows of a request, and whether its connection breaks while they are sent. */
export interface Answered {
  headers: Record<string, string>;
  body: Buffer;
  cut: Cut | undefined;
}

/** An answer that refuses; with status 0 the connection breaks instead. */
export interface Refused {
  status: number;
  body: object | string;
}

/** An answer other than 200. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: object | string;

  constructor(status: number, body: object | string) {
    super(typeof body === 'string' ? body : JSON.stringify(body));
    this.status = status;
    this.body = body;
  }
}

/** The whole body; over the limit: 413. */
export function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size <= SIZE_LIMIT) chunks.push(chunk);
    });
    request.on('end', () => {
      if (size <= SIZE_LIMIT) resolve(Buffer.concat(chunks));
      else reject(refusal(413, `request is too large (max is ${SIZE_LIMIT} bytes)`));
    });
    request.on('error', reject);
  });
}

/** Parses a request to `/sql`. The content type is ignored; an unreadable body is a 400. */
export function parseRequest(headers: IncomingHttpHeaders, body: Buffer): SqlRequest {
  const connectionString = readConnectionString(headers);
  const transaction = readTransaction(headers);
  const parsed = Body.safeParse(parseJson(body));
  if (!parsed.success) throw unreadable(z.prettifyError(parsed.error));
  const asked = {
    connectionString,
    requestId: header(headers, 'x-request-id'),
    pooled: isTrue(headers, 'neon-pool-opt-in'),
  };
  return 'queries' in parsed.data
    ? { ...asked, statements: parsed.data.queries, transaction }
    : { ...asked, statements: [parsed.data], transaction: undefined };
}

/** The connection string, if Neon could have issued it. */
function readConnectionString(headers: IncomingHttpHeaders): string {
  const given = header(headers, 'neon-connection-string');
  if (given === undefined) throw refusal(400, 'invalid header: neon-connection-string');
  const url = URL.parse(given);
  if (!url) throw refusal(400, 'invalid connection string');
  if (!/^postgres(ql)?:$/.test(url.protocol)) throw refusal(400, 'incorrect scheme');
  if (!url.username) throw refusal(400, 'missing username');
  if (!url.password) throw refusal(400, 'missing authentication credentials: required password');
  if (!url.hostname || isIP(url.hostname.replace(/^\[|\]$/g, '')))
    throw refusal(400, 'missing hostname');
  return given;
}

type IsolationLevel = keyof typeof ISOLATION;
const ISOLATION = {
  ReadUncommitted: ' ISOLATION LEVEL READ UNCOMMITTED',
  ReadCommitted: ' ISOLATION LEVEL READ COMMITTED',
  RepeatableRead: ' ISOLATION LEVEL REPEATABLE READ',
  Serializable: ' ISOLATION LEVEL SERIALIZABLE',
} as const;

const isIsolationLevel = (level: string): level is IsolationLevel =>
  Object.hasOwn(ISOLATION, level);

function readTransaction(headers: IncomingHttpHeaders): Transaction {
  const isolationLevel = header(headers, 'neon-batch-isolation-level');
  if (isolationLevel !== undefined && !isIsolationLevel(isolationLevel))
    throw refusal(400, 'invalid isolation level');
  return {
    isolationLevel,
    readOnly: isTrue(headers, 'neon-batch-read-only'),
    deferrable: isTrue(headers, 'neon-batch-deferrable'),
  };
}

export function beginCommand({ isolationLevel, readOnly, deferrable }: Transaction): string {
  const level = isolationLevel ? ISOLATION[isolationLevel] : '';
  return `START TRANSACTION${level}${readOnly ? ' READ ONLY' : ''}${deferrable ? ' DEFERRABLE' : ''}`;
}

/** The headers of a batch's answer that repeat its transaction options. */
export function echoedHeaders({
  isolationLevel,
  readOnly,
  deferrable,
}: Transaction): Record<string, string> {
  return {
    ...(isolationLevel && { 'neon-batch-isolation-level': isolationLevel }),
    ...(readOnly && { 'neon-batch-read-only': 'true' }),
    ...(deferrable && { 'neon-batch-deferrable': 'true' }),
  };
}

const ERROR_FIELDS = [
  'code',
  'detail',
  'hint',
  'position',
  'internalPosition',
  'internalQuery',
  'severity',
  'where',
  'table',
  'column',
  'schema',
  'dataType',
  'constraint',
  'file',
  'line',
  'routine',
] as const;

export type PostgresFault = { message: string } & Partial<
  Record<(typeof ERROR_FIELDS)[number], string | undefined>
>;

/** The body of an error: PostgreSQL's own, or one with only a message. */
export function errorBody(error: PostgresFault): Record<string, string | null> {
  const fields = ERROR_FIELDS.map((field) => [field, error[field] ?? null]);
  return { message: error.message, ...Object.fromEntries(fields) };
}

export const refusal = (status: number, message: string): Refusal =>
  new Refusal(status, errorBody({ message }));

const unreadable = (reason: string) =>
  refusal(400, `could not parse the HTTP request body: ${reason}`);

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch (error) {
    throw unreadable(String(error));
  }
}

function header(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function isTrue(headers: IncomingHttpHeaders, name: string): boolean {
  return header(headers, name) === 'true';
}
