import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { inject } from 'vitest';
import { withDatabase } from '../../src/cli/support/database.ts';
import type { Demo } from '../../src/cli/support/folder.ts';
import { clearLeftover } from '../../src/local/postgres/leftover.ts';
import { storeWorkers } from '../../src/local/worker/leftover.ts';
import { ApiClient } from '../harness/client.ts';

const root = resolve(import.meta.dirname, '../..');

/** A running `node src/cli/start.ts`, in a process group of its own like that of a terminal. */
export interface Start {
  readonly process: ChildProcess;
  /** The output so far, errors last. */
  output(): string;
  /**
   * Waits for a text in its output.
   * @throws Error with the output if it ends before
   */
  prints(text: string): Promise<void>;
  ended(): boolean;
  /** @throws Error with its output */
  throwIfEnded(): void;
  /** Sends a signal to the process, or to the group as Ctrl-C does, and waits for the end. */
  end(signal: NodeJS.Signals, group?: 'group'): Promise<number | null>;
}

export class Checkout {
  // Only its owner can enter it, like root's home.
  readonly folder = mkdtempSync(join(tmpdir(), 'svc-sales-checkout-'));
  readonly #starts: Start[] = [];

  constructor(...more: string[]) {
    for (const name of [
      ...more,
      ...['src', 'packages', 'drizzle', 'docs'],
      ...['package.json', 'package-lock.json', 'wrangler.toml', 'tsconfig.json'],
    ])
      cpSync(join(root, name), join(this.folder, name), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'));
  }

  path = (name: string) => `${this.folder}/.local/${name}`;

  demo = (file = 'demo.json'): Demo => JSON.parse(readFileSync(this.path(file), 'utf8'));

  start(environment: Record<string, string>, ...options: string[]): Start {
    const start = run(join(this.folder, 'src/cli/start.ts'), options, environment);
    this.#starts.push(start);
    return start;
  }

  run = (name: string, options: string[]) =>
    run(join(this.folder, `src/cli/${name}.ts`), options, {});

  /** Counts the rows of a table of the store; 0 if there is no table yet. */
  async count(table: string): Promise<number> {
    try {
      const port = readFileSync(this.path('postgres/postmaster.pid'), 'utf8').split('\n')[3];
      return await withDatabase(`postgres://postgres@127.0.0.1:${port}/store`, async (client) => {
        const { rowCount } = await client.query(`select from ${table}`);
        return rowCount ?? 0;
      });
    } catch {
      return 0;
    }
  }

  /**
   * Waits until a table has that many rows.
   * @throws Error if the start ends, or has opened, before
   */
  async reaches(start: Start, table: string, least: number): Promise<void> {
    for (let open = false; (await this.count(table)) < least;) {
      start.throwIfEnded();
      if (open) throw new Error(`The store is open with fewer ${table} than ${least}.`);
      open = start.output().includes('The store is open');
      await wait(20);
    }
  }

  /** Workers that run in this checkout or were left behind. */
  workers = () => storeWorkers().filter(({ folder }) => folder === this.path(''));

  /** Removes it, with its running start and the leftovers of killed ones. */
  async remove(): Promise<void> {
    const running = this.#starts.filter((start) => !start.ended());
    await Promise.all(running.map((start) => start.end('SIGINT')));
    for (const { pid } of this.workers()) process.kill(pid, 'SIGKILL');
    if (existsSync(this.path('postgres/postmaster.pid')))
      await clearLeftover(this.path('postgres'));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A client of its open store, with the demo's key. */
export function clientOf(checkout: Checkout): ApiClient {
  const { base_url, api_key } = checkout.demo();
  const send = (request: Request) => {
    const { pathname, search } = new URL(request.url);
    return fetch(new Request(base_url + pathname + search, request));
  };
  return new ApiClient(send, { authorization: `Bearer ${api_key}` });
}

/** Runs a script of `src/cli` without the store's variables in the environment. */
export function run(script: string, options: string[], environment: Record<string, string>): Start {
  const child = spawn(process.execPath, [script, ...options], {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_COMPILE_CACHE: inject('compiled'),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let [out, errors] = ['', ''];
  child.stdout.on('data', (data) => (out += String(data)));
  child.stderr.on('data', (data) => (errors += String(data)));
  const closed = once(child, 'exit');
  const ended = () => child.exitCode !== null || child.signalCode !== null;
  const throwIfEnded = () => {
    if (ended()) throw new Error(`It ended: ${out}${errors}`);
  };
  return {
    process: child,
    ended,
    throwIfEnded,
    output: () => out + errors,
    async prints(text) {
      while (!out.includes(text) && !errors.includes(text)) {
        throwIfEnded();
        await wait(20);
      }
    },
    async end(signal, group) {
      process.kill(group ? -(child.pid ?? 0) : (child.pid ?? 0), signal);
      const [code] = await closed;
      return code as number | null;
    },
  };
}
