import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { basename, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findBinaries, runAs, wayInto } from './binaries.ts';
import type { Binaries, RunAs } from './binaries.ts';
import { DATA_SETTING, OWNER_SETTING, STOP_PATIENCE, clearLeftover } from './leftover.ts';
import { processInfo } from '../processes.ts';

export interface PostgresOptions {
  /** The folder of the data, created on the first start. */
  dataDir: string;
  log?: (line: string) => void;
  /** Further settings, as in postgresql.conf. */
  settings?: Record<string, string>;
  /** False: a crash of the machine may lose the data, and writes are fast (default true). */
  durable?: boolean;
}

export interface Postgres {
  /** postgres://postgres@127.0.0.1:PORT/postgres, a superuser without a password. */
  url: string;
  port: number;
  pid: number;
  /** Resolves once the server has ended, for whatever reason. */
  ended: Promise<unknown>;
  /** Disconnects everyone, writes all data to disk and stops. */
  stop(): Promise<void>;
  /** Stops at once, as in a crash: the next start recovers from the log. */
  kill(): Promise<void>;
}

const DEFAULTS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '250',
  timezone: 'UTC',
  lc_messages: 'C',
};

const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/**
 * Starts the PostgreSQL that npm installed, on a free port of 127.0.0.1, and creates its data on the first start. Works
 * as root too (the server then runs as nobody). A server that an earlier process left in the same folder is stopped
 * first.
 * @throws Error if the data is another major version's or in use, or the server doesn't start
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const dataDir = resolve(options.dataDir);
  mkdirSync(dirname(dataDir), { recursive: true });
  const user = runAs(dataDir);
  const binaries = findBinaries(user);
  await ensureData(dataDir, binaries, user, options.durable ?? true);
  await clearLeftover(dataDir);
  const settings = {
    ...DEFAULTS,
    ...(options.durable === false && NOT_DURABLE),
    ...options.settings,
  };
  return launch(binaries, dataDir, user, settings, options.log);
}

async function ensureData(
  dataDir: string,
  { bin, major }: Binaries,
  user: RunAs,
  durable: boolean,
): Promise<void> {
  const versionFile = join(dataDir, 'PG_VERSION');
  if (!existsSync(versionFile)) {
    if (existsSync(dataDir) && readdirSync(dataDir).length > 0)
      throw new Error(`${dataDir} is neither empty nor a data directory of PostgreSQL.`);
    await initialise(dataDir, bin, user, durable);
  }
  const found = readFileSync(versionFile, 'utf8').trim();
  if (found !== major)
    throw new Error(
      `${dataDir} is the data of PostgreSQL ${found}, and this is PostgreSQL ${major}: move the folder away to start with an empty database.`,
    );
}

/**
 * Creates the data in a draft folder and moves it into place when complete, so an interruption leaves nothing half
 * done.
 */
async function initialise(dataDir: string, bin: string, user: RunAs, durable: boolean) {
  removeDrafts(dataDir);
  const draft = `${dataDir}.new-${process.pid}`;
  mkdirSync(draft);
  try {
    if (user) chownSync(draft, user.uid, user.gid);
    const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    const flags = ['-A', 'trust', '-U', 'postgres', '--no-instructions', ...locale];
    if (!durable) flags.push('--no-sync');
    const { cwd, path } = wayInto(draft, user);
    await promisify(execFile)(join(bin, 'initdb'), [...flags, '-D', path], {
      ...user,
      cwd,
      env: environment(),
    }).catch((cause: { stderr?: string }) => {
      throw new Error(`PostgreSQL could not create its data: ${cause.stderr}`, { cause });
    });
    renameSync(draft, dataDir);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Removes unfinished data of killed processes. */
function removeDrafts(dataDir: string): void {
  const prefix = `${basename(dataDir)}.new-`;
  for (const name of readdirSync(dirname(dataDir))) {
    if (!name.startsWith(prefix)) continue;
    const owner = Number(name.slice(prefix.length));
    if (owner !== process.pid && processInfo(owner)) continue;
    rmSync(join(dirname(dataDir), name), { recursive: true });
  }
}

/** Leaves out the caller's PG… and locale variables, which would change the data. */
function environment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], LC_ALL: 'C' };
}

async function launch(
  { bin }: Binaries,
  dataDir: string,
  user: RunAs,
  settings: Record<string, string>,
  log: PostgresOptions['log'],
): Promise<Postgres> {
  const { cwd, path } = wayInto(dataDir, user);
  const marks = { [OWNER_SETTING]: String(process.pid), [DATA_SETTING]: dataDir };
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const all = { ...settings, ...marks, port: String(port) };
    const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const server = spawn(join(bin, 'postgres'), ['-D', path, ...flags], {
      ...user,
      cwd,
      env: environment(),
      // Its own process group: Ctrl-C in the terminal reaches only this process, which stops the server in order.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const stopWithUs = () => server.kill('SIGINT');
    process.once('exit', stopWithUs);
    server.once('close', () => process.off('exit', stopWithUs));
    const lastLines = followLog(server, log);
    if (await becomesReady(server, dataDir)) return running(server, port);
    const why = lastLines.join('\n');
    // The port was taken, or a killed server's processes haven't all ended yet.
    const passing = /could not bind|shared memory block/.test(why);
    if (!passing || attempt === 50) throw new Error(`PostgreSQL did not start:\n${why}`);
    await wait(100);
  }
}

/** @returns the last lines, kept up to date, for the error message */
function followLog(server: ChildProcess, log: PostgresOptions['log']): string[] {
  const lastLines: string[] = [];
  if (server.stderr)
    createInterface(server.stderr).on('line', (line) => {
      lastLines.push(line);
      if (lastLines.length > 20) lastLines.shift();
      log?.(line);
    });
  server.on('error', (error) => lastLines.push(error.message));
  return lastLines;
}

/**
 * Waits until the server's postmaster.pid says that it accepts connections.
 * @returns false if it ended
 */
async function becomesReady(server: ChildProcess, dataDir: string): Promise<boolean> {
  const ended = new AbortController();
  server.once('close', () => ended.abort());
  while (!ended.signal.aborted) {
    const lines = readIfThere(join(dataDir, 'postmaster.pid')).split('\n');
    if (Number(lines[0]) === server.pid && lines[7]?.startsWith('ready')) return true;
    await wait(10);
  }
  return false;
}

function readIfThere(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function running(server: ChildProcess, port: number): Postgres {
  const pid = server.pid ?? 0;
  const ended = once(server, 'close');
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    port,
    pid,
    ended,
    async stop() {
      server.kill('SIGINT');
      const impatience = setTimeout(() => server.kill('SIGQUIT'), STOP_PATIENCE);
      await ended;
      clearTimeout(impatience);
    },
    async kill() {
      server.kill('SIGQUIT');
      await ended;
    },
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
