import { createHash, randomUUID } from 'node:crypto';
import { Miniflare } from 'miniflare';
import type { Bucket } from '../../src/kernel/deployment/files.ts';

let simulated: Promise<Bucket> | undefined;

/**
 * A bucket in the platform's own R2 simulator, in memory. The simulator starts in a second; the stores of a process
 * share it until the process ends.
 */
export class LocalBucket implements Bucket {
  readonly #own = `${randomUUID()}/`;

  put: Bucket['put'] = async (key, ...file) => (await bucket()).put(this.#own + key, ...file);
  get: Bucket['get'] = async (key, options) => (await bucket()).get(this.#own + key, options);
  delete: Bucket['delete'] = async (keys) =>
    (await bucket()).delete(keys.map((key) => this.#own + key));

  /** Uploads in parts, by their ids: the simulator takes no streams from outside. */
  readonly #uploads = new Map<string, Map<number, Uint8Array>>();
  createMultipartUpload: Bucket['createMultipartUpload'] = async () => {
    const uploadId = randomUUID();
    this.#uploads.set(uploadId, new Map());
    return { uploadId };
  };
  resumeMultipartUpload: Bucket['resumeMultipartUpload'] = (key, uploadId) => {
    const parts = this.#uploads.get(uploadId);
    return {
      uploadPart: async (part, content) => {
        if (!parts) throw new Error('There is no such upload.');
        parts.set(part, new Uint8Array(await new Response(content).arrayBuffer()));
        return { etag: `tag-${part}` };
      },
      complete: async (named) => {
        if (!this.#uploads.delete(uploadId)) throw new Error('There is no such upload.');
        const bytes = named.map(({ partNumber }) => parts?.get(partNumber) ?? new Uint8Array());
        await this.put(key, Buffer.concat(bytes), { httpMetadata: { contentType: '' } });
      },
    };
  };
}

/** The platform's digest of a stream, which Node lacks. */
class DigestStream extends WritableStream<Uint8Array> {
  readonly digest: Promise<ArrayBuffer>;

  constructor() {
    const hash = createHash('sha256');
    const digest = Promise.withResolvers<ArrayBuffer>();
    super({
      write: (chunk) => void hash.update(chunk),
      close: () => digest.resolve(new Uint8Array(hash.digest()).buffer),
    });
    this.digest = digest.promise;
  }
}
Object.assign(crypto, { DigestStream });

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
