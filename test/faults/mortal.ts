import { createApp } from '../../src/app.ts';
import { type Services, servicesOf } from '../../src/kernel/deployment/services.ts';
import type { Outbound } from '../../src/kernel/events/outbound.ts';
import { type Store, baseUrl } from '../harness/store.ts';

/**
 * The fate of a worker at one of its steps, which are its trips to the database and its requests to providers:
 * `killed` = the step takes effect, and nothing after it happens · `not done` = the step fails, and the worker goes
 * on · `not told` = the step takes effect, but the worker sees a failure, and goes on.
 */
export interface Mishap {
  /** Counted from 1; 0 kills the worker before its first step. */
  readonly step: number;
  readonly kind: 'killed' | 'not done' | 'not told';
}

/** A worker in its own lifetime. */
export interface Worker {
  readonly services: Services;
  readonly fetch: (request: Request) => Promise<Response>;
}

/**
 * A worker of a store.
 * @param altered changes its calls to providers
 */
export async function workerOf(
  store: Store,
  altered: (outbound: Outbound) => Outbound,
): Promise<Worker> {
  const deployment = await store.deployment();
  const own = { ...deployment, network: altered(deployment.network) };
  let app: ReturnType<typeof createApp> | undefined;
  const fetch = async (request: Request) => {
    app ??= createApp(own, () => {});
    return app.fetch(request, {}, store.context);
  };
  return { services: servicesOf(own), fetch };
}

/**
 * Runs a worker with a mishap.
 * @returns the number of its steps
 */
export async function befallen(
  store: Store,
  mishap: Mishap | undefined,
  work: (worker: Worker) => Promise<unknown>,
): Promise<number> {
  let steps = 0;
  const next = (): 'done' | 'not done' | 'not told' => {
    steps += 1;
    if (!mishap || steps < mishap.step) return 'done';
    if (mishap.kind !== 'killed') return steps === mishap.step ? mishap.kind : 'done';
    return steps === mishap.step ? 'not told' : 'not done';
  };
  const { faults } = store.neon;
  let fate: ReturnType<typeof next>;
  // The first fault draws the fate of a trip; the second one uses it.
  const draw = () => {
    fate = next();
    return fate === 'not done';
  };
  faults.next({ match: draw, times: Infinity, cut: 'before parse' });
  faults.next({ match: () => fate === 'not told', times: Infinity, cut: 'after commit' });
  const worker = await workerOf(store, (send) => async (url, init) => {
    const end = next();
    if (end === 'not done') throw new TypeError('fetch failed');
    const response = await send(url, init);
    if (end === 'done') return response;
    await response.body?.cancel();
    throw new TypeError('terminated');
  });
  try {
    await work(worker);
  } catch (error) {
    if (!mishap) throw error;
  } finally {
    faults.clear();
  }
  return steps;
}

/** All points at which a worker with so many steps can die. */
export const deaths = (steps: number): Mishap[] =>
  Array.from({ length: steps + 1 }, (_, step) => ({ step, kind: 'killed' }));

/** All mishaps that a worker with so many steps survives. */
export const hiccups = (steps: number): Mishap[] =>
  deaths(steps)
    .slice(1)
    .flatMap(({ step }) => [
      { step, kind: 'not done' },
      { step, kind: 'not told' },
    ]);

export const apiBase = `${baseUrl}/api/svc/v1`;
