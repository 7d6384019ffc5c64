import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { processInfo } from '../processes.ts';

/**
 * The setting that names, on the server's own command line, the process that started it. A server whose parent is now
 * another process was left behind.
 */
export const OWNER_SETTING = 'svc.started_by';

/**
 * The setting that names the data directory on the server's command line, however it was given to
 * the server.
 */
export const DATA_SETTING = 'svc.data_directory';

/** Milliseconds that a server may take to stop and write its data. */
export const STOP_PATIENCE = 10_000;

/**
 * Prepares a data directory for a start: stops a server that a killed process left behind, and removes a postmaster.pid
 * without a server.
 * @throws Error if a server in use runs there
 */
export async function clearLeftover(dataDir: string): Promise<void> {
  const lock = join(dataDir, 'postmaster.pid');
  if (!existsSync(lock)) return;
  const pid = Number(readFileSync(lock, 'utf8').split('\n', 1)[0]);
  const server = serverIn(dataDir, pid);
  if (server && !server.orphan)
    throw new Error(
      `${dataDir} is in use: PostgreSQL runs there as process ${pid}. Stop it first.`,
    );
  if (server) await stopOrphan(dataDir, pid);
  rmSync(lock, { force: true });
}

async function stopOrphan(dataDir: string, pid: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    process.kill(pid, signal);
    for (let waited = 0; waited < STOP_PATIENCE; waited += 20) {
      if (!serverIn(dataDir, pid)) return;
      await wait(20);
    }
  }
}

/** The server with this process id, if the process is one and runs in `dataDir`. */
function serverIn(dataDir: string, pid: number): { orphan: boolean } | undefined {
  const found = processInfo(pid);
  if (!found?.command.includes(`${DATA_SETTING}=${dataDir} `)) return undefined;
  const owner = new RegExp(`${OWNER_SETTING}=(\\d+)`).exec(found.command)?.[1];
  return { orphan: owner !== undefined && Number(owner) !== found.parent };
}
