import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, onTestFinished } from 'vitest';
import { checkIntegrity } from '../../src/cli/integrity/index.ts';
import { migrateDatabase } from '../../src/cli/migrations/migrate.ts';
import { startNeonEndpoint } from '../../src/local/neon/index.ts';
import { type Postgres, startPostgres } from '../../src/local/postgres/index.ts';
import { StoreFixture } from '../harness/store-fixture.ts';
import { Store, setCurrency } from '../harness/store.ts';

/** Ways to end a server: all processes at once, or only the first one. */
const ways: readonly ((postgres: Postgres) => unknown)[] = [
  (postgres) => process.kill(postgres.pid, 'SIGKILL'),
  (postgres) => postgres.kill(),
];

export interface Outcome {
  /** Ordered orders, each under a key of its own. */
  readonly orders: number;
  /** The number of answers, and of 503s among them. */
  readonly answers: number;
  readonly unavailable: number;
  /** Retries that got the stored answer of a request that had ended with 503. */
  readonly replayed: number;
}

/**
 * Kills and restarts PostgreSQL `kills` times, while `callers` place orders and repeat each under its Idempotency-Key
 * until it is answered. Fails unless every answer is a 201 or a 503, every order exists once, and every derived figure
 * is right.
 */
export async function killUnderLoad({ kills = 1, callers = 8 }): Promise<Outcome> {
  const server = await openServer();
  const { store, product, fixture, buyers } = server;
  const orders = new Map<string, number>();
  const seen = { answers: 0, unavailable: 0, replayed: 0 };
  let busy = Promise.withResolvers<void>();
  let busyAt = 0;
  const enough = new AbortController();

  async function place(key: string, user_id: number): Promise<void> {
    const reply = await fixture.api.post(
      '/orders',
      { product_id: product, user_id },
      { headers: { 'idempotency-key': key } },
    );
    seen.answers += 1;
    if (reply.status === 503) {
      seen.unavailable += 1;
      await server.up();
      return place(key, user_id);
    }
    expect(reply.status, JSON.stringify(reply.body)).toBe(201);
    if (reply.headers.get('idempotency-replayed')) seen.replayed += 1;
    orders.set(key, reply.body.data.id);
    if (orders.size >= busyAt) busy.resolve();
  }

  const call = async (user_id: number) => {
    for (let n = 1; !enough.signal.aborted; n++) await place(`${user_id}-${n}`, user_id);
  };
  const work = Promise.all(buyers.slice(0, callers).map(call));
  for (let kill = 0; kill < kills; kill++) {
    busy = Promise.withResolvers();
    busyAt = orders.size + 5 * callers;
    await Promise.race([busy.promise, work]);
    await server.restart(ways[kill % ways.length] as (typeof ways)[number]);
  }
  enough.abort();
  await work;
  await store.settled();

  const check = new Client({ connectionString: server.url() });
  await check.connect();
  try {
    const { rows } = await check.query<{ id: string }>('select id from orders order by id');
    const stored = rows.map(({ id }) => Number(id));
    expect(stored).toEqual([...orders.values()].sort((a, b) => a - b));
    expect(new Set(stored).size).toBe(stored.length);
    const results = await checkIntegrity(check);
    expect(results.filter(({ differences }) => differences > 0)).toEqual([]);
  } finally {
    await check.end();
  }
  return { orders: orders.size, ...seen };
}

/** A store on a durable PostgreSQL of its own. */
async function openServer() {
  const folder = await mkdtemp(join(tmpdir(), 'store-kill-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const start = () => startPostgres({ dataDir: join(folder, 'postgres') });
  let postgres = await start();
  onTestFinished(() => postgres.stop());
  await migrateDatabase(postgres.url);
  const url = () => postgres.url;
  const neon = await startNeonEndpoint({ resolve: url });
  const database = new Client({ connectionString: postgres.url });
  database.on('error', () => {});
  await database.connect();
  await setCurrency(database);
  const store = new Store(database, neon, postgres.url);
  onTestFinished(() => neon.close());
  const fixture = await StoreFixture.open(store);
  const product = await fixture.newProduct({ affiliate: { enabled: true } });
  const buyers = await Promise.all(
    Array.from({ length: 16 }, async () => (await fixture.newUser()).id),
  );
  let up = Promise.resolve();
  const restart = (kill: (server: Postgres) => unknown): Promise<void> => {
    up = (async () => {
      const killed = postgres;
      await kill(killed);
      await killed.kill();
      postgres = await start();
    })();
    return up;
  };
  return { store, fixture, product: product.id, buyers, url, restart, up: () => up };
}
