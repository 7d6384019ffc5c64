import { describe, expect, test } from 'vitest';
import { runJobs } from '../../../src/jobs/index.ts';
import { useStore } from '../../harness/store.ts';
import { type Owned, PostOffice } from './post-office.ts';
import { useReceiver } from './receiver.ts';

const opened = useStore();
const receiver = useReceiver();
const day = 86_400;

/**
 * Runs the cron of a minute.
 * @returns its log
 */
async function minute(): Promise<Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = [];
  await runJobs(await opened.store.services(), (line) => lines.push(line));
  return lines;
}

const count = async (table: string, { id }: Pick<Owned, 'id'>) => {
  const { rowCount } = await opened.store.database.query(
    `select from ${table} where ${table === 'webhooks' ? 'id' : 'webhook_id'} = $1`,
    [id],
  );
  return rowCount;
};

describe('The cron removes', () => {
  test('deliveries and their events after 90 days, but none that still wait', async () => {
    const office = await PostOffice.open(opened.store);
    const webhook = await office.webhook(receiver.url('/kept'), { events: ['product.created'] });
    await office.product();
    await office.store.settled();
    opened.store.clock.advance(day);
    await office.product();
    await office.store.settled();
    await office.api.patch(`/webhooks/${webhook.id}`, { status: 'paused' });
    await office.product();
    opened.store.clock.advance(89 * day);
    await minute();
    expect([await count('webhook_log', webhook), await count('outbox', webhook)]).toEqual([2, 3]);
    opened.store.clock.advance(1);
    await minute();
    expect([await count('webhook_log', webhook), await count('outbox', webhook)]).toEqual([1, 2]);
    expect((await office.feed(webhook)).body).toMatchObject({ data: [{ id: 2 }], next_since: 2 });
    opened.store.clock.advance(400 * day);
    await minute();
    expect([await count('webhook_log', webhook), await count('outbox', webhook)]).toEqual([0, 1]);
    await office.api.patch(`/webhooks/${webhook.id}`, { status: 'active' });
    await office.store.settled();
    expect((await office.feed(webhook)).body).toMatchObject({ data: [{ id: 3 }] });
  });

  test('a deleted webhook with all its records, and no record of another webhook', async () => {
    const office = await PostOffice.open(opened.store);
    const [gone, stays] = [
      await office.webhook(receiver.url('/gone'), { events: ['product.created'] }),
      await office.webhook(receiver.url('/stays'), { events: ['product.created'] }),
    ];
    await office.product();
    await office.store.settled();
    await office.api.delete(`/webhooks/${gone.id}`);
    await minute();
    const left = async (webhook: Owned) => [
      await count('webhook_log', webhook),
      await count('outbox', webhook),
      await count('webhook_states', webhook),
    ];
    expect([...(await left(gone)), await count('webhooks', gone)]).toEqual([0, 0, 0, 0]);
    expect([...(await left(stays)), await count('webhooks', stays)]).toEqual([1, 1, 1, 1]);
  });

  test('stored replies after 7 days: the key is free again', async () => {
    const api = await opened.store.key();
    const headers = { 'idempotency-key': 'kept-for-a-week' };
    const make = (title: string) => api.post('/products', { title, price: 1 }, { headers });
    const first = await make('Course');
    opened.store.clock.advance(7 * day);
    await minute();
    expect((await make('Course')).body).toEqual(first.body);
    expect(await make('Another')).toMatchObject({ status: 422 });
    opened.store.clock.advance(1);
    await minute();
    expect(await make('Another')).toMatchObject({ status: 201 });
  });

  test('a thousand rows of a kind per minute, and continues in the next minute', async () => {
    const old = new Date(opened.store.clock.now().getTime() - 8 * day * 1000);
    const { database } = opened.store;
    await database.query('delete from idempotency_keys');
    await database.query(
      `insert into idempotency_keys (caller, operation, key, fingerprint, status, body, created_at)
       select 'key:1', 'a', n, '', 200, '', $1 from generate_series(1, 1500) n`,
      [old],
    );
    const left = async () => (await database.query('select from idempotency_keys')).rowCount;
    await minute();
    expect(await left()).toBe(500);
    await minute();
    expect(await left()).toBe(0);
  });
});

test('A job that fails is logged, without the message of the database, and holds up no other job', async () => {
  const office = await PostOffice.open(opened.store);
  const webhook = await office.webhook(receiver.url('/turn'), { status: 'paused' });
  await office.product();
  await office.api.delete(`/webhooks/${webhook.id}`);
  const due = await office.webhook(receiver.url('/due'), { status: 'paused' });
  await office.product();
  await office.store.settled();
  await opened.store.database.query("update webhooks set status = 'active' where id = $1", [
    due.id,
  ]);
  opened.store.neon.faults.next({ statement: 'set lease_token', sqlState: '42P01' });
  const [line, ...others] = await minute();
  opened.store.neon.faults.clear();
  expect(others).toEqual([]);
  expect(line).toMatchObject({ level: 'error', job: 'deliveries' });
  expect(JSON.stringify(line)).not.toContain('injected');
  expect(await count('outbox', webhook)).toBe(0);
});
