import { command } from '../../src/cli/support/command.ts';
import { compare } from './compare.ts';
import { measureDelays } from './delays.ts';
import { untilEnded } from './ended.ts';
import { profile } from './profile.ts';
import { type Stage, onStage } from './stage.ts';
import { type Goal, goals } from './targets.ts';
import { measureWrites } from './writes.ts';

const usage = `npm run bench [-- --profile NAME]

Compares this tree with an earlier commit and with a bare worker that sends the same queries, on stores of ORDERS orders;
then measures what a delay of the database costs, and writes. Fails if a goal is missed.

  --profile NAME   says instead where the time of one kind of request goes`;

const say = (text: string) => process.stderr.write(text);

async function bench(closers: AsyncDisposableStack, name: string | undefined): Promise<void> {
  if (name !== undefined) return profile(closers, goalOf(name));
  const step = (what: string) => say(`${what}\n`);
  const met = [
    await compare(closers),
    await onStage(step, showDelays),
    await onStage(step, measureWrites),
  ];
  if (met.includes(false)) process.exitCode = 1;
}

function goalOf(name: string): Goal {
  const goal = goals.find((one) => one.name === name);
  if (goal) return goal;
  throw new Error(`--profile takes one of ${goals.map((one) => one.name).join(', ')}.`);
}

/** @returns whether every endpoint is within its goal */
async function showDelays({ scene, delayed }: Stage): Promise<boolean> {
  say('What 100 ms more a round trip cost a request');
  const delays = await measureDelays(scene, delayed, () => say('.'));
  say('\n');
  console.table(
    Object.fromEntries(
      delays
        .toSorted((a, b) => b.ratio / b.goal - a.ratio / a.goal)
        .map(({ endpoint, ratio, goal }) => [endpoint, { '(t − t₀)/D': round(ratio, 3), goal }]),
    ),
  );
  const over = delays.filter(({ ratio, goal }) => ratio > goal).length;
  console.log(`${delays.length - over} of ${delays.length} endpoints within their goal.`);
  return over === 0;
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

const options = { profile: { type: 'string' } } as const;

await command({ name: 'bench', usage, options }, ({ values }) =>
  untilEnded((closers) => bench(closers, values.profile)),
);
