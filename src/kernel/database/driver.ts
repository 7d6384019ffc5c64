import type { NeonQueryFunction } from '@neondatabase/serverless';
import { once } from '../../lib/once.ts';

export type Driver = NeonQueryFunction<boolean, boolean>;

/** Sends HTTP requests; a service binding or `fetch` itself. */
export interface Fetcher {
  fetch(input: string, init?: RequestInit): Promise<Response>;
}

/** A request as the driver makes it. */
interface DriverRequest extends RequestInit {
  headers: Record<string, string>;
}

/**
 * The way to the database behind `url`: its driver, which is loaded with the first trip. Where `endpoint` is given,
 * requests go there and not to the address derived from the url.
 */
export const connect = (url: string, endpoint: Fetcher = globalThis): (() => Promise<Driver>) =>
  once(async () => {
    const { neon, neonConfig } = await import('@neondatabase/serverless');
    // The driver has no option for headers beside its own. Only with this one does the proxy give a
    // request a connection that was used before, and so the plans that are kept in it.
    neonConfig.fetchFunction = (input: string, init: DriverRequest) =>
      endpoint.fetch(input, { ...init, headers: { ...init.headers, 'Neon-Pool-Opt-In': 'true' } });
    return neon<boolean, boolean>(url);
  });
