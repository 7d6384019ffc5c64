import type { Config } from '../../config.ts';
import { isLoopback } from './safe-url.ts';

/** Most requests under way at once: the platform allows six connections, and one is the database's. */
export const lanes = 5;

/** Sends a request to another server. */
export type Outbound = (url: string, init: RequestInit) => Promise<Response>;

/**
 * The one way requests leave the service. The platform lets them reach public addresses only; in
 * development the binding DEV_OUTBOUND takes those to this machine.
 */
export const outboundOf =
  ({ DEV_OUTBOUND }: Config): Outbound =>
  (url, init) =>
    DEV_OUTBOUND && isLoopback(url) ? DEV_OUTBOUND.fetch(url, init) : fetch(url, init);
