import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import type { Call, Outcome } from './fixtures/commands.ts';

const ownScript = fileURLToPath(new URL('fixtures/commands.ts', import.meta.url));

/** A process that runs commands one after the other, without the store's variables except those of the call. */
export class CommandProcess {
  readonly #child;
  readonly #ended;

  constructor(script = ownScript) {
    this.#child = fork(script, {
      execArgv: [],
      // The outcome contains the output.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        NODE_COMPILE_CACHE: inject('compiled'),
      },
    });
    this.#ended = once(this.#child, 'exit');
  }

  /** @throws Error if the process ends meanwhile */
  async run(call: Call): Promise<Outcome> {
    const answer = once(this.#child, 'message');
    const early = this.#ended.then(() => {
      throw new Error(`The process of the commands ended: ${call.file} ${call.typed.join(' ')}`);
    });
    this.#child.send(call);
    const [outcome] = await Promise.race([answer, early]);
    return outcome;
  }

  /** Lets the process end by itself, which it does if no command left anything open. */
  async end(): Promise<void> {
    this.#child.disconnect();
    await this.#ended;
  }
}
