import { once } from '../../lib/once.ts';
import type { Driver, Fetcher } from './neon.ts';

/**
 * The way to the database behind `url`: its driver, which is loaded with the first trip. Where `endpoint` is given,
 * requests go there and not to the address derived from the url.
 */
export const connect = (url: string, endpoint: Fetcher = globalThis): (() => Promise<Driver>) =>
  once(async () => {
    const { openDriver } = await import('./neon.ts');
    return openDriver(url, endpoint);
  });
