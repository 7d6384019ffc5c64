import { command } from '../../src/cli/support/command.ts';
import { untilEnded } from './ended.ts';
import { openBench } from './open.ts';
import { startEndpoint, startWorker } from './processes.ts';
import { profile } from './profile.ts';
import { type Rate, type Target, measureRates, ratioOf } from './rates.ts';
import { sentBy } from './sent.ts';
import { type Bench, type Goal, goals } from './targets.ts';

const usage = `npm run bench [-- --profile NAME]

Measures how many requests a second a store of ORDERS orders answers, beside a bare worker that sends the same queries
and authorises nobody. Fails if a goal is missed.

  --profile NAME   says instead where the time of one kind of request goes`;

const limits = { rounds: 7, callers: 16, milliseconds: 600 };

const say = (text: string) => process.stderr.write(text);

interface Found {
  readonly goal: Goal;
  readonly rate: Rate;
  readonly bare: Rate | undefined;
}

async function bench(closers: AsyncDisposableStack, name: string | undefined): Promise<void> {
  if (name !== undefined) return profile(closers, goalOf(name));
  const store = await openBench(closers, { port: 0 });
  const found = await measure(store, await openBare(closers, store));
  console.table(Object.fromEntries(found.map((one) => [one.goal.name, shown(one)])));
  console.log('Milliseconds of processor time a request takes:');
  console.table(Object.fromEntries(found.flatMap(cpuShown)));
  for (const { goal } of found.filter(isMissed)) {
    console.log(`Where the time goes: npm run bench -- --profile ${goal.name}`);
    process.exitCode = 1;
  }
}

function goalOf(name: string): Goal {
  const goal = goals.find((one) => one.name === name);
  if (goal) return goal;
  throw new Error(`--profile takes one of ${goals.map((one) => one.name).join(', ')}.`);
}

async function openBare(closers: AsyncDisposableStack, store: Bench): Promise<string> {
  const sent = goals.flatMap(({ name, bare }) =>
    bare ? [sentBy(bare(store)).then((query) => [`/${name}`, query] as const)] : [],
  );
  return startWorker(closers, './bare.ts', {
    neonUrl: await startEndpoint(closers, store.database_url),
    bindings: {
      // The driver requires the public form; the endpoint knows the real address.
      DATABASE_URL: 'postgres://service:secret@db.example.test/store',
      QUERIES: JSON.stringify(Object.fromEntries(await Promise.all(sent))),
    },
  });
}

async function measure(store: Bench, bareUrl: string): Promise<Found[]> {
  const targets: Target[] = goals.flatMap(({ name, requests, bare }) => [
    { name, next: requests(store) },
    ...(bare
      ? [{ name: `${name}, bare`, next: () => ({ method: 'GET', url: `${bareUrl}/${name}` }) }]
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
    const rate = of(goal.name);
    return rate ? [{ goal, rate, bare: of(`${goal.name}, bare`) }] : [];
  });
}

function shown(found: Found) {
  const { goal, rate, bare } = found;
  return {
    'a second': round(rate.perSecond, 1),
    ...(bare && {
      'bare, a second': round(bare.perSecond, 1),
      'of bare': round(ratioOf(rate, bare), 2),
      goal: goal.ofBare ?? '',
    }),
    p50: round(rate.p50, 1),
    p99: round(rate.p99, 1),
    ' ': isMissed(found) ? 'MISSED' : '',
  };
}

const isMissed = ({ goal, rate, bare }: Found): boolean =>
  goal.ofBare !== undefined && bare !== undefined && ratioOf(rate, bare) < goal.ofBare;

function cpuShown({ goal, rate, bare }: Found) {
  return Object.entries({ [goal.name]: rate, [`${goal.name}, bare`]: bare }).flatMap(
    ([name, one]) => {
      if (!one) return [];
      const times = Object.entries(one.cpu).map(([role, time]) => [role, round(time, 2)]);
      return [[name, Object.fromEntries(times) as Record<string, number>] as const];
    },
  );
}

const round = (value: number, digits: number) => Number(value.toFixed(digits));

const options = { profile: { type: 'string' } } as const;

await command({ usage, options }, ({ values }) =>
  untilEnded((closers) => bench(closers, values.profile)),
);
