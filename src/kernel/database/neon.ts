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
  // The driver has no option for further headers. Only with this one does the proxy reuse a connection for a request,
  // and with it the plans that the connection keeps.
  neonConfig.fetchFunction = (input: string, init: DriverRequest) =>
    endpoint.fetch(input, { ...init, headers: { ...init.headers, 'Neon-Pool-Opt-In': 'true' } });
  return neon(url);
}
