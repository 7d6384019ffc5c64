import { Refused } from '../support/command.ts';

/** A part of a command that can be repeated by itself. */
export interface Step {
  readonly name: string;
  /** The effect, for `--dry-run`. */
  readonly plan: string;
  /** @returns the result in a few words, and in further lines what a person has to do */
  readonly run: () => Promise<string>;
}

export interface Task {
  readonly title: string;
  /** The command that continues after an interruption. */
  readonly again: string;
}

/**
 * Runs steps in order, each with a line and its time.
 * @param isDry only lists them
 * @throws Error naming the step, the finished ones, and the command that continues
 */
export async function perform(task: Task, steps: readonly Step[], isDry: boolean): Promise<void> {
  console.log(
    isDry ? `${task.title}: these steps would run, and nothing is changed now:` : task.title,
  );
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
    const [first = '', ...more] = found.split('\n');
    console.log(`  ${name.padEnd(14)} ${first} (${seconds} s)`);
    for (const line of more) console.log(`    ${line}`);
    done.push(name);
  }
}

/** Prints a line while a step runs. */
export function sayMeanwhile(line: string): void {
  showOnTerminal('\r\x1b[K');
  console.log(`    ${line}`);
}

/** Shows a text that the end of a step overwrites. */
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
