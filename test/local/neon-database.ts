import { neon, neonConfig } from '@neondatabase/serverless';
import { Client } from 'pg';
import { inject } from 'vitest';
import { startNeonEndpoint } from '../../src/local/neon/index.ts';
import type { NeonEndpoint, NeonOptions } from '../../src/local/neon/index.ts';

/** A database behind an endpoint, with a direct connection. */
export interface NeonDatabase {
  endpoint: NeonEndpoint;
  url: string;
  /** A connection that bypasses the endpoint. */
  direct: Client;
  close: () => Promise<void>;
}

/** The PostgreSQL of this run in the form of Neon's addresses: a host and a password. */
export function namedAsNeon(database: string): string {
  const url = new URL(inject('postgresUrl'));
  return `postgres://postgres:secret@localhost:${url.port}/${database}`;
}

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

/** The driver. Its trips carry the request id, end when the signal is aborted, and use the pool by default. */
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

// The driver's option `headers` would replace its own headers, and the endpoint is shared.
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

/** Queries PostgreSQL repeatedly, past the endpoint, until it counts `n`. */
export async function until(
  database: Pick<NeonDatabase, 'direct'>,
  query: string,
  n: number,
): Promise<void> {
  const { rows } = await database.direct.query<{ n: number }>(query);
  if (rows[0]?.n !== n) await until(database, query, n);
}
