import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { command } from '../../../src/cli/support/command.ts';
import { migrateDatabase } from '../../../src/cli/migrations/migrate.ts';
import { webhookId } from '../../../src/kernel/events/send.ts';
import { startNeonEndpoint } from '../../../src/local/neon/index.ts';
import { startPostgres } from '../../../src/local/postgres/index.ts';
import { chanceOf } from '../../harness/chance.ts';
import { Store } from '../../harness/store.ts';
import { untilEnded } from '../ended.ts';
import { World } from './world.ts';

const usage = `npm run launch [-- --orders N --currency CODE --seed N]

Simulates a launch: N orders (5000) within an hour, half of them in the first ten minutes, paid in every way that the
store's currency (IDR, else USD for PayPal) allows. Prints how long messages, deliveries and found payments took; fails if
the last e-mail to a buyer about a new order went out more than five minutes after the order.`;

const hour = 3_600_000;

/** The longest acceptable wait for the e-mail about a new order, in seconds. */
const patience = 300;

interface Row {
  readonly count: number;
  readonly median: number;
  readonly '95 %': number;
  readonly last: number;
}

function rowOf(waits: readonly number[]): Row {
  const sorted = waits.toSorted((a, b) => a - b);
  const at = (part: number) =>
    Math.round(10 * (sorted[Math.floor(part * (sorted.length - 1))] ?? Number.NaN)) / 10;
  return { count: sorted.length, median: at(0.5), '95 %': at(0.95), last: at(1) };
}

async function openStore(closers: AsyncDisposableStack): Promise<Store> {
  const folder = await mkdtemp(join(tmpdir(), 'store-launch-'));
  closers.defer(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), durable: false });
  closers.defer(() => postgres.stop());
  await migrateDatabase(postgres.url);
  const database = new Client({ connectionString: postgres.url });
  await database.connect();
  const neon = await startNeonEndpoint({ resolve: () => postgres.url });
  const store = new Store(database, neon, postgres.url);
  closers.defer(() => store.close());
  return store;
}

/** Lets the orders come in, and then two hours pass for the remaining work. */
async function launch(world: World, orders: number, chance: () => number): Promise<void> {
  const { timeline, ways } = world;
  const start = timeline.now();
  for (let n = 0; n < orders; n++) {
    const span = n % 2 === 0 ? hour / 6 : hour;
    const way = ways[n % ways.length] ?? 'manual';
    timeline.at(start + Math.floor(chance() * span), () => world.order(`b${n}`, way, chance));
  }
  for (let minute = 1; minute <= 180; minute++) {
    await world.until(start + minute * 60_000);
    if (minute % 10 === 0) process.stderr.write(`  ${minute} minutes\n`);
  }
}

async function messageWaits(store: Store): Promise<Map<string, number[]>> {
  const { rows } = await store.database.query<{ kind: string; wait: string | null }>(
    `select kind, extract(epoch from sent_at - created_at) as wait from messages
      where status in ('sent', 'queued', 'failed')`,
  );
  const waits = new Map<string, number[]>();
  for (const [kind, found] of Map.groupBy(rows, (row) => row.kind)) {
    waits.set(
      kind,
      found.map(({ wait }) => (wait === null ? Infinity : Number(wait))),
    );
  }
  return waits;
}

/** Reads the seconds from a payment until its order was paid, by gateway; Infinity for payments that were not found. */
async function paymentWaits({ store, paid }: World): Promise<(readonly [string, number[]])[]> {
  const { rows } = await store.database.query<{ id: string; gateway: string; at: Date | null }>(
    'select id, payment_gateway as gateway, paid_at as at from orders where id = any($1)',
    [[...paid.keys()]],
  );
  const wait = ({ id, at }: (typeof rows)[number]) =>
    at === null ? Infinity : (at.getTime() - (paid.get(Number(id)) ?? 0)) / 1000;
  const byGateway = Map.groupBy(rows, ({ gateway }) => gateway);
  return [...byGateway].map(([gateway, found]) => [`payment: ${gateway}`, found.map(wait)]);
}

/** Reads the seconds from events to their deliveries, by webhook; Infinity for events that never came. */
async function deliveryWaits({ store, delivered }: World) {
  const { rows } = await store.database.query<{ name: string; event_id: string; at: Date }>(
    `select w.name, o.event_id, o.created_at as at from outbox o join webhooks w on w.id = o.webhook_id`,
  );
  const byWebhook = Map.groupBy(rows, ({ name }) => name);
  return [...delivered].map(([name, came]) => {
    const wait = ({ event_id, at }: (typeof rows)[number]) =>
      ((came.get(webhookId(event_id)) ?? Infinity) - at.getTime()) / 1000;
    return [`webhook: ${name}`, (byWebhook.get(name) ?? []).map(wait)] as const;
  });
}

async function report(world: World): Promise<boolean> {
  const messages = await messageWaits(world.store);
  const deliveries = await deliveryWaits(world);
  const rows = [
    ...[...messages].map(([kind, waits]) => [`e-mail: ${kind}`, waits] as const),
    ...deliveries,
    ...(await paymentWaits(world)),
  ];
  console.log('Seconds waited');
  console.table(Object.fromEntries(rows.map(([name, waits]) => [name, rowOf(waits)])));
  const last = rowOf(messages.get('order-placed') ?? []).last;
  for (const line of world.logs) console.log('The scheduler logged:', JSON.stringify(line));
  const missed = rows.filter(([, waits]) => waits.includes(Infinity)).map(([name]) => name);
  if (missed.length > 0) console.log(`Never done in part: ${missed.join(', ')}.`);
  console.log(
    `The last e-mail about a new order went out ${last} s after it; ${patience} s may pass.`,
  );
  return last <= patience && missed.length === 0 && world.logs.length === 0;
}

const options = {
  orders: { type: 'string', default: '5000' },
  currency: { type: 'string', default: 'IDR' },
  seed: { type: 'string', default: String(Date.now() % 1_000_000) },
} as const;

await command({ usage, options }, ({ values }) =>
  untilEnded(async (closers) => {
    console.log(`${values.orders} orders in ${values.currency}, seed ${values.seed}`);
    const world = new World(await openStore(closers), values.currency);
    closers.defer(() => world.close());
    await world.open();
    await launch(world, Number(values.orders), chanceOf(Number(values.seed)));
    if (!(await report(world))) process.exitCode = 1;
  }),
);
