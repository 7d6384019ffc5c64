import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { processInfo } from '../processes.ts';

/**
 * The setting that names, on the server's own command line, the process that started it. A server
 * whose parent is another process by now was left behind.
 */
export const OWNER_SETTING = 'svc.started_by';

/** The setting that names its data directory there, however the server itself was shown the way. */
export const DATA_SETTING = 'svc.data_directory';

/** Milliseconds that a server may take to write everything down when it is stopped. */
export const STOP_PATIENCE = 10_000;

/**
 * Clears the way for a start in this data directory: stops a server that a killed process left
 * behind, and removes a postmaster.pid that no server stands behind.
 * @throws Error when a server that is in use by someone runs there
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

/** The server with this process id, if that is what the process is and it runs in `dataDir`. */
function serverIn(dataDir: string, pid: number): { orphan: boolean } | undefined {
  const found = processInfo(pid);
  if (!found?.command.includes(`${DATA_SETTING}=${dataDir} `)) return undefined;
  const owner = new RegExp(`${OWNER_SETTING}=(\\d+)`).exec(found.command)?.[1];
  return { orphan: owner !== undefined && Number(owner) !== found.parent };
}
