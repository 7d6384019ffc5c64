import { Refused } from '../support/command.ts';

/** A part of a command that can be repeated by itself. */
export interface Step {
  readonly name: string;
  /** The effect, for a list of the steps before they run. */
  readonly plan: string;
  /** @returns what was found or made, in a few words */
  readonly run: () => Promise<string>;
}

/** A command on one store. */
export interface Task {
  readonly title: string;
  /** The command that goes on where this one broke off. */
  readonly again: string;
}

/**
 * Does the steps of a task one after the other, each in a line with its time.
 * @param isDry only says which they are
 * @throws Error that names the step, what is done, and the command that goes on
 */
export async function perform(task: Task, steps: readonly Step[], isDry: boolean): Promise<void> {
  console.log(isDry ? `${task.title}, a plan; nothing is done:` : task.title);
  const done: string[] = [];
  for (const { name, plan, run } of steps) {
    if (isDry) {
      console.log(`  ${name.padEnd(14)} ${plan}`);
      continue;
    }
    const began = performance.now();
    showOnTerminal(`  ${name.padEnd(14)} …`);
    const found = await run()
      .catch((error: Error) => {
        throw broken(task, name, done, error);
      })
      .finally(() => showOnTerminal('\r\x1b[K'));
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    console.log(`  ${name.padEnd(14)} ${found} (${seconds} s)`);
    done.push(name);
  }
}

/** Shows what is written over when a step is done. */
function showOnTerminal(text: string): void {
  if (process.stdout.isTTY) process.stdout.write(text);
}

function broken({ again }: Task, name: string, done: readonly string[], error: Error): Error {
  if (error instanceof Refused) return new Refused(`${name}: ${error.message}`);
  const before = done.length > 0 ? `Done before: ${done.join(', ')}.` : 'Nothing was done before.';
  return new Error(`${name} failed: ${error.message}\n${before} Go on with: ${again}`, {
    cause: error,
  });
}
