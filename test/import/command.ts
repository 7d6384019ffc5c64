import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Checkout } from '../local/checkout.ts';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Its output, errors last. */
  readonly printed: string;
  /** Its peak of memory in bytes; undefined if it was killed. */
  readonly peak: number | undefined;
}

export interface Importing {
  kill(): void;
  readonly ended: Promise<Ended>;
}

/** Prints at the end of a process its peak of memory, in kilobytes. */
const confession =
  'data:text/javascript,process.on("exit",()=>console.error("Peak",process.resourceUsage().maxRSS))';

/** Runs `npm run import` in a checkout, with the command of package.json. */
export function importIn(
  checkout: Checkout,
  options: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Importing {
  const manifest = readFileSync(join(checkout.folder, 'package.json'), 'utf8');
  const { scripts } = JSON.parse(manifest) as { scripts: { import: string } };
  const [, ...command] = scripts.import.split(' ');
  const child = spawn(process.execPath, ['--import', confession, ...command, ...options], {
    cwd: checkout.folder,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = Promise.all([text(child.stdout), text(child.stderr)]);
  return {
    kill: () => child.kill('SIGKILL'),
    ended: once(child, 'close').then(async ([code, signal]) => {
      const all = (await printed).join('');
      const kilobytes = /^Peak (\d+)$/m.exec(all)?.[1];
      return { code, signal, printed: all, peak: kilobytes ? Number(kilobytes) * 1024 : undefined };
    }),
  };
}
