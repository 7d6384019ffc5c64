import { neon, neonConfig } from '@neondatabase/serverless';
import { Client } from 'pg';
import { inject } from 'vitest';
import { startNeonEndpoint } from '../../src/local/neon/index.ts';
import type { NeonEndpoint, NeonOptions } from '../../src/local/neon/index.ts';

/** A database of its own behind an endpoint, and a way past it. */
export interface NeonDatabase {
  endpoint: NeonEndpoint;
  /** The connection string the driver sends. */
  url: string;
  /** A connection that doesn't go through the endpoint. */
  direct: Client;
  close: () => Promise<void>;
}

/** The PostgreSQL of this run, named as Neon names one: a host and a password. */
export function namedAsNeon(database: string): string {
  const url = new URL(inject('postgresUrl'));
  return `postgres://postgres:secret@localhost:${url.port}/${database}`;
}

/** Starts an endpoint in front of a new, empty database. */
export async function neonDatabase(options?: NeonOptions): Promise<NeonDatabase> {
  const name = `neon_${crypto.randomUUID().replaceAll('-', '')}`;
  const server = new Client(inject('postgresUrl'));
  await server.connect();
  await server.query(`CREATE DATABASE ${name}`);
  const url = namedAsNeon(name);
  const direct = new Client(url);
  await direct.connect();
  const endpoint = await startNeonEndpoint(options);
  return {
    endpoint,
    url,
    direct,
    async close() {
      await endpoint.close();
      await direct.end();
      await server.query(`DROP DATABASE ${name}`);
      await server.end();
    },
  };
}

/**
 * The driver; its trips carry the request id, an abort of the signal disconnects them, and they take
 * part in the pool unless told otherwise.
 */
export function driver(
  { endpoint, url }: Pick<NeonDatabase, 'endpoint' | 'url'>,
  trip: { requestId?: string; signal?: AbortSignal; pooled?: boolean } = {},
) {
  return neon(url, { fetchOptions: { ...trip, endpoint: endpoint.url } });
}

interface FetchOptions extends RequestInit {
  headers: Record<string, string>;
  endpoint: string;
  requestId?: string;
  pooled?: boolean;
}

// In the driver's options, `headers` would replace its own, and the endpoint is everyone's.
neonConfig.fetchFunction = (_url: string, options: FetchOptions) => {
  const { endpoint, requestId, pooled = true, headers, ...init } = options;
  const added = {
    ...(requestId !== undefined && { 'x-request-id': requestId }),
    ...(pooled && { 'Neon-Pool-Opt-In': 'true' }),
  };
  return fetch(endpoint, { ...init, headers: { ...headers, ...added } });
};

export async function caught(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('expected a rejection');
}

/** Asks PostgreSQL again and again, past the endpoint, until it counts `n`. */
export async function until(
  database: Pick<NeonDatabase, 'direct'>,
  query: string,
  n: number,
): Promise<void> {
  const { rows } = await database.direct.query<{ n: number }>(query);
  if (rows[0]?.n !== n) await until(database, query, n);
}
