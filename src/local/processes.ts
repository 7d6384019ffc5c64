import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';

interface ProcessInfo {
  pid: number;
  parent: number;
  /** The program with its arguments, separated by blanks. */
  command: string;
}

const hasProc = existsSync('/proc/self/stat');

/** Returns undefined for a process that has ended, even if its parent hasn't collected it. */
export function processInfo(pid: number): ProcessInfo | undefined {
  try {
    if (!hasProc) return parsed(ps('-ww', '-o', 'pid=,ppid=,command=', '-p', String(pid)))[0];
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    // "pid (name) state parent …"; the name may contain anything.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? '';
    return command === '' ? undefined : { pid, parent: Number(stat.split(' ')[1]), command };
  } catch {
    return undefined;
  }
}

/** Tells if the process is gone completely, so that its ports are free: its threads end one by one. */
export function hasEnded(pid: number): boolean {
  if (!hasProc) return processInfo(pid) === undefined;
  try {
    const states = readdirSync(`/proc/${pid}/task`).map((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8').split(') ').at(-1)?.charAt(0),
    );
    return states.every((state) => state === 'Z' || state === 'X');
  } catch {
    // A thread that just ended says nothing about the others.
    return !existsSync(`/proc/${pid}`);
  }
}

/** The processes of this user that have the variable in their environment, with its value. */
export function processesWith(variable: string): (ProcessInfo & { value: string })[] {
  const found = [];
  for (const [info, environment] of hasProc ? fromProc() : fromPs()) {
    const value = new RegExp(`(?:^|[\\0 ])${variable}=([^\\0 ]*)`).exec(environment)?.[1];
    if (value !== undefined) found.push({ ...info, value });
  }
  return found;
}

function* fromProc(): Generator<[ProcessInfo, environment: string]> {
  for (const name of readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name))) {
    try {
      const environment = readFileSync(`/proc/${name}/environ`, 'utf8');
      const info = processInfo(Number(name));
      if (info) yield [info, environment];
    } catch {
      // Another user's process, or one that just ended.
    }
  }
}

/** Systems without /proc show the environment behind the command. */
function* fromPs(): Generator<[ProcessInfo, environment: string]> {
  try {
    for (const info of parsed(ps('-ww', '-E', '-x', '-o', 'pid=,ppid=,command=')))
      yield [info, info.command];
  } catch {
    // The system has no `ps` either.
  }
}

const ps = (...options: string[]) => execFileSync('ps', options, { encoding: 'utf8' });

function parsed(lines: string): ProcessInfo[] {
  return [...lines.matchAll(/^ *(\d+) +(\d+) +(.*)$/gm)].map(([, pid, parent, command = '']) => ({
    pid: Number(pid),
    parent: Number(parent),
    command,
  }));
}
