import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished } from 'vitest';
import { type WorkerSetup, runBareWorkerd, runWorker } from '../../../src/local/worker/index.ts';
import { useStore } from '../../harness/store.ts';
import { Simulated } from '../../jobs/simulated.ts';
import { workerSetup } from './fixtures/workerd.ts';
import { PostOffice } from './post-office.ts';
import { useReceiver } from './receiver.ts';
import { long } from '../../harness/long.ts';

// Kills workers in workerd. The scheduler that they wake belongs to the test, and so does its time, which passes faster
// between kills than the workers' real time.

const opened = useStore();
const receiver = useReceiver();
const minute = 60_000;

let office: PostOffice;
let setup: WorkerSetup;
let key: string;
let webhook: number;
let scheduler: Simulated;

/** A server by which workers wake the scheduler. */
const door = createServer((_request, response) => {
  opened.store.clock.set(new Date().toISOString());
  void scheduler.wake().then(() => response.end());
});

beforeAll(async () => {
  const { store } = opened;
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  const address = door.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  setup = { ...(await workerSetup(store)), devOutbound: true };
  setup.bindings = { ...setup.bindings, SCHEDULER_URL: `http://127.0.0.1:${port}/` };
  store.clock.set(new Date().toISOString());
  key = (await store.createKey()).token;
  office = await PostOffice.open(store);
  webhook = (await office.webhook(receiver.url('/events'), { events: ['product.created'] })).id;
});

afterAll(() => {
  door.close();
});

/** A worker that ends with its test, with a new scheduler. */
async function started(bindings: Record<string, string> = {}) {
  scheduler = new Simulated(opened.store);
  const worker = await runBareWorkerd({ ...setup, bindings: { ...setup.bindings, ...bindings } });
  onTestFinished(() => worker.kill());
  return worker;
}

/**
 * Makes a product, which causes one `product.created`.
 * @returns the status of the answer
 */
async function makeProduct({ url }: { url: string }): Promise<number> {
  const response = await fetch(`${url}/api/svc/v1/products`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Course', price: 100 }),
  });
  await response.text();
  return response.status;
}

/** Events that were written, and those that arrived. */
const written = async () =>
  new Set((await office.outbox({ id: webhook })).map(({ event_id }) => `evt_${event_id}`));
const arrived = () =>
  new Set(receiver.at('/events').map(({ headers }) => headers['webhook-id'] ?? ''));

interface Arrival {
  /** Resolves when the worker has reached the point. */
  readonly there: Promise<unknown>;
  readonly release: () => void;
  /** The expected status at this point; undefined if any is right. */
  readonly status?: number;
}

function held(statement: string): Arrival {
  const fault = opened.store.neon.faults.next({ statement, hold: true });
  return { there: fault.reached, release: () => fault.release(), status: 201 };
}

const points: Readonly<Record<string, () => Arrival>> = {
  'once its write is committed, of which it never hears': () => {
    const { faults } = opened.store.neon;
    faults.next({ statement: 'svc_publish_events', cut: 'after commit' });
    return { there: Promise.resolve(), release: () => {}, status: 503 };
  },
  'the moment its answer is there': () => ({
    there: Promise.resolve(),
    release: () => {},
    status: 201,
  }),
  'before its claim is committed': () => held('set lease_token'),
  'when the receiver has not answered yet': () => {
    const there = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    receiver.answer = async () => {
      there.resolve();
      await released.promise;
      return null;
    };
    return { there: there.promise, release: released.resolve, status: 201 };
  },
  'before its write-back is committed': () => held('svc_record_deliveries'),
};

/**
 * Kills a worker at a point.
 * @returns the time
 */
async function killed(point: () => Arrival, bindings?: Record<string, string>): Promise<Date> {
  const worker = await started(bindings);
  const { there, release, status } = point();
  expect(await makeProduct(worker)).toBe(status);
  await there;
  await worker.kill();
  const at = new Date();
  release();
  receiver.answer = () => ({});
  opened.store.neon.faults.clear();
  opened.store.clock.set(at.toISOString());
  return at;
}

const rounds = inject('kills') ?? 3;

describe('A worker that wakes the scheduler and is killed', () => {
  long.each(Object.entries(points))(
    `${rounds} times, %s, has everything delivered within a minute`,
    { timeout: 120_000 },
    async (_, point) => {
      for (let round = 0; round < rounds; round++) {
        const before = (await written()).size;
        const at = await killed(point);
        await scheduler.until(new Date(at.getTime() + minute));
        const events = await written();
        expect(events.size).toBe(before + 1);
        expect(arrived()).toEqual(events);
      }
    },
  );

  long('has each event in the feed once', async () => {
    const { body } = await office.feed({ id: webhook }, { limit: 250 });
    const told = body.data.map((entry: { data: { object_id: number } }) => entry.data.object_id);
    expect(told).toHaveLength(rounds * Object.keys(points).length);
    expect(new Set(told).size).toBe(told.length);
  });

  long(
    'has its event delivered only by the hourly cron if it wakes the scheduler after the commit instead of before',
    async () => {
      const point = points['once its write is committed, of which it never hears'];
      if (!point) throw new Error('There is no such point.');
      const at = await killed(point, { WAKES_AFTERWARDS: 'yes' });
      // The cron may ring within that minute; this test is about alarms.
      for (let ring = scheduler.storage.alarm; ring !== null; ring = scheduler.storage.alarm) {
        await scheduler.until(new Date(ring));
      }
      expect(scheduler.storage.alarm).toBeNull();
      const missing = [...(await written())].filter((id) => !arrived().has(id));
      expect(missing).toHaveLength(1);
      await scheduler.until(new Date(at.getTime() + 60 * minute));
      expect(arrived()).toEqual(await written());
    },
  );
});

long(
  'The cron of a built worker without a scheduler delivers what waits, 30 events in two minutes',
  async () => {
    const waiting = await office.webhook(receiver.url('/cron'), { events: ['user.deleted'] });
    await opened.store.database.query(
      `insert into outbox (webhook_id, event_id, event, object_id, data, created_at, next_attempt_at)
     select $1, gen_random_uuid(), 'user.deleted', n, '{"id":1}', now(), now() from generate_series(1, 30) n`,
      [waiting.id],
    );
    const worker = await runWorker(setup);
    onTestFinished(() => worker.dispose());
    for (let minutes = 0; minutes < 2; minutes++) {
      expect(await worker.scheduled('* * * * *')).toBe('ok');
    }
    expect(receiver.at('/cron')).toHaveLength(30);
  },
);
