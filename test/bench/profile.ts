import { resolve } from 'node:path';
import { Client } from 'pg';
import { buildWorker } from '../../src/local/worker/index.ts';
import { cpuPerRequest, cpuTimes } from './cpu.ts';
import { type Sampled, freePort, sampled } from './inspector.ts';
import { load } from './load.ts';
import { openBench } from './open.ts';
import type { Goal } from './targets.ts';

const count = 600;

const statistics = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track': 'all',
  'pg_stat_statements.track_planning': 'on',
};

/** Prints the time of a kind of request by process, by statement and by function. */
export async function profile(closers: AsyncDisposableStack, goal: Goal): Promise<void> {
  const inspectorPort = await freePort();
  const bench = await openBench(closers, { port: 0, inspectorPort, settings: statistics });
  const next = goal.requests(bench);
  const send = () => load(next, { callers: 16, count });
  await send();

  const before = await cpuTimes();
  await send();
  console.log(`Milliseconds of processor time a ${goal.name} takes:`);
  console.table(rounded(cpuPerRequest(before, await cpuTimes(), count)));
  await showStatements(bench.database_url, send);
  await showFunctions(inspectorPort, send);
}

/** Prints PostgreSQL's times of statements; those within functions count for the functions, too. */
async function showStatements(databaseUrl: string, send: () => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('create extension if not exists pg_stat_statements');
  await client.query('select pg_stat_statements_reset()');
  await send();
  const { rows } = await client.query<Record<string, string>>(
    `select round(calls / $1::numeric, 2) as calls,
            round(total_plan_time::numeric / $1, 3) as planning,
            round(total_exec_time::numeric / $1, 3) as running,
            case when toplevel then '' else '  ' end
              || left(regexp_replace(query, '\\s+', ' ', 'g'), 110) as statement
       from pg_stat_statements
      where dbid = (select oid from pg_database where datname = current_database())
      order by total_plan_time + total_exec_time desc limit 30`,
    [count],
  );
  await client.end();
  console.log('Its statements, in milliseconds; indented are those within functions:');
  for (const { calls, planning, running, statement } of rows) {
    console.log([calls, planning, running].map((n) => n?.padStart(8)).join(''), statement);
  }
}

async function showFunctions(port: number, send: () => Promise<unknown>): Promise<void> {
  const fileAt = await filesOfWorker();
  const functions = (await sampled(port, send)).filter(({ name }) => name !== '(idle)');
  const described = functions.map((one) => {
    const file = one.name.startsWith('(') ? one.name : fileAt(one);
    return { ...one, part: partOf(file), name: `${one.name} ${file}` };
  });
  console.log('The worker, in milliseconds of a request, by part:');
  printSums(described.map(({ part, milliseconds }) => [part, milliseconds]));
  console.log('By function, without those it calls:');
  printSums(described.map(({ name, milliseconds }) => [name, milliseconds]));
}

function printSums(times: readonly (readonly [string, number])[]): void {
  const sums = new Map<string, number>();
  for (const [name, time] of times) sums.set(name, (sums.get(name) ?? 0) + time / count);
  const sorted = [...sums].toSorted(([, a], [, b]) => b - a);
  for (const [name, sum] of sorted.slice(0, 25)) console.log(sum.toFixed(3).padStart(8), name);
}

/** Returns a function that finds the source file of a line of the bundle. */
async function filesOfWorker(): Promise<(of: Sampled) => string> {
  const entry = resolve(import.meta.dirname, '../../src/worker.ts');
  let file = '';
  const files = (await buildWorker(entry, { minify: false })).split('\n').map((line) => {
    file = /^\/\/ (\S+\.m?[jt]s)$/.exec(line)?.[1] ?? file;
    return file;
  });
  return ({ line }) => files[line] || '(workerd)';
}

/** A package, or two folders of ours. */
const partOf = (file: string): string =>
  /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? file.split('/').slice(0, 3).join('/');

const rounded = (times: Record<string, number>) =>
  Object.fromEntries(Object.entries(times).map(([name, time]) => [name, Number(time.toFixed(2))]));
