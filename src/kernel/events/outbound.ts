import type { Config } from '../../config.ts';
import type { Budget } from '../budget.ts';
import { isLoopback } from './safe-url.ts';

/** The most parallel requests: the platform allows six connections, and one is the database's. */
export const lanes = 5;

export type Outbound = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Sends the service's requests. The platform reaches public addresses only. In development, the binding DEV_OUTBOUND
 * takes requests to this machine.
 */
export const networkOf =
  ({ DEV_OUTBOUND }: Config): Outbound =>
  (url, init) =>
    DEV_OUTBOUND && isLoopback(url) ? DEV_OUTBOUND.fetch(url, init) : fetch(url, init);

/** Counts the requests of one invocation. */
export const counted =
  (network: Outbound, budget: Budget): Outbound =>
  async (url, init) => {
    budget.takeRequest();
    return network(url, init);
  };
