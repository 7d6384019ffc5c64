import { type NeonQueryFunction, neon, neonConfig } from '@neondatabase/serverless';

export type Driver = NeonQueryFunction<boolean, boolean>;

/** A service binding or `fetch` itself. */
export interface Fetcher {
  fetch(input: string, init?: RequestInit): Promise<Response>;
}

interface DriverRequest extends RequestInit {
  headers: Record<string, string>;
}

export function openDriver(url: string, endpoint: Fetcher): Driver {
  // The driver has no option for this header, which makes the proxy reuse a connection with its
  // cached plans.
  neonConfig.fetchFunction = (input: string, init: DriverRequest) =>
    endpoint.fetch(input, { ...init, headers: { ...init.headers, 'Neon-Pool-Opt-In': 'true' } });
  return neon(url);
}
