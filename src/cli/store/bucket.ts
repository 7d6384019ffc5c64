import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { openAccount, patience } from './cloudflare.ts';

const Page = z.object({
  result: z.array(z.object({ key: z.string(), size: z.number() })),
  result_info: z.object({ cursor: z.string(), is_truncated: z.boolean() }).partial().optional(),
});

/** The largest object that Cloudflare's API accepts, in bytes. */
export const largestObject = 300 * 2 ** 20;

/** The slowest rate of a transfer, in bytes per millisecond: an object has more time than other requests. */
const slowest = 100;

/** The number of retries after a 429. */
const mostTries = 10;

/** A request without authorisation headers. */
interface BucketRequest extends RequestInit {
  readonly headers?: Record<string, string>;
}

/** A bucket of the account that wrangler is signed in to. Wrangler itself handles only one object a second. */
export class R2Bucket {
  readonly #address: string;
  readonly #headers: Readonly<Record<string, string>>;

  private constructor(address: string, headers: Readonly<Record<string, string>>) {
    this.#address = address;
    this.#headers = headers;
  }

  static async open(name: string): Promise<R2Bucket> {
    const { address, headers } = await openAccount();
    return new R2Bucket(`${address}/r2/buckets/${name}/objects`, headers);
  }

  async get(key: string, size: number): Promise<AsyncIterable<Buffer> | undefined> {
    const { status, body } = await this.#ask(`/${key}`, size, () => ({ method: 'GET' }));
    return status === 404 || !body ? undefined : (body as AsyncIterable<Buffer>);
  }

  /** @param content starts the content again for a retry */
  async put(
    key: string,
    type: string,
    size: number,
    content: () => AsyncIterable<Buffer> | Iterable<Buffer>,
  ): Promise<void> {
    const headers = { 'content-type': type, 'content-length': String(size) };
    await this.#ask(`/${key}`, size, () => ({
      ...{ method: 'PUT', headers, duplex: 'half' },
      body: Readable.toWeb(Readable.from(content())),
    }));
  }

  async sizes(): Promise<ReadonlyMap<string, number>> {
    const sizes = new Map<string, number>();
    let cursor: string | undefined;
    do {
      const query = new URLSearchParams({ per_page: '1000', ...(cursor && { cursor }) });
      const response = await this.#ask(`?${query.toString()}`, 0, () => ({ method: 'GET' }));
      const { result, result_info } = Page.parse(await response.json());
      for (const { key, size } of result) sizes.set(key, size);
      cursor = result_info?.is_truncated ? result_info.cursor : undefined;
    } while (cursor !== undefined);
    return sizes;
  }

  /**
   * Repeats a request until Cloudflare accepts it: an account that made 1,200 requests within five minutes is refused
   * for some minutes.
   */
  async #ask(path: string, size: number, request: () => BucketRequest): Promise<Response> {
    for (let tries = 0; ; tries++) {
      const { headers, ...init } = request();
      const response = await fetch(this.#address + path, {
        ...init,
        headers: { ...this.#headers, ...headers },
        signal: AbortSignal.timeout(patience + Math.ceil(size / slowest)),
      });
      if (response.ok || (response.status === 404 && init.method === 'GET')) return response;
      if (response.status !== 429 || tries === mostTries)
        throw new Error(`Cloudflare answered ${response.status} about objects${path}.`);
      await pause(1000 * Number(response.headers.get('retry-after') ?? 60));
    }
  }
}
