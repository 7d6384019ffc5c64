import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';

interface ProcessInfo {
  pid: number;
  parent: number;
  /** The time of its start, in a form of the system's; with the number it identifies a process. */
  started: string;
  /** The program with its arguments, separated by blanks. */
  command: string;
}

const hasProc = existsSync('/proc/self/stat');

/** Returns undefined for a process that has ended, even if its parent hasn't collected it. */
export function processInfo(pid: number): ProcessInfo | undefined {
  try {
    if (!hasProc) return parsed(ps('-ww', '-o', columns, '-p', String(pid)))[0];
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    // "pid (name) state parent …"; the name may contain anything. The start is the 22nd field.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const [parent, started = ''] = [Number(fields[1]), fields[19]];
    return command === '' ? undefined : { pid, parent, started, command };
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
    for (const info of parsed(ps('-ww', '-E', '-x', '-o', columns))) yield [info, info.command];
  } catch {
    // The system has no `ps` either.
  }
}

const columns = 'pid=,ppid=,lstart=,command=';

/** Prints the start in one form, whatever the caller's locale and time zone. */
const ps = (...options: string[]) =>
  execFileSync('ps', options, {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
  });

/** The start has five words, such as `Fri Nov 27 14:06:54 2026`. */
function parsed(lines: string): ProcessInfo[] {
  return [...lines.matchAll(/^ *(\d+) +(\d+) +((?:\S+ +){4}\S+) +(.*)$/gm)].map(
    ([, pid, parent, started = '', command = '']) => ({
      pid: Number(pid),
      parent: Number(parent),
      started,
      command,
    }),
  );
}
