import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type WorkerSetup, runBareWorkerd, runWorker } from '../../../src/local/worker/index.ts';
import { useStore } from '../../harness/store.ts';
import { workerSetup } from './fixtures/workerd.ts';
import { type Owned, PostOffice } from './post-office.ts';
import { useReceiver } from './receiver.ts';

const shop = useStore();
const receiver = useReceiver();

let setup: WorkerSetup;
let key: string;
beforeAll(async () => {
  setup = { ...(await workerSetup(shop.store)), devOutbound: true };
  key = (await shop.store.createKey()).token;
});

/** A worker that doesn't outlive its test. */
async function started() {
  const worker = await runBareWorkerd(setup);
  onTestFinished(() => worker.kill());
  return worker;
}

/** Makes a product: one `product.created`. */
const makeProduct = ({ url }: { url: string }) =>
  fetch(`${url}/api/svc/v1/products`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Course', price: 100 }),
  });

/** Lets every lease and every wait of a retry pass. */
const passTime = () =>
  shop.store.database.query(
    `update outbox set lease_until = lease_until - interval '1 day',
            next_attempt_at = next_attempt_at - interval '1 day' where delivered_at is null`,
  );

const waiting = async () => {
  const { rowCount } = await shop.store.database.query(
    'select from outbox where delivered_at is null',
  );
  return rowCount ?? 0;
};

/** Resolves when a worker is where it is to be killed, and lets go of what was held for that. */
interface Arrival {
  readonly there: Promise<unknown>;
  readonly release: () => void;
}

/** Where a worker is killed, and whether the receiver gets its delivery again because of it. */
const points: [where: string, again: boolean, arrive: () => Arrival][] = [
  ['before its claim is committed', false, () => held('set lease_token')],
  [
    'when the receiver has not answered yet',
    true,
    () => {
      const there = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      receiver.answer = async () => {
        there.resolve();
        await released.promise;
        return null;
      };
      return { there: there.promise, release: released.resolve };
    },
  ],
  ['before its write-back is committed', true, () => held('svc_record_deliveries')],
  [
    'the moment its answer is there',
    false,
    () => ({ there: Promise.resolve(), release: () => {} }),
  ],
];

function held(statement: string): Arrival {
  const fault = shop.store.neon.faults.next({ statement, hold: true });
  return { there: fault.reached, release: () => fault.release() };
}

describe('A worker that is killed', () => {
  let webhook: Owned;
  let office: PostOffice;
  const rounds = 6;

  beforeAll(async () => {
    office = await PostOffice.open(shop.store);
    webhook = await office.webhook(receiver.url('/events'), { events: ['product.created'] });
  });

  test.each(points)(`${rounds} times, %s, loses nothing`, async (_, again, arrive) => {
    const before = receiver.received.length;
    for (let round = 0; round < rounds; round++) {
      const worker = await started();
      const { there, release } = arrive();
      expect((await makeProduct(worker)).status).toBe(201);
      await there;
      await worker.kill();
      release();
      receiver.answer = () => ({});
      shop.store.neon.faults.clear();
    }
    await passTime();
    const worker = await started();
    for (let sweep = 0; sweep < 5 && (await waiting()) > 0; sweep++) {
      await fetch(`${worker.url}/cron`);
    }

    const sent = (await office.outbox(webhook)).map(({ event_id }) => `evt_${event_id}`);
    const arrived = receiver.at('/events').map(({ headers }) => headers['webhook-id']);
    expect(new Set(arrived)).toEqual(new Set(sent));
    expect(receiver.received.length - before).toBeGreaterThanOrEqual(again ? 2 * rounds : rounds);
    const { body } = await office.feed(webhook, { limit: 250 });
    const told = body.data.map((entry: { data: { object_id: number } }) => entry.data.object_id);
    expect(told).toHaveLength(sent.length);
    expect(new Set(told).size).toBe(sent.length);
  });
});

test('The cron of the built worker delivers what waits', async () => {
  const office = await PostOffice.open(shop.store);
  const webhook = await office.webhook(receiver.url('/cron'), { events: ['user.deleted'] });
  await shop.store.database.query(
    `insert into outbox (webhook_id, event_id, event, object_id, data, created_at, next_attempt_at)
     select $1, gen_random_uuid(), 'user.deleted', n, '{"id":1}', now(), now() from generate_series(1, 30) n`,
    [webhook.id],
  );
  const worker = await runWorker(setup);
  onTestFinished(() => worker.dispose());
  expect(await worker.scheduled('* * * * *')).toBe('ok');
  expect(receiver.at('/cron')).toHaveLength(30);
});
