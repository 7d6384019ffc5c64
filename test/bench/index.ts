import { endpoints } from '../../src/endpoints.ts';
import type { Scene } from '../contract/scene.ts';
import { type CpuTimes, cpuTimes } from './cpu.ts';
import { measureDelays } from './delays.ts';
import { openShop, orderRequests, placeOrders } from './fill.ts';
import { type Request, load } from './load.ts';
import { type Target, measureRates } from './rates.ts';
import { exampleRequest } from './requests.ts';
import { type Stage, onStage } from './stage.ts';

/** The endpoints that are called most; each but the orders by its example. */
const hottest = [
  'me.get',
  'me.homeSummary',
  'me.orders',
  'products.list',
  'access.check',
  'licenses.validate',
  'checkout.calculate',
  'sessions.create',
];

const say = (text: string) => process.stderr.write(text);

await onStage(
  (what) => say(`${what}\n`),
  async (stage) => {
    const targets = await targetsOf(stage);
    say('Requests a second beside a bare worker that asks `SELECT 1`, 16 callers');
    const rates = await measureRates(targets, { rounds: 7, callers: 16, milliseconds: 600 }, () =>
      say('.'),
    );
    say('\nProcessor time');
    const shares = new Map<string, CpuTimes>();
    for (const { name, next } of targets) {
      shares.set(name, await processorTime(next, stage));
      say('.');
    }
    say('\n');
    console.table(
      Object.fromEntries(
        rates.map(({ name, perSecond, p50, p99, ratio }) => [
          name,
          {
            'req/s': round(perSecond, 0),
            p50: round(p50, 1),
            p99: round(p99, 1),
            ratio: round(ratio, 2),
            ...shares.get(name),
          },
        ]),
      ),
    );
    await showDelays(stage);
  },
);

async function targetsOf({ scene, service, floor }: Stage): Promise<Target[]> {
  const base = `${service}/api/svc/v1`;
  const key = await scene.credentials({ access: { kind: 'key' } } as never, {});
  const shop = await openShop(scene);
  const place = orderRequests(base, key, shop);
  say('1,000 orders\n');
  await placeOrders(place, 1000);
  await scene.store.database.query('analyze');
  const { rows } = await scene.store.database.query<{ id: string }>('select id from orders');
  let read = 0;
  const readOrder = () => ({
    method: 'GET',
    url: `${base}/orders/${rows[read++ % rows.length]?.id}`,
    headers: key,
  });
  const always = (request: Request) => () => request;
  return [
    { name: 'SELECT 1', next: always({ method: 'GET', url: floor }) },
    { name: 'orders.list', next: always({ method: 'GET', url: `${base}/orders`, headers: key }) },
    { name: 'orders.get', next: readOrder },
    ...(await Promise.all(
      hottest.map(async (id) => ({
        name: id,
        next: always(await exampleRequest(scene, declared(id), service)),
      })),
    )),
    { name: 'orders.create', next: place },
  ];
}

function declared(id: string) {
  const endpoint = endpoints.find((one) => one.id === id);
  if (!endpoint) throw new Error(`There is no endpoint ${id}.`);
  return endpoint;
}

/** Milliseconds of processor time a request takes, by who spends them. */
async function processorTime(next: () => Request, { processes }: Stage): Promise<CpuTimes> {
  const count = 400;
  const before = await cpuTimes(processes);
  await load(next, { callers: 8, count });
  const after = await cpuTimes(processes);
  const each = Object.entries(after).map(([name, used]) => {
    return [`cpu ${name}`, round((used - (before[name] ?? 0)) / count, 2)];
  });
  return Object.fromEntries(each) as CpuTimes;
}

async function showDelays({ scene, delayed }: { scene: Scene; delayed: string }): Promise<void> {
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
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
