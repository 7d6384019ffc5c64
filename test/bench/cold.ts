import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { command } from '../../src/cli/support/command.ts';
import { buildWorker, runBareWorkerd } from '../../src/local/worker/index.ts';
import { StoreFixture } from '../harness/store-fixture.ts';
import type { Store } from '../harness/store.ts';
import { cpuTimeOf } from './cpu.ts';
import { untilEnded } from './ended.ts';
import { type Request, timed } from './load.ts';
import { openStore } from './stage.ts';

const usage = `npm run bench:cold [-- --beside FILE]

Measures how long a worker takes to start and to answer its first request, against bare workers: one of Hono, and one
that asks the database \`select 1\`. It runs what \`npm run deploy -- --dry-run --outdir\` writes,
and for the page of a product the same with the module \`shop\`.

  --beside FILE   measures the worker in this file as well, in the same rounds`;

const rounds = 15;

const root = resolve(import.meta.dirname, '../..');

interface Start {
  readonly name: string;
  readonly script: string;
  readonly bindings: Record<string, string>;
  readonly request: Omit<Request, 'url'> & { readonly path: string };
}

interface Times {
  /** Milliseconds from the start of the process to the end of its first answer. */
  readonly passed: number;
  /** Milliseconds of processor time: in all, and in the first request. */
  readonly cpu: number;
  readonly ofRequest: number;
}

async function bench(closers: AsyncDisposableStack, beside: string | undefined): Promise<void> {
  console.error('PostgreSQL, the workers');
  const { store, endpoint } = await openStore(closers);
  const requests = await requestsOf(store);
  const worker = (script: string, suffix = '') =>
    requests.map((start) => ({ ...start, script, name: start.name + suffix }));
  const starts: Start[] = [
    ...(await bareStarts(requests[0].bindings)),
    ...worker(await deployedWorker()),
    await productPage(store, requests[0].bindings),
    ...(beside === undefined ? [] : worker(await readFile(beside, 'utf8'), ', beside')),
  ];
  const times = new Map<string, Times[]>(starts.map(({ name }) => [name, []]));
  // The first round fills the caches of the machine.
  for (let round = 0; round <= rounds; round++) {
    console.error(`Round ${round} of ${rounds}`);
    for (const start of starts) {
      const measured = await measure(start, endpoint);
      if (round > 0) times.get(start.name)?.push(measured);
    }
  }
  report(times);
}

/**
 * Builds the worker as it is deployed.
 * @returns its text
 */
async function deployedWorker(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cold-'));
  try {
    const deploy = [join(root, 'src/cli/deploy.ts'), '--dry-run', '--outdir', folder];
    await promisify(execFile)(process.execPath, deploy);
    return await readFile(join(folder, 'worker.js'), 'utf8');
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function bareStarts({ DATABASE_URL = '' }: Record<string, string>): Promise<Start[]> {
  const bare = (name: string) => buildWorker(join(import.meta.dirname, name));
  const request = { method: 'GET', path: '/' };
  const QUERIES = JSON.stringify({ '/': [{ text: 'select 1', params: [] }] });
  return [
    { name: 'bare', script: await bare('hono.ts'), bindings: {}, request },
    {
      name: 'bare_query',
      script: await bare('bare.ts'),
      bindings: { DATABASE_URL, QUERIES },
      request,
    },
  ];
}

async function requestsOf(store: Store) {
  const bindings = { ...(await store.environment), MODULES: '', ENVIRONMENT: 'production' };
  const fixture = await StoreFixture.open(store);
  const { id: product_id } = await fixture.newProduct();
  const { id: user_id } = await fixture.newUser();
  await fixture.newOrder({ product_id, user_id });
  const key = { authorization: `Bearer ${(await store.createKey()).token}` };
  const session = { authorization: `Bearer ${await store.token(user_id)}` };
  const body = JSON.stringify({ product_id, user_id });
  const get = (path: string, headers = {}) => ({ method: 'GET', path, headers });
  const orders = '/api/svc/v1/orders';
  return [
    { name: 'healthz', bindings, request: get('/healthz') },
    { name: 'me', bindings, request: get('/api/svc/v1/me', session) },
    { name: 'orders', bindings, request: get(orders, key) },
    { name: 'create', bindings, request: { method: 'POST', path: orders, headers: key, body } },
  ] as const;
}

/** The page of a product, from a worker that is built with the shop. */
async function productPage(store: Store, bindings: Record<string, string>): Promise<Start> {
  const fixture = await StoreFixture.open(store);
  const { slug } = await fixture.newProduct();
  return {
    name: 'product',
    script: await buildWorker(join(root, 'src/worker.ts'), { modules: ['shop'] }),
    bindings: { ...bindings, MODULES: 'shop' },
    request: { method: 'GET', path: `/product/${slug}` },
  };
}

async function measure(
  { script, bindings, request: { path, ...request } }: Start,
  neonUrl: string,
): Promise<Times> {
  const started = performance.now();
  const worker = await runBareWorkerd({
    ...{ script, bindings, neonUrl },
    compatibilityDate: '2026-10-20',
    compatibilityFlags: ['global_fetch_strictly_public'],
  });
  const loaded = await cpuTimeOf(worker.pid);
  const agent = new Agent();
  await timed({ ...request, url: worker.url + path }, agent);
  const passed = performance.now() - started;
  const cpu = await cpuTimeOf(worker.pid);
  agent.destroy();
  await worker.kill();
  return { passed, cpu, ofRequest: cpu - loaded };
}

/** Prints a table, then the medians as one line of JSON. */
function report(times: ReadonlyMap<string, readonly Times[]>): void {
  const rows = [...times].map(([name, all]) => {
    const sorted = all.map(({ passed }) => passed).toSorted((one, other) => one - other);
    const [low, median, high] = [0.25, 0.5, 0.75].map((part) => round(quantile(sorted, part)));
    // The kernel counts in ticks: only the mean of many is exact.
    const processor = round(mean(all.map(({ cpu }) => cpu)));
    const request = round(mean(all.map(({ ofRequest }) => ofRequest)));
    return { name, median, quartiles: `${low}–${high}`, processor, 'of it first request': request };
  });
  console.log(
    'Milliseconds from the start of the process to its first answer, and those of a processor:',
  );
  console.table(Object.fromEntries(rows.map(({ name, ...row }) => [name, row])));
  console.log(JSON.stringify(Object.fromEntries(rows.map(({ name, median }) => [name, median]))));
}

const quantile = (sorted: readonly number[], part: number) =>
  sorted[Math.round((sorted.length - 1) * part)] ?? NaN;

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const round = (value: number) => Number(value.toFixed(1));

const options = { beside: { type: 'string' } } as const;

await command({ usage, options }, ({ values }) =>
  untilEnded((closers) => bench(closers, values.beside)),
);
