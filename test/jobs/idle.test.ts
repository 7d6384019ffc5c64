import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newSecret } from '../../src/kernel/events/signing.ts';
import { PostOffice } from '../kernel/events/post-office.ts';
import { useReceiver } from '../kernel/events/receiver.ts';
import { long } from '../harness/long.ts';
import { silence } from '../harness/silence.ts';
import { useStore } from '../harness/store.ts';
import { Simulated } from './simulated.ts';

const opened = useStore();
const receiver = useReceiver();
const day = 86_400;

let scheduler: Simulated;
let office: PostOffice;
let buyer: number;
let course: number;

/** The times of all requests, by path. */
const arrivals: { path: string; at: number }[] = [];
const arrivedAt = (path: string) => arrivals.filter((one) => one.path === path).map(({ at }) => at);

beforeAll(async () => {
  const { store } = opened;
  const environment = await store.environment;
  environment['REMINDER_URL'] = receiver.url('/mail');
  environment['REMINDER_SECRET'] = newSecret();
  await silence(store);
  scheduler = new Simulated(store);
  // Tests replace the access to the scheduler.
  store.scheduler = { getByName: () => scheduler };
  office = await PostOffice.open(store);
  const made = async (path: string, body: object): Promise<number> =>
    (await office.api.post(path, body)).body.data.id;
  buyer = await made('/users', { email: 'buyer@mail.example' });
  course = await made('/products', { title: 'Course', price: 100 });
});

beforeEach(async () => {
  receiver.answer = ({ path }) => {
    arrivals.push({ path, at: opened.store.clock.now().getTime() });
    return {};
  };
  await office.store.settled();
  await scheduler.pass(3600);
  arrivals.length = 0;
  scheduler.looks = 0;
});

const place = async (): Promise<number> =>
  (await office.api.post('/orders', { product_id: course, user_id: buyer })).body.data.id;

const remind = (order_id: number, scheduled_at?: Date) =>
  office.api.post('/reminders', {
    order_id,
    title: 'A word',
    content: 'Thank you.',
    ...(scheduled_at && { scheduled_at: scheduled_at.toISOString() }),
  });

const away = { status: 500, body: 'suspended' };

const inSeconds = (seconds: number) =>
  new Date(opened.store.clock.now().getTime() + seconds * 1000);

describe('A day', () => {
  test('without traffic makes a trip an hour, and none in between', async () => {
    const { trips } = opened.store.neon;
    const before = trips.total;
    await scheduler.pass(day);
    expect(scheduler.looks).toBe(24);
    expect(trips.total - before).toBe(24);
    expect(scheduler.logs).toEqual([]);
  });

  long('with due work wakes the database for it, at the exact moment', async () => {
    const order = await place();
    const paid = await place();
    await office.api.patch(`/orders/${paid}`, { status: 'completed' });
    await scheduler.pass(3 * day - 7200);
    const moments = [100, 5000, 5001, 40_000, 80_000].map(inSeconds);
    for (const moment of moments) await remind(paid, moment);
    await scheduler.pass(60);
    scheduler.looks = 0;
    const before = opened.store.neon.trips.total;
    // The order falls due two hours later.
    await scheduler.pass(day);
    expect(arrivedAt('/mail')).toEqual(moments.map((moment) => moment.getTime()));
    const due = moments.length + 1;
    expect(scheduler.looks).toBeLessThanOrEqual(24 + due);
    // Check before, between and after; queue, claim, fill in, mark as begun, record the outcome, and an empty claim.
    expect(opened.store.neon.trips.total - before).toBeLessThanOrEqual(24 + 9 * due);
    expect((await office.api.get(`/orders/${order}`)).body.data.status).toBe('cancelled');
  });
});

long('A store that sells is checked about once a minute', async () => {
  for (let order = 0; order < 60; order++) {
    await place();
    await scheduler.pass(10);
  }
  await scheduler.pass(60);
  // Within 11 minutes: every 45 seconds, and once at the full hour.
  expect(scheduler.looks).toBeLessThanOrEqual(16);
});

describe('The scheduler is at most a minute late with', () => {
  test('a delivery whose first attempt was never made', async () => {
    const path = '/never-made';
    const webhook = await office.webhook(receiver.url(path), { events: ['product.created'] });
    opened.store.neon.faults.next({ statement: 'set lease_token', times: 3, cut: 'before parse' });
    const written = opened.store.clock.now().getTime();
    await office.product();
    await office.store.settled();
    opened.store.neon.faults.clear();
    expect(arrivedAt(path)).toEqual([]);
    await scheduler.pass(60);
    expect(arrivedAt(path)).toEqual([written + 60_000]);
    await office.api.delete(`/webhooks/${webhook.id}`);
  });

  long('another try at an endpoint that failed', async () => {
    const path = '/failing';
    const webhook = await office.webhook(receiver.url(path), { events: ['product.created'] });
    const { answer } = receiver;
    receiver.answer = async (delivery) => {
      await answer(delivery);
      return { status: arrivedAt(path).length < 4 ? 500 : 200 };
    };
    await office.product();
    await office.store.settled();
    for (let tries = 1; tries < 4; tries++) {
      const [{ next_attempt_at } = {}] = await office.outbox(webhook);
      const due = next_attempt_at?.getTime() ?? 0;
      await scheduler.pass((due - opened.store.clock.now().getTime()) / 1000 + 60);
      const arrived = arrivedAt(path).at(-1) ?? 0;
      expect(arrivedAt(path)).toHaveLength(tries + 1);
      expect(arrived - due).toBeGreaterThanOrEqual(0);
      expect(arrived - due).toBeLessThanOrEqual(60_000);
    }
    await office.api.delete(`/webhooks/${webhook.id}`);
  });

  test('a delivery beside mail that hangs', async () => {
    const path = '/beside';
    const webhook = await office.webhook(receiver.url(path), { events: ['product.created'] });
    const order = await place();
    opened.store.neon.faults.next({ statement: 'set lease_token', times: 3, cut: 'before parse' });
    await office.product();
    await office.store.settled();
    opened.store.neon.faults.clear();
    await remind(order);
    const delivered = Promise.withResolvers<void>();
    const { answer } = receiver;
    receiver.answer = async (delivery) => {
      if (delivery.path === path) delivered.resolve();
      else await delivered.promise;
      return answer(delivery);
    };
    // Times out if one delivery delays the other.
    await scheduler.pass(60);
    expect(arrivals.map((arrival) => arrival.path)).toEqual([path, '/mail']);
    await office.api.delete(`/webhooks/${webhook.id}`);
  });

  long('work that a job announced itself', async () => {
    const path = '/announced';
    const webhook = await office.webhook(receiver.url(path), { events: ['reminder.sent'] });
    const moment = inSeconds(1000);
    await remind(await place(), moment);
    await scheduler.pass(1000);
    expect(arrivedAt('/mail')).toEqual([moment.getTime()]);
    expect(arrivedAt(path)).toEqual([moment.getTime()]);
    await office.api.delete(`/webhooks/${webhook.id}`);
  });

  long(
    'a reminder that is due when it is made, while an earlier alarm rings before its write commits',
    async () => {
      const order = await place();
      await scheduler.pass(3600);
      scheduler.storage.alarm = inSeconds(30).getTime();
      const held = opened.store.neon.faults.next({
        statement: 'insert into "reminders"',
        hold: true,
      });
      const writing = remind(order);
      const due = opened.store.clock.now().getTime();
      await held.reached;
      await scheduler.pass(30);
      expect(arrivedAt('/mail')).toEqual([]);
      held.release();
      await writing;
      await scheduler.pass(30);
      expect(arrivedAt('/mail')).toEqual([due + 60_000]);
    },
  );
});

describe('A scheduler that cannot be reached', () => {
  test('fails no write; it is logged, and the hourly cron does the due work', async () => {
    const order = await place();
    await scheduler.pass(3600);
    const { wake } = scheduler;
    scheduler.wake = () => Promise.reject(new Error('gone'));
    expect((await remind(order)).status).toBe(201);
    expect(opened.store.logs.at(-1)).toMatchObject({
      level: 'error',
      operation: 'reminders.create',
      status: 201,
      error: 'SchedulerUnreachable',
    });
    scheduler.wake = wake;
    await scheduler.pass(3600);
    expect(arrivedAt('/mail')).toHaveLength(1);
  });

  test('is tried again by the next write', async () => {
    const order = await place();
    await scheduler.pass(3600);
    const { wake } = scheduler;
    scheduler.wake = () => Promise.reject(new Error('gone'));
    await remind(order);
    scheduler.wake = wake;
    opened.store.clock.advance(5);
    await remind(order);
    await scheduler.pass(60);
    expect(arrivedAt('/mail')).toHaveLength(2);
  });
});

long(
  'A run that takes more than a minute, so that its own alarm rings, and then fails is followed by another run',
  async () => {
    const order = await place();
    await scheduler.pass(3600);
    const moment = inSeconds(300);
    await remind(order);
    await remind(order, moment);
    const { answer } = receiver;
    receiver.answer = async (delivery) => {
      receiver.answer = answer;
      opened.store.clock.advance(60);
      scheduler.storage.alarm = null;
      void scheduler.run();
      opened.store.neon.faults.next({ statement: 'moments (name, at)', answer: away });
      return answer(delivery);
    };
    await scheduler.pass(300);
    expect(scheduler.logs.splice(0)).toMatchObject([{ job: 'scheduler' }]);
    expect(arrivedAt('/mail')).toHaveLength(2);
    expect(arrivedAt('/mail').at(-1)).toBe(moment.getTime());
  },
);

test('A database that is away is asked again each minute', async () => {
  await place();
  opened.store.neon.faults.next({ answer: away, times: 3 });
  await scheduler.pass(150);
  expect(scheduler.logs.splice(0)).toMatchObject([{ job: 'scheduler' }, { job: 'scheduler' }]);
  opened.store.neon.faults.clear();
  await scheduler.pass(3600);
  expect(scheduler.logs).toEqual([]);
});
