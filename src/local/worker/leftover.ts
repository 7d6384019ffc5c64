import { setTimeout as wait } from 'node:timers/promises';
import { hasEnded, processesWith } from '../processes.ts';

/** The variable in a workerd's environment that names the process and the folder it runs for. */
const MARK = 'SVC_STORE';

export interface StoreWorker {
  pid: number;
  folder: string;
  /** True if the process that started it has ended. */
  orphan: boolean;
  command: string;
}

/** The environment of the workerd of the store in that folder, by which a later start recognises it. */
export const ownerMark = (folder: string): Record<string, string> => ({
  [MARK]: `${process.pid}:${encodeURIComponent(folder)}`,
});

/** Every workerd of a store on this machine that belongs to this user. */
export function storeWorkers(): StoreWorker[] {
  return processesWith(MARK)
    .filter(({ command }) => command.includes('workerd'))
    .map(({ pid, parent, command, value }) => {
      const [owner, folder = ''] = value.split(':');
      return { pid, command, folder: decodeURIComponent(folder), orphan: Number(owner) !== parent };
    });
}

/** Ends the workerd that a killed process left in that folder, as its starter would have. */
export async function clearLeftoverWorker(folder: string): Promise<void> {
  for (const { pid } of storeWorkers().filter((left) => left.orphan && left.folder === folder)) {
    process.kill(pid, 'SIGKILL');
    while (!hasEnded(pid)) await wait(20);
  }
}
