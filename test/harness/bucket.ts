import { Miniflare } from 'miniflare';
import type { Bucket } from '../../src/kernel/deployment/files.ts';

/** The platform's own simulator of an R2 bucket, in memory; it starts with its first use. */
export class LocalBucket implements Bucket {
  #started: Promise<{ simulator: Miniflare; bucket: Bucket }> | undefined;

  put: Bucket['put'] = async (...file) => (await this.#bucket()).put(...file);
  get: Bucket['get'] = async (key) => (await this.#bucket()).get(key);
  delete: Bucket['delete'] = async (keys) => (await this.#bucket()).delete(keys);

  async close(): Promise<void> {
    await (await this.#started)?.simulator.dispose();
  }

  async #bucket(): Promise<Bucket> {
    this.#started ??= start();
    return (await this.#started).bucket;
  }
}

async function start() {
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
  return { simulator, bucket: (await simulator.getR2Bucket('MEDIA')) as unknown as Bucket };
}
