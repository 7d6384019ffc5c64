import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { runJob, runJobs } from '../../src/jobs/index.ts';
import { Counter } from '../operations/payments/transfers.ts';
import { Post } from '../operations/messages/post.ts';
import { Till } from '../operations/payments/till.ts';
import { Receiver } from '../kernel/events/receiver.ts';
import type { Store } from '../harness/store.ts';
import { Platform } from './platform.ts';
import { Simulated } from './simulated.ts';
import { long } from '../harness/long.ts';

/** A receiver with webhooks, each with that many waiting events. */
async function backlog(store: Store, webhooks: number, events: number): Promise<Receiver> {
  const receiver = new Receiver();
  await receiver.open();
  onTestFinished(() => receiver.close());
  const api = await store.key();
  for (let i = 0; i < webhooks; i++) {
    const { body } = await api.post('/webhooks', {
      url: receiver.url(`/${i}`),
      events: ['user.deleted'],
    });
    await store.database.query(
      `insert into outbox (webhook_id, event_id, event, object_id, data, created_at, next_attempt_at)
       select $1, gen_random_uuid(), 'user.deleted', n, '{}', $2, $2 from generate_series(1, $3) n`,
      [body.data.id, store.clock.now(), events],
    );
  }
  return receiver;
}

/** The ids of the arrived deliveries, including duplicates. */
const deliveredTo = (receiver: Receiver) =>
  receiver.received.map(({ path, headers }) => `${path} ${headers['webhook-id']}`);

const times = (count: number) => Array.from({ length: count }, (_, i) => i);

async function openPost(sender = 'resend'): Promise<Post> {
  const post = await Post.open([sender]);
  onTestFinished(() => post.close());
  return post;
}

async function queueMessages(post: Post, count: number): Promise<void> {
  const { id } = await post.newBuyer();
  await post.store.settled();
  await post.store.database.query(
    `insert into messages (kind, medium, user_id, status, due_at, created_at, updated_at)
     select 'welcome', $4, $1, 'queued', $2, $2, $2 from generate_series(1, $3)`,
    [id, post.store.clock.now(), count, post.sender().medium],
  );
}

/** Messages that were not sent at the first attempt. */
const astray = async ({ store }: Post) =>
  (
    await store.database.query(
      "select kind, attempts, status, last_error from messages where attempts <> 1 or status <> 'sent'",
    )
  ).rows;

describe.each(inject('isLong') ? [50, 12] : [12])('With %i calls in an invocation', (calls) => {
  long('every event is delivered once, at once', async () => {
    const { store } = await openPost();
    const receiver = await backlog(store, 3, 25);
    const platform = new Platform(store, calls);
    const scheduler = new Simulated(store, platform.invocation);
    await scheduler.run();
    await scheduler.pass(1);
    expect(new Set(deliveredTo(receiver)).size).toBe(75);
    expect(receiver.received).toHaveLength(75);
    expect([platform.failed, scheduler.logs]).toEqual([0, []]);
  });

  long('an event whose receivers fail is recorded as failed once for each', async () => {
    const { store } = await openPost();
    const receiver = await backlog(store, 30, 3);
    receiver.answer = () => ({ status: 500 });
    const platform = new Platform(store, calls);
    const scheduler = new Simulated(store, platform.invocation);
    await scheduler.run();
    await scheduler.pass(1);
    const { rows } = await store.database.query<{ tries: number; logged: number }>(
      `select (select sum(attempts)::int from outbox) as tries,
              (select count(*)::int from webhook_log) as logged`,
    );
    const sent = receiver.received.length;
    expect(sent).toBeGreaterThanOrEqual(30);
    expect(rows).toEqual([{ tries: sent, logged: sent }]);
    expect([platform.failed, scheduler.logs]).toEqual([0, []]);
  });

  test('every message is sent once, at once', async () => {
    const post = await openPost();
    await queueMessages(post, 40);
    const platform = new Platform(post.store, calls);
    const scheduler = new Simulated(post.store, platform.invocation);
    const before = post.sender().sent().length;
    await scheduler.run();
    await scheduler.pass(1);
    expect(post.sender().sent().length - before).toBe(40);
    expect(await astray(post)).toEqual([]);
    expect([platform.failed, scheduler.logs]).toEqual([0, []]);
  });

  long('every payment is found, and every refund sent once', async () => {
    const till = await Till.open('stripe', 'USD', 2);
    onTestFinished(() => till.close());
    const platform = new Platform(till.store, calls);
    const scheduler = new Simulated(till.store, platform.invocation);
    const orders = await Promise.all(times(13).map(() => till.newOrder()));
    for (const { id } of orders) till.provider.pay(await till.opened(id));
    till.lose();
    till.store.clock.advance(150);
    await scheduler.run();
    await scheduler.pass(1);
    const statuses = await Promise.all(
      orders.map(async ({ id }) => (await till.fixture.order(id)).status),
    );
    expect(new Set(statuses)).toEqual(new Set(['completed']));
    for (const { id } of orders) await till.refund(id);
    await scheduler.run();
    await scheduler.pass(1);
    const books = till.provider.references().map((reference) => till.provider.books(reference));
    expect(books.map(({ refunds }) => refunds)).toEqual(orders.map(() => 1));
    const { rows } = await till.store.database.query('select distinct state from provider_refunds');
    expect(rows).toEqual([{ state: 'sent' }]);
    expect([platform.failed, scheduler.logs]).toEqual([0, []]);
  });

  long('every expired order is cancelled at once', async () => {
    const post = await openPost();
    const { id: product_id } = await post.fixture.newProduct();
    const { id: user_id } = await post.newBuyer();
    for (let i = 0; i < 30; i++) await post.fixture.newOrder({ product_id, user_id });
    await post.store.settled();
    const platform = new Platform(post.store, calls);
    const scheduler = new Simulated(post.store, platform.invocation);
    post.store.clock.advance(4 * 86_400);
    await scheduler.run();
    const open = await post.fixture.api.get('/orders?status=on-hold&output=count');
    expect(open.body.data.count).toBe(0);
    expect([platform.failed, scheduler.logs]).toEqual([0, []]);
  });

  long('every transfer of a long list is recorded once', async () => {
    const counter = await Counter.open();
    onTestFinished(() => counter.close());
    const waiting = await counter.newOrder();
    for (let i = 0; i < 120; i++) counter.transfer(1_000 + i);
    counter.transfer(waiting.grand_total);
    counter.lose();
    const platform = new Platform(counter.store, calls);
    const scheduler = new Simulated(counter.store, platform.invocation);
    await scheduler.run();
    await scheduler.pass(1);
    const { rows } = await counter.store.database.query(
      'select count(*)::int, count(distinct mutation_id)::int as different from bank_mutations',
    );
    expect(rows).toEqual([{ count: 121, different: 121 }]);
    expect(await counter.status(waiting.id)).not.toBe('on-hold');
    expect([platform.failed, scheduler.logs]).toEqual([0, []]);
  });

  long(
    'deliveries and messages that a request leaves are sent at once by the scheduler',
    async () => {
      // A sender that takes one message per call.
      const post = await openPost('fonnte');
      const { store } = post;
      const receiver = await backlog(store, 30, 1);
      await queueMessages(post, 20);
      const platform = new Platform(store, calls);
      const scheduler = new Simulated(store, platform.invocation);
      store.scheduler = { getByName: () => scheduler };
      Object.assign(await store.environment, { SUBREQUESTS: String(calls) });
      store.restart();
      const before = post.sender().sent().length;
      const person = { email: 'new@people.example', phone: '081234567899' };
      expect((await post.fixture.api.post('/users', person)).status).toBe(201);
      await post.store.settled();
      await scheduler.pass(1);
      expect(receiver.received).toHaveLength(30);
      expect(new Set(deliveredTo(receiver)).size).toBe(30);
      expect(post.sender().sent().length - before).toBeGreaterThanOrEqual(20);
      expect(await astray(post)).toEqual([]);
      expect([platform.failed, scheduler.logs]).toEqual([0, []]);
    },
  );

  long('a cron that runs every minute does all of it without a scheduler', async () => {
    const post = await openPost();
    const receiver = await backlog(post.store, 2, 10);
    await queueMessages(post, 10);
    const platform = new Platform(post.store, calls);
    const before = post.sender().sent().length;
    const logs: unknown[] = [];
    for (let minute = 0; minute < 20; minute++) {
      await runJobs(await platform.invocation(), (line) => logs.push(line));
      post.store.clock.advance(60);
    }
    expect(receiver.received).toHaveLength(20);
    expect(post.sender().sent().length - before).toBe(10);
    expect(await astray(post)).toEqual([]);
    expect([platform.failed, logs]).toEqual([0, []]);
  });
});

test("A service that reserves no calls can't record its deliveries, and repeats them", async () => {
  const { store } = await openPost();
  const receiver = await backlog(store, 3, 25);
  // One call claims deliveries, and one sends the first.
  const platform = new Platform(store, 2);
  for (let turn = 0; turn < 4; turn++) {
    await runJob('deliveries', await platform.invocation(false), () => {});
    store.clock.advance(61);
  }
  expect(platform.failed).toBeGreaterThan(0);
  expect(new Set(deliveredTo(receiver)).size).toBeLessThan(receiver.received.length);
});
