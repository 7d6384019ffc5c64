import { Miniflare } from 'miniflare';
import type { MiniflareOptions, WorkerOptions } from 'miniflare';
import { limitsModule, service } from './limits.ts';
import type { WorkerSetup } from './workerd.ts';

export { buildWorker, watchWorker } from './build.ts';
export { runBareWorkerd } from './workerd.ts';
export type { WorkerSetup } from './workerd.ts';

type Config = WorkerOptions['config'];

export interface RunWorkerOptions extends WorkerSetup {
  /** Further bindings, in miniflare's words: R2 buckets, rate limits, assets. */
  env?: NonNullable<Config['env']>;
  /** The directory of the assets binding, and how it is served. */
  assets?: NonNullable<Config['assets']>;
  /** Adds the Durable Object SCHEDULER, of the class `Scheduler` (default false). */
  scheduler?: boolean;
  /** Makes `/cdn-cgi/local/scheduled` run `scheduled()` (default true). */
  triggers?: boolean;
  /** The folder of buckets and Durable Objects (default: none; their data ends with the process). */
  storage?: string;
  log?: (line: string) => void;
  /** Variables in workerd's own environment, which the worker doesn't see. */
  processEnv?: Record<string, string>;
}

export interface RunningWorker {
  /** http://127.0.0.1:PORT */
  url: string;
  port: number;
  /** Replaces the bundle, or other options, on the same port. */
  reload(changes: Partial<RunWorkerOptions>): Promise<void>;
  /**
   * Runs the worker's `scheduled()`.
   * @returns its outcome, "ok" if nothing was thrown
   */
  scheduled(cron: string, scheduledTime?: Date): Promise<string>;
  dispose(): Promise<void>;
}

/**
 * Runs the worker in workerd on 127.0.0.1, within the platform's limits: the variable SUBREQUESTS says how many calls
 * an invocation has. Outgoing requests reach public addresses only; the
 * database is reached through the binding DATABASE_ENDPOINT.
 */
export async function runWorker(options: RunWorkerOptions): Promise<RunningWorker> {
  const miniflare = new Miniflare(miniflareOptions(options));
  const url = await miniflare.ready;
  const port = Number(url.port);
  let current = { ...options, port };
  return {
    url: url.origin,
    port,
    async reload(changes) {
      current = { ...current, ...changes, port };
      await miniflare.setOptions(miniflareOptions(current));
    },
    async scheduled(cron, scheduledTime = new Date()) {
      const worker = await miniflare.getWorker();
      return (await worker.scheduled({ cron, scheduledTime })).outcome;
    },
    dispose: () => miniflare.dispose(),
  };
}

function miniflareOptions(options: RunWorkerOptions): MiniflareOptions {
  const { log, storage, triggers = true } = options;
  return {
    host: '127.0.0.1',
    port: options.port ?? 0,
    cf: false,
    enableDevRegistry: false,
    unsafeTriggerHandlers: triggers,
    ...(options.processEnv && { unsafeRuntimeEnv: options.processEnv }),
    ...(storage && { resourcePersistencePath: storage }),
    ...(log && { handleStructuredLogs: ({ message }) => log(message) }),
    workers: [
      {
        config: mainConfig(options),
        dev: { outboundService: { type: 'worker', worker: 'public-only' } },
      },
      PUBLIC_ONLY,
    ],
  };
}

function mainConfig(options: RunWorkerOptions): Config {
  const { script, bindings, neonUrl, compatibilityDate, compatibilityFlags = [] } = options;
  const { scheduler = false } = options;
  const strings = Object.entries(bindings).map(
    ([name, value]) => [name, { type: 'text', value }] as const,
  );
  return {
    name: 'main',
    compatibilityDate,
    compatibilityFlags: [...compatibilityFlags, 'nodejs_als'],
    manifest: {
      mainModule: 'worker.js',
      modules: {
        'worker.js': esm(limitsModule(Number(bindings['SUBREQUESTS'] ?? 50), scheduler)),
        [service]: esm(script),
      },
    },
    ...(scheduler && {
      exports: { Scheduler: { type: 'durable-object', storage: 'sqlite' } },
    }),
    ...(options.assets && { assets: { ...options.assets, hasUserWorker: true } }),
    env: {
      ...Object.fromEntries(strings),
      DATABASE_ENDPOINT: { type: 'external', address: new URL(neonUrl).host, http: {} },
      ...(options.devOutbound && { DEV_OUTBOUND: { type: 'network', allow: ['local'] } }),
      ...(scheduler && {
        SCHEDULER: { type: 'durable-object', worker: 'main', exportName: 'Scheduler' },
      }),
      ...options.env,
    },
  };
}

/** Miniflare lets a worker's outgoing requests reach private addresses too; this worker refuses them. */
const PUBLIC_ONLY: WorkerOptions = {
  config: {
    name: 'public-only',
    compatibilityDate: '2026-01-01',
    manifest: oneModule('export default { fetch: (request, env) => env.PUBLIC.fetch(request) };'),
    env: {
      PUBLIC: { type: 'network', allow: ['public'], tlsOptions: { trustBrowserCas: true } },
    },
  },
};

function oneModule(contents: string): NonNullable<Config['manifest']> {
  return { mainModule: 'worker.js', modules: { 'worker.js': esm(contents) } };
}

function esm(contents: string) {
  return { type: 'esm', contents } as const;
}
