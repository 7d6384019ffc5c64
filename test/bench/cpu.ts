import { readFile, readdir } from 'node:fs/promises';
import { basename } from 'node:path';

const roles = ['database', 'endpoint', 'worker', 'callers'] as const;
type Role = (typeof roles)[number];

/** Milliseconds of processor time, by the kind of process. */
export type CpuTimes = Record<Role, number>;

/** Milliseconds of one tick of the kernel's accounting. */
const tick = 10;

/**
 * Reads the processor time so far of this process, which calls, and of those below it, from Linux's `/proc`; empty on
 * other systems. Unlike a rate it hardly depends on other load.
 */
export async function cpuTimes(): Promise<CpuTimes> {
  const children = Map.groupBy(await allProcesses(), ({ parent }) => parent);
  const { user, system } = process.cpuUsage();
  const times: CpuTimes = { database: 0, endpoint: 0, worker: 0, callers: (user + system) / 1000 };
  const add = async (parent: number) => {
    for (const { pid, ticks } of children.get(parent) ?? []) {
      const role = await roleOf(pid);
      if (role) times[role] += ticks * tick;
      await add(pid);
    }
  };
  await add(process.pid);
  return times;
}

export const cpuPerRequest = (before: CpuTimes, after: CpuTimes, count: number): CpuTimes =>
  mapTimes((role) => (after[role] - before[role]) / count);

export const mapTimes = (time: (role: Role) => number): CpuTimes =>
  Object.fromEntries(roles.map((role) => [role, time(role)])) as CpuTimes;

async function roleOf(pid: number): Promise<Role | undefined> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  const [program = '', script = ''] = command.split('\0');
  if (basename(program) === 'workerd') return 'worker';
  if (/^postgres(: |$)/.test(basename(program))) return 'database';
  return basename(script) === 'endpoint.ts' ? 'endpoint' : undefined;
}

/** Milliseconds of processor time that a process has used so far; 0 without `/proc`. */
export const cpuTimeOf = async (pid: number): Promise<number> =>
  (await processOf(pid)).ticks * tick;

async function allProcesses() {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^[0-9]+$/.test(name));
  return Promise.all(pids.map((pid) => processOf(Number(pid))));
}

async function processOf(pid: number) {
  // The process may end meanwhile.
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // After the name, which may contain blanks: state, parent, …, user and system ticks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [parent = 0, user = 0, system = 0] = [1, 11, 12].map((i) => Number(fields[i] ?? 0));
  return { pid, parent, ticks: user + system };
}
