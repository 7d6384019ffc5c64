import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import * as z from 'zod';

/** Largest body and largest result, in bytes. */
export const SIZE_LIMIT = 10 * 1024 * 1024;

/** One SQL command with its parameters, all of them PostgreSQL's own text. */
export type Statement = z.infer<typeof Statement>;
const Statement = z.object({
  query: z.string(),
  params: z.array(z.union([z.string(), z.null()])).default([]),
});
const Body = z.union([z.object({ queries: z.array(Statement) }), Statement]);

/** What one request asks for. */
export interface SqlRequest {
  connectionString: string;
  /** The id of the service's own request this trip belongs to. */
  requestId: string | undefined;
  statements: Statement[];
  /** The command that opens the transaction of a batch; undefined for a single statement. */
  begin: string | undefined;
  readOnly: boolean;
}

/** An answer other than 200, with a body of JSON (an object) or of text. */
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
export function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size <= SIZE_LIMIT) chunks.push(chunk);
    });
    request.on('end', () => {
      if (size <= SIZE_LIMIT) resolve(Buffer.concat(chunks).toString());
      else reject(new Refusal(413, 'request is too large (max is 10485760 bytes)'));
    });
    request.on('error', reject);
  });
}

/** Reads a request to `/sql`. The content type plays no part; what can't be read is a 400. */
export function parseRequest(headers: IncomingHttpHeaders, body: string): SqlRequest {
  const connectionString = header(headers, 'neon-connection-string');
  if (!connectionString) throw badRequest('missing header Neon-Connection-String');
  const parsed = Body.safeParse(parseJson(body));
  if (!parsed.success) throw badRequest(z.prettifyError(parsed.error));
  const requestId = header(headers, 'x-request-id');
  if (!('queries' in parsed.data)) {
    const statements = [parsed.data];
    return { connectionString, requestId, statements, begin: undefined, readOnly: false };
  }
  return {
    connectionString,
    requestId,
    statements: parsed.data.queries,
    begin: beginCommand(headers),
    readOnly: isTrue(headers, 'neon-batch-read-only'),
  };
}

const ISOLATION: Readonly<Record<string, string>> = {
  ReadUncommitted: ' ISOLATION LEVEL READ UNCOMMITTED',
  ReadCommitted: ' ISOLATION LEVEL READ COMMITTED',
  RepeatableRead: ' ISOLATION LEVEL REPEATABLE READ',
  Serializable: ' ISOLATION LEVEL SERIALIZABLE',
};

function beginCommand(headers: IncomingHttpHeaders): string {
  const asked = header(headers, 'neon-batch-isolation-level');
  const level = asked === undefined ? '' : ISOLATION[asked];
  if (level === undefined) throw badRequest(`invalid isolation level ${asked}`);
  const readOnly = isTrue(headers, 'neon-batch-read-only') ? ' READ ONLY' : '';
  const deferrable = isTrue(headers, 'neon-batch-deferrable') ? ' DEFERRABLE' : '';
  return `START TRANSACTION${level}${readOnly}${deferrable}`;
}

const ECHOED = ['neon-batch-isolation-level', 'neon-batch-read-only', 'neon-batch-deferrable'];

/** The headers of a batch that its answer repeats. */
export function echoedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const echoed: Record<string, string> = {};
  for (const name of ECHOED) {
    const value = header(headers, name);
    if (value !== undefined) echoed[name] = value;
  }
  return echoed;
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

/** The fields of PostgreSQL's error, as far as it has them. */
export type PostgresFault = { message: string } & Partial<
  Record<(typeof ERROR_FIELDS)[number], string | undefined>
>;

/** The body of the 400 that stands for an error of PostgreSQL. */
export function errorBody(error: PostgresFault): Record<string, string | null> {
  const fields = ERROR_FIELDS.map((field) => [field, error[field] ?? null]);
  return { message: error.message, ...Object.fromEntries(fields) };
}

function badRequest(message: string): Refusal {
  return new Refusal(400, errorBody({ message }));
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw badRequest('the body is not JSON');
  }
}

function header(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function isTrue(headers: IncomingHttpHeaders, name: string): boolean {
  return header(headers, name) === 'true';
}
