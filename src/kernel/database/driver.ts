import { once } from '../../lib/once.ts';
import type { Driver, Fetcher } from './neon.ts';

/**
 * The driver of the database behind `url`, loaded with the first trip. With `endpoint`, requests go there instead of
 * the address derived from the url.
 */
export const connect = (url: string, endpoint: Fetcher = globalThis): (() => Promise<Driver>) =>
  once(async () => {
    const { openDriver } = await import('./neon.ts');
    return openDriver(url, endpoint);
  });
