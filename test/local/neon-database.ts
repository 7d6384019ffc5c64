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
  close(): Promise<void>;
}

/** Starts an endpoint in front of a new, empty database. */
export async function neonDatabase(options?: NeonOptions): Promise<NeonDatabase> {
  const name = `neon_${crypto.randomUUID().replaceAll('-', '')}`;
  const server = new Client(inject('postgresUrl'));
  await server.connect();
  await server.query(`CREATE DATABASE ${name}`);
  const url = new URL(inject('postgresUrl'));
  url.pathname = name;
  const direct = new Client(url.href);
  await direct.connect();
  const endpoint = await startNeonEndpoint(options);
  return {
    endpoint,
    url: url.href,
    direct,
    async close() {
      await endpoint.close();
      await direct.end();
      await server.query(`DROP DATABASE ${name}`);
      await server.end();
    },
  };
}

/** The driver; its trips carry the request id, and an abort of the signal disconnects them. */
export function driver(
  { endpoint, url }: Pick<NeonDatabase, 'endpoint' | 'url'>,
  trip: { requestId?: string; signal?: AbortSignal } = {},
) {
  return neon(url, { fetchOptions: { ...trip, endpoint: endpoint.url } });
}

interface FetchOptions extends RequestInit {
  headers: Record<string, string>;
  endpoint: string;
  requestId?: string;
}

// In the driver's options, `headers` would replace its own, and the endpoint is everyone's.
neonConfig.fetchFunction = (_url: string, options: FetchOptions) => {
  const { endpoint, requestId, headers, ...init } = options;
  const id = requestId === undefined ? {} : { 'x-request-id': requestId };
  return fetch(endpoint, { ...init, headers: { ...headers, ...id } });
};

/** What the promise rejects with. */
export async function caught(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('expected a rejection');
}

/** Asks PostgreSQL again and again, past the endpoint, until it counts `n`. */
export async function until(database: NeonDatabase, query: string, n: number): Promise<void> {
  const { rows } = await database.direct.query<{ n: number }>(query);
  if (rows[0]?.n !== n) await until(database, query, n);
}
