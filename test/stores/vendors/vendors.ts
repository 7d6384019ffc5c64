import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type NeonEndpoint, startNeonEndpoint } from '../../../src/local/neon/index.ts';
import { FakeCloudflare } from './cloudflare.ts';
import { FakeNeon } from './neon.ts';

/** Both vendors on loopback, and a folder of stores that are deployed there. */
export class Vendors {
  readonly neon: FakeNeon;
  cloudflare = new FakeCloudflare('');
  folder = '';
  #endpoint: NeonEndpoint | undefined;

  /** @param postgresUrl the address of a PostgreSQL, with its database `postgres` */
  constructor(postgresUrl: string) {
    this.neon = new FakeNeon(postgresUrl);
  }

  async open(): Promise<void> {
    this.folder = await mkdtemp(join(tmpdir(), 'stores-'));
    this.#endpoint = await startNeonEndpoint({ resolve: this.neon.resolve });
    this.cloudflare = new FakeCloudflare(this.#endpoint.url);
    await this.neon.open();
    await this.cloudflare.open();
  }

  async close(): Promise<void> {
    await this.cloudflare.close();
    await this.neon.close();
    await this.#endpoint?.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** The variables by which `npm run store` reaches the vendors and the stores. */
  variables = (): Record<string, string> => ({
    STORES_DIR: this.folder,
    NEON_API_KEY: 'neon-key',
    NEON_API_BASE_URL: this.neon.url,
    CLOUDFLARE_API_BASE_URL: this.cloudflare.url,
    CLOUDFLARE_API_TOKEN: 'token',
    CLOUDFLARE_ACCOUNT_ID: '0123456789abcdef0123456789abcdef',
    WRANGLER_LOG_PATH: join(this.folder, 'logs'),
  });
}
