import { resolve } from 'node:path';
import { checkOutBefore } from './before.ts';
import { startChild, startEndpoint, startWorker } from './processes.ts';
import { type Rate, type Target, measureRates, ratioOf } from './rates.ts';
import { sentBy } from './sent.ts';
import { type Bench, type Goal, before, goals } from './targets.ts';

const root = resolve(import.meta.dirname, '../..');
const limits = { rounds: 7, callers: 16, milliseconds: 600 };

const say = (text: string) => process.stderr.write(text);

/** The addresses that are compared. */
interface Sides {
  readonly now: Bench;
  readonly before: Bench | undefined;
  /** Of the bare worker. */
  readonly bare: string;
}

/** The results for a goal on each side. */
interface Found {
  readonly goal: Goal;
  readonly now: Rate;
  readonly before: Rate | undefined;
  readonly bare: Rate | undefined;
}

/**
 * Prints how this tree compares with an earlier commit and with a bare worker that sends the same
 * queries, on stores of ORDERS orders. @returns whether every goal is met
 */
export async function compare(closers: AsyncDisposableStack): Promise<boolean> {
  const found = await measure(await openSides(closers));
  console.table(Object.fromEntries(found.map((one) => [one.goal.name, shown(one)])));
  console.log('Milliseconds of processor time a request takes:');
  console.table(Object.fromEntries(found.flatMap(cpuShown)));
  const missed = found.filter((one) => verdict(one) === 'MISSED');
  for (const { goal } of missed) {
    console.log(`Where the time goes: npm run bench -- --profile ${goal.name}`);
  }
  return missed.length === 0;
}

/** Opens the same store in this tree and in the earlier one, and the bare worker beside this one. */
async function openSides(closers: AsyncDisposableStack): Promise<Sides> {
  const serve = (tree: string) =>
    startChild<Bench>(closers, resolve(tree, 'test/bench/serve.ts'), [], { PORT: '0' });
  say('This tree: ');
  const now = await serve(root);
  const tree = await checkOutBefore(closers);
  if (tree) say(`Commit ${before}: `);
  else {
    say(`This clone doesn't have commit ${before}: nothing is compared with it. Where the clone is
shallow, \`git fetch --unshallow\` brings it.\n`);
  }
  const sides = { now, before: tree ? await serve(tree) : undefined };
  return { ...sides, bare: await openBare(closers, now) };
}

async function openBare(closers: AsyncDisposableStack, bench: Bench): Promise<string> {
  const queries = goals.flatMap(({ name, bare }) => (bare ? [{ name, read: bare(bench) }] : []));
  const sent = queries.map(async ({ name, read }) => [`/${name}`, await sentBy(read)] as const);
  return startWorker(closers, './bare.ts', {
    neonUrl: await startEndpoint(closers, bench.database_url),
    bindings: {
      // The driver wants the public form; the endpoint knows the real address.
      DATABASE_URL: 'postgres://service:secret@db.example.test/store',
      QUERIES: JSON.stringify(Object.fromEntries(await Promise.all(sent))),
    },
  });
}

async function measure(sides: Sides): Promise<Found[]> {
  const targets: Target[] = goals.flatMap(({ name, requests, bare }) => [
    ...(sides.before ? [{ name: `${name}, before`, next: requests(sides.before) }] : []),
    { name, next: requests(sides.now) },
    ...(bare
      ? [{ name: `${name}, bare`, next: () => ({ method: 'GET', url: `${sides.bare}/${name}` }) }]
      : []),
  ]);
  const rates = await measureRates(targets, limits, (round) =>
    say(
      round === 0
        ? 'Warming up'
        : `\r${limits.callers} callers, round ${round} of ${limits.rounds}`,
    ),
  );
  say('\n');
  const of = (name: string) => rates.find((rate) => rate.name === name);
  return goals.flatMap((goal) => {
    const now = of(goal.name);
    if (!now) return [];
    return [{ goal, now, before: of(`${goal.name}, before`), bare: of(`${goal.name}, bare`) }];
  });
}

function shown(found: Found) {
  const { goal, now, before: then, bare } = found;
  return {
    ...(then && { 'before/s': round(then.perSecond, 1) }),
    'now/s': round(now.perSecond, 1),
    ...(then && {
      times: round(ratioOf(now, then), 2),
      'by cpu': round(served(then) / served(now), 2),
    }),
    ...(goal.faster && { goal: goal.faster }),
    ...(bare && {
      'bare/s': round(bare.perSecond, 1),
      'of bare': round(ratioOf(now, bare), 2),
      'goal of bare': goal.ofBare,
    }),
    p50: round(now.p50, 1),
    p99: round(now.p99, 1),
    ' ': verdict(found),
  };
}

/** Returns the processor time of a request without its caller, which hardly depends on other processes. */
const served = ({ cpu }: Rate) => cpu.database + cpu.endpoint + cpu.worker;

/** Tells if a goal is met, as far as there are sides to compare. */
function verdict({ goal, now, before: then, bare }: Found): string {
  const checks = [
    ...(goal.faster && then ? [ratioOf(now, then) >= goal.faster] : []),
    ...(goal.ofBare && bare ? [ratioOf(now, bare) >= goal.ofBare] : []),
  ];
  if (checks.length === 0) return '';
  return checks.every(Boolean) ? 'met' : 'MISSED';
}

function cpuShown({ goal, now, before: then, bare }: Found) {
  const sides = { [`${goal.name}, before`]: then, [goal.name]: now, [`${goal.name}, bare`]: bare };
  return Object.entries(sides).flatMap(([name, rate]) => {
    if (!rate) return [];
    const times = Object.entries(rate.cpu).map(([role, time]) => [role, round(time, 2)]);
    return [[name, Object.fromEntries(times) as Record<string, number>] as const];
  });
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
