import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { inject } from 'vitest';
import { type NeonEndpoint, startNeonEndpoint } from '../../src/local/neon/index.ts';
import { buildFolder } from '../../src/cli/store/configuration.ts';
import { freePort, run } from '../local/checkout.ts';
import { FakeCloudflare } from './vendors/cloudflare.ts';
import { FakeNeon } from './vendors/neon.ts';

const script = resolve(import.meta.dirname, '../../src/cli/store/index.ts');

/** An operator with a folder of stores, and both vendors on loopback. */
export class World {
  readonly neon = new FakeNeon(inject('postgresUrl'));
  cloudflare = new FakeCloudflare('');
  folder = '';
  #endpoint: NeonEndpoint | undefined;
  readonly #names = new Set<string>();

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
    for (const name of this.#names) await rm(buildFolder(name), { recursive: true, force: true });
  }

  /** The operator's environment, with a DATABASE_URL of another store in it. */
  environment = (): Record<string, string> => ({
    STORES_DIR: this.folder,
    NEON_API_KEY: 'neon-key',
    NEON_API_BASE_URL: this.neon.url,
    CLOUDFLARE_API_BASE_URL: this.cloudflare.url,
    CLOUDFLARE_API_TOKEN: 'token',
    CLOUDFLARE_ACCOUNT_ID: '0123456789abcdef0123456789abcdef',
    WRANGLER_LOG_PATH: join(this.folder, 'logs'),
    DATABASE_URL: 'postgres://other:secret@127.0.0.1:1/other',
  });

  /** Begins a command. */
  begin(...words: string[]) {
    if (words[1] !== undefined) this.#names.add(words[1]);
    return run(script, words, this.environment());
  }

  /** Runs a command to its end. */
  async store(...words: string[]) {
    const running = this.begin(...words);
    await once(running.process, 'close');
    return { code: running.process.exitCode, printed: running.output().trim() };
  }

  /** Words that add a store at a free port. */
  async adding(name: string): Promise<string[]> {
    const address = `http://127.0.0.1:${await freePort()}`;
    return ['add', name, '--address', address, '--owner', 'ana@shop.example', '--currency', 'IDR'];
  }

  /** Asks the database of a store, found by the name of its project. */
  async query<T extends object>(name: string, text: string): Promise<T[]> {
    const project = this.neon.projects.find((one) => one.name === `sales-api-${name}`);
    const address = this.neon.resolve(`postgres://x/${project?.database}`);
    const client = new Client({ connectionString: address });
    await client.connect();
    try {
      return (await client.query<T>(text)).rows;
    } finally {
      await client.end();
    }
  }
}
