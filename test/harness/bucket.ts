import { randomUUID } from 'node:crypto';
import { Miniflare } from 'miniflare';
import type { Bucket } from '../../src/kernel/deployment/files.ts';

let simulated: Promise<Bucket> | undefined;

/**
 * A part of the platform's own simulator of an R2 bucket, in memory. The simulator takes a second to start: the stores
 * of a process share it from its first use on, and it ends with the process.
 */
export class LocalBucket implements Bucket {
  readonly #own = `${randomUUID()}/`;

  put: Bucket['put'] = async (key, ...file) => (await bucket()).put(this.#own + key, ...file);
  get: Bucket['get'] = async (key) => (await bucket()).get(this.#own + key);
  delete: Bucket['delete'] = async (keys) =>
    (await bucket()).delete(keys.map((key) => this.#own + key));
}

function bucket(): Promise<Bucket> {
  simulated ??= start();
  return simulated;
}

async function start(): Promise<Bucket> {
  const contents = 'export default { fetch: () => new Response() };';
  const simulator = new Miniflare({
    cf: false,
    enableDevRegistry: false,
    workers: [
      {
        config: {
          name: 'main',
          compatibilityDate: '2026-10-20',
          manifest: {
            mainModule: 'worker.js',
            modules: { 'worker.js': { type: 'esm', contents } },
          },
          env: { MEDIA: { type: 'r2', name: 'media' } },
        },
      },
    ],
  });
  const found: unknown = await simulator.getR2Bucket('MEDIA');
  return found as Bucket;
}
