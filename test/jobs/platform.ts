import { type Services, servicesOf } from '../../src/kernel/deployment/services.ts';
import type { Driver } from '../../src/kernel/database/neon.ts';
import type { Store } from '../harness/store.ts';

/** The platform's limit of calls, counted separately from the service's own budget. */
export class Platform {
  readonly #store: Store;
  readonly #calls: number;
  /** Failed calls beyond the limit of their invocation. */
  failed = 0;

  constructor(store: Store, calls: number) {
    this.#store = store;
    this.#calls = calls;
  }

  /**
   * Begins an invocation. Calls beyond the limit fail, also the one that records an outcome.
   * @param isCareful false for a service that doesn't know the limit
   */
  invocation = async (isCareful = true): Promise<Services> => {
    const deployment = await this.#store.deployment();
    let left = this.#calls;
    const take = () => {
      if (left-- > 0) return;
      this.failed++;
      throw new Error('Too many subrequests by single Worker invocation.');
    };
    const SUBREQUESTS = isCareful ? this.#calls : 1_000_000;
    return servicesOf({
      ...deployment,
      config: { ...deployment.config, SUBREQUESTS },
      database: async () => counted(await deployment.database(), take),
      network: async (url, init) => {
        take();
        return deployment.network(url, init);
      },
    });
  };
}

/** A driver that reports each request: an awaited query, or a transaction. */
function counted(driver: Driver, take: () => void): Driver {
  const query = (...args: Parameters<Driver['query']>) => {
    const promise = driver.query(...args);
    const send = promise.then.bind(promise) as (...handlers: unknown[]) => Promise<unknown>;
    const told = async (...handlers: unknown[]) => {
      try {
        take();
      } catch (error) {
        return Promise.reject(error as Error).then(...(handlers as []));
      }
      return send(...handlers);
    };
    // oxlint-disable-next-line unicorn/no-thenable -- the driver sends a query once it is awaited
    return Object.defineProperty(promise, 'then', { value: told });
  };
  const transaction = async (...args: Parameters<Driver['transaction']>) => {
    take();
    return driver.transaction(...args);
  };
  return Object.assign((() => {}) as unknown as Driver, { query, transaction });
}
