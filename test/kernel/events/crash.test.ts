import { describe, expect, test } from 'vitest';
import { leaseSeconds } from '../../../src/kernel/events/claims.ts';
import type { Fault } from '../../../src/local/neon/faults.ts';
import { useStore } from '../../harness/store.ts';
import { PostOffice, sweep } from './post-office.ts';
import { type Received, useReceiver } from './receiver.ts';

const opened = useStore();
const receiver = useReceiver();

/** Fails every such trip until the deliverer gives up. */
const claiming = { statement: 'set lease_token', times: 10 } as const;
const recording = { statement: 'svc_record_deliveries', times: 10 } as const;

const points: [what: string, fault: Fault, arrivals: number][] = [
  ['before the claim', { ...claiming, cut: 'before parse' }, 1],
  ['while claiming', { ...claiming, cut: 'before commit' }, 1],
  ['after the claim, of which it never hears', { ...claiming, cut: 'after commit' }, 1],
  ['in the middle of the claim', { ...claiming, cut: 'mid body' }, 1],
  ['by the database, when it claims', { ...claiming, sqlState: '57P01' }, 1],
  ['by what is no answer, when it claims', { ...claiming, answer: { status: 502, body: 'no' } }, 1],
  ['after the send, before the write-back', { ...recording, cut: 'before parse' }, 2],
  ['while writing back', { ...recording, cut: 'before commit' }, 2],
  ['by the database, when it writes back', { ...recording, sqlState: '53300' }, 2],
  ['after the write-back, of which it never hears', { ...recording, cut: 'after commit' }, 1],
];

describe('A delivery that is cut off', () => {
  test.each(points)(
    '%s arrives, under the same webhook-id, and is in the feed once',
    async (what, fault, arrivals) => {
      const office = await PostOffice.open(opened.store);
      const path = `/${what.replace(/\W+/g, '-')}`;
      const webhook = await office.webhook(receiver.url(path), { events: ['product.created'] });
      opened.store.neon.faults.next(fault);
      const id = await office.product();
      await office.store.settled();
      opened.store.neon.faults.clear();
      await office.sweepAfter(leaseSeconds.healthy - 1);
      await office.sweepAfter(1);
      const deliveries = receiver.at(path);
      expect(deliveries).toHaveLength(arrivals);
      expect(new Set(deliveries.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
      const { body } = await office.feed(webhook, { status: '' });
      expect(body.data).toMatchObject([{ id: 1, status: 'success', data: { object_id: id } }]);
      await office.sweepAfter(leaseSeconds.healthy);
      expect(receiver.at(path)).toHaveLength(arrivals);
      await office.api.delete(`/webhooks/${webhook.id}`);
    },
  );

  test('by its receiver in the middle is tried again', async () => {
    const office = await PostOffice.open(opened.store);
    const webhook = await office.webhook(receiver.url('/torn'), { events: ['product.created'] });
    const seen = new Set<Received>();
    receiver.answer = (delivery) => {
      seen.add(delivery);
      return seen.size === 1 ? null : {};
    };
    await office.product();
    await office.store.settled();
    await office.sweepAfter(60);
    const ids = receiver.at('/torn').map(({ headers }) => headers['webhook-id']);
    expect(ids).toEqual([ids[0], ids[0]]);
    const { body } = await office.feed(webhook, { status: '' });
    expect(body.data).toMatchObject([{ status: 'failed' }, { status: 'success' }]);
    await office.api.delete(`/webhooks/${webhook.id}`);
  });

  test('by a collision in the database is recorded all the same', async () => {
    const office = await PostOffice.open(opened.store);
    const webhook = await office.webhook(receiver.url('/deadlock'), {
      events: ['product.created'],
    });
    receiver.answer = () => ({});
    opened.store.neon.faults.next({ ...recording, times: 2, sqlState: '40P01' });
    await office.product();
    await office.store.settled();
    expect(receiver.at('/deadlock')).toHaveLength(1);
    expect((await office.feed(webhook)).body.data).toHaveLength(1);
    await office.api.delete(`/webhooks/${webhook.id}`);
  });
});

test('A result that arrives after its lease was taken over is discarded', async () => {
  const office = await PostOffice.open(opened.store);
  const webhook = await office.webhook(receiver.url('/late'), { events: ['product.created'] });
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  receiver.answer = async () => {
    if (receiver.at('/late').length > 1) return {};
    reached.resolve();
    await released.promise;
    return { status: 500 };
  };
  await office.product();
  await reached.promise;
  opened.store.clock.advance(leaseSeconds.healthy);
  await sweep(await opened.store.services());
  released.resolve();
  await office.store.settled();
  const { body } = await office.feed(webhook, { status: '' });
  expect(body.data).toMatchObject([{ id: 1, status: 'success' }]);
  expect(await office.outbox(webhook)).toMatchObject([{ attempts: 1 }]);
});

test('A write answers as fast when the database fails right after it', async () => {
  const office = await PostOffice.open(opened.store);
  await office.webhook(receiver.url('/any'), { events: ['product.created'] });
  receiver.answer = () => ({});
  opened.store.neon.faults.next({ ...claiming, cut: 'before parse' });
  const reply = await office.api.post('/products', { title: 'Course', price: 1 });
  expect(reply).toMatchObject({ status: 201, trips: 2 });
  await office.store.settled();
  opened.store.neon.faults.clear();
});
