import { once } from '../../lib/once.ts';
import type { Driver, Fetcher } from './neon.ts';

/**
 * Connects to the database behind `url`. The driver is loaded with the first trip. Requests go to `endpoint` if it is
 * given, otherwise to the address derived from the url.
 */
export const connect = (url: string, endpoint: Fetcher = globalThis): (() => Promise<Driver>) =>
  once(async () => {
    const { openDriver } = await import('./neon.ts');
    return openDriver(url, endpoint);
  });
