import { type NeonQueryFunction, neon, neonConfig } from '@neondatabase/serverless';

export type Driver = NeonQueryFunction<boolean, boolean>;

/** Sends HTTP requests; a service binding or `fetch` itself. */
export interface Fetcher {
  fetch(input: string, init?: RequestInit): Promise<Response>;
}

/** A request as the driver makes it. */
interface DriverRequest extends RequestInit {
  headers: Record<string, string>;
}

/** Makes the driver of the database behind `url`, whose requests go to `endpoint`. */
export function openDriver(url: string, endpoint: Fetcher): Driver {
  // The driver has no option for headers beside its own. Only with this one does the proxy give a
  // request a connection that was used before, and so the plans that are kept in it.
  neonConfig.fetchFunction = (input: string, init: DriverRequest) =>
    endpoint.fetch(input, { ...init, headers: { ...init.headers, 'Neon-Pool-Opt-In': 'true' } });
  return neon(url);
}
