import { readFile, readdir } from 'node:fs/promises';

/** Milliseconds of a processor that processes, with their children, have used, by what they are for. */
export type CpuTimes = Record<string, number>;

/** Milliseconds a tick of the kernel's accounting stands for. */
const tick = 10;

/** Process ids by what the processes are for. */
export type Processes = Readonly<Record<string, readonly number[]>>;

/**
 * What processes have used of the processors so far, from Linux's `/proc`; where there is none,
 * nothing. Unlike a rate it hardly depends on what else the machine does.
 */
export async function cpuTimes(roots: Processes): Promise<CpuTimes> {
  const processes = await allProcesses();
  const named = new Set(Object.values(roots).flat());
  const used = (pids: readonly number[]): number =>
    processes
      .filter(({ pid, parent }) => pids.includes(pid) || (pids.includes(parent) && !named.has(pid)))
      .reduce((sum, process) => sum + process.ticks * tick, 0);
  return Object.fromEntries(Object.entries(roots).map(([name, pids]) => [name, used(pids)]));
}

async function allProcesses() {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^[0-9]+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      // A process may end while we look.
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      // Behind the name, which may hold blanks: state, parent, …, user and system ticks.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const [parent = 0, user = 0, system = 0] = [1, 11, 12].map((i) => Number(fields[i] ?? 0));
      return { pid: Number(pid), parent, ticks: user + system };
    }),
  );
  return found;
}
