import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Client } from 'pg';
import { expect, inject } from 'vitest';
import { buildFolder } from '../../src/cli/store/configuration.ts';
import { freePort } from '../harness/ports.ts';
import { type Start, run } from '../local/checkout.ts';
import { CommandProcess } from '../local/command-process.ts';
import type { Outcome } from '../local/fixtures/commands.ts';
import { Vendors } from './vendors/vendors.ts';

const script = resolve(import.meta.dirname, '../../src/cli/store/index.ts');

/** The names of a command's steps in its output, without their times. */
export const stepsOf = (printed: string) =>
  [...printed.matchAll(/^ {2}(\w+) .*\(\d+\.\d s\)$/gm)].map(([, step = '']) => step);

export const addSteps = [
  ...['file', 'secrets', 'database', 'check', 'build', 'migrate', 'key', 'worker', 'ready'],
  ...['fill', 'settings', 'owner'],
];

/** An operator with a folder of stores, and both vendors on loopback. */
export class World extends Vendors {
  readonly #names = new Set<string>();
  readonly #commands = new CommandProcess();

  constructor() {
    super(inject('postgresUrl'));
  }

  override async close(): Promise<void> {
    await this.#commands.end();
    await super.close();
    for (const name of this.#names) await rm(buildFolder(name), { recursive: true, force: true });
  }

  /** The operator's environment, with the DATABASE_URL of another store. */
  environment = (): Record<string, string> => ({
    ...this.variables(),
    DATABASE_URL: 'postgres://other:secret@127.0.0.1:1/other',
  });

  begin(...words: string[]) {
    if (words[1] !== undefined) this.#names.add(words[1]);
    return run(script, words, this.environment());
  }

  /** Runs a command to its end, in a process with loaded modules. */
  store(...words: string[]): Promise<Outcome> {
    if (words[1] !== undefined) this.#names.add(words[1]);
    return this.command(script, words);
  }

  command(file: string, typed: readonly string[], more: Record<string, string> = {}) {
    return this.#commands.run({ file, typed, environment: { ...this.environment(), ...more } });
  }

  async kill(words: readonly string[], moment: (running: Start) => Promise<unknown>) {
    const running = this.begin(...words);
    await moment(running);
    await running.end('SIGKILL', 'group');
  }

  /** The arguments that add a store at a free port. */
  async adding(name: string): Promise<string[]> {
    const address = `http://127.0.0.1:${await freePort()}`;
    return ['add', name, '--address', address, '--owner', 'ana@shop.example', '--currency', 'IDR'];
  }

  async expectOnce(name: string): Promise<void> {
    const project = `sales-api-${name}`;
    expect(this.neon.projects.filter((one) => one.name === project)).toHaveLength(1);
    expect(await this.query(name, 'select email, roles from users')).toEqual([
      { email: 'ana@shop.example', roles: expect.arrayContaining(['administrator']) },
    ]);
    expect(await this.query(name, 'select from store_mark')).toHaveLength(1);
    expect(await this.query(name, 'select scopes from api_keys where revoked_at is null')).toEqual([
      { scopes: ['status:read'] },
    ]);
    expect(await this.query(name, 'select currency, currency_exponent from settings')).toEqual([
      { currency: 'IDR', currency_exponent: 0 },
    ]);
  }

  /** Queries the database of a store, found by its project's name. */
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
