import { describe, expect, test } from 'vitest';
import { long } from '../../harness/long.ts';
import { useStore } from '../../harness/store.ts';
import { PostOffice } from './post-office.ts';
import { useReceiver } from './receiver.ts';

const opened = useStore();
const receiver = useReceiver();

/** Seconds from each failed attempt to the next: 5 s, 5 min, 30 min, 2, 5, 10, 14, 20, 24 hours. */
const waits = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
const now = new Date('2026-03-10T09:00:00.000Z');

describe('A receiver that fails', () => {
  test('is tried at each time of the schedule, under one webhook-id, until it succeeds', async () => {
    const office = await PostOffice.open(opened.store);
    const webhook = await office.webhook(receiver.url('/failing'));
    receiver.answer = () => ({ status: 500, body: 'down' });
    await office.product();
    await office.store.settled();
    for (const [i, wait] of waits.entries()) {
      const [row] = await office.outbox(webhook);
      const { clock } = opened.store;
      const due = row?.next_attempt_at ?? now;
      const seconds = (due.getTime() - clock.now().getTime()) / 1000;
      expect(row).toMatchObject({ attempts: i + 1, delivered_at: null, lease_until: null });
      expect(seconds).toBeGreaterThanOrEqual(wait);
      expect(seconds).toBeLessThanOrEqual(wait * 1.1 + 0.001);
      // Nothing happens a millisecond earlier.
      await office.sweepAfter(seconds - 0.001);
      expect(receiver.at('/failing')).toHaveLength(i + 1);
      if (i === waits.length - 1) receiver.answer = () => ({});
      await office.sweepAfter(0.001);
    }
    const deliveries = receiver.at('/failing');
    expect(deliveries).toHaveLength(10);
    expect(new Set(deliveries.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(deliveries.map(({ body }) => body)).size).toBe(1);
    const timestamps = deliveries.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(timestamps).toEqual([...timestamps].sort((a, b) => a - b));
    const log = await office.feed(webhook, { status: '' });
    expect(log.body.data.map((entry: { status: string; code: number }) => entry.code)).toEqual([
      ...Array.from({ length: 9 }, () => 500),
      200,
    ]);
    const { body } = await office.api.get(`/webhooks/${webhook.id}`);
    expect(body.data).toMatchObject({ failing_since: null, status: 'active' });
    await office.api.delete(`/webhooks/${webhook.id}`);
  });

  test('is not called before the time that it asks for', async () => {
    const office = await PostOffice.open(opened.store);
    const webhook = await office.webhook(receiver.url('/busy'));
    receiver.answer = () => ({ status: 503, headers: { 'retry-after': '3600' } });
    await office.product();
    await office.store.settled();
    receiver.answer = () => ({});
    await office.sweepAfter(3599.999);
    expect(receiver.at('/busy')).toHaveLength(1);
    await office.sweepAfter(0.001);
    expect(receiver.at('/busy')).toHaveLength(2);
    await office.api.delete(`/webhooks/${webhook.id}`);
  });

  test.each([
    [
      'redirects',
      { status: 302, headers: { location: '/elsewhere' } },
      { code: 302, error: 'Redirects are not followed.', answer: '' },
    ],
    [
      'refuses',
      { status: 404, body: 'no such hook' },
      { code: 404, error: null, answer: 'no such hook' },
    ],
    ['breaks off', null, { code: 0, error: 'The receiver could not be reached.', answer: '' }],
  ])('has its fault in the log if it %s', async (name, answer, logged) => {
    const office = await PostOffice.open(opened.store);
    const webhook = await office.webhook(receiver.url(`/${name.replaceAll(' ', '-')}`));
    receiver.answer = () => answer;
    await office.product();
    await office.store.settled();
    receiver.answer = () => ({});
    expect(receiver.at('/elsewhere')).toEqual([]);
    const { body } = await office.api.get(`/webhooks/${webhook.id}/deliveries`);
    expect(body.data).toMatchObject([{ status: 'failed', attempt: 1, ...logged }]);
    await office.api.delete(`/webhooks/${webhook.id}`);
  });

  test('to answer in time is aborted after 15 seconds', async ({ onTestFinished }) => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const patience: AbortController[] = [];
    AbortSignal.timeout = (milliseconds) => {
      if (milliseconds !== 15_000) return timeout(milliseconds);
      const controller = new AbortController();
      patience.push(controller);
      return controller.signal;
    };
    onTestFinished(() => {
      AbortSignal.timeout = timeout;
    });
    const office = await PostOffice.open(opened.store);
    const webhook = await office.webhook(receiver.url('/slow'));
    const reached = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    receiver.answer = async () => {
      reached.resolve();
      await released.promise;
      return {};
    };
    await office.product();
    await reached.promise;
    for (const controller of patience) controller.abort(new DOMException('', 'TimeoutError'));
    await office.store.settled();
    released.resolve();
    const { body } = await office.api.get(`/webhooks/${webhook.id}/deliveries`);
    expect(body.data).toMatchObject([{ code: 0, error: 'No answer within 15 seconds.' }]);
  });
});

describe('A receiver that does not end its answer', () => {
  long.each([
    ['stalls', 200, 'success'],
    ['stalls', 500, 'failed'],
    ['breaks', 202, 'success'],
  ] as const)('and %s after a %i is judged by this status: %s', async (ending, code, status) => {
    const office = await PostOffice.open(opened.store);
    const webhook = await office.webhook(receiver.url(`/${ending}-${code}`));
    receiver.answer = () => ({ status: code, body: 'taken', ending });
    await office.product();
    await office.store.settled();
    receiver.answer = () => ({});
    const { body } = await office.api.get(`/webhooks/${webhook.id}/deliveries`);
    const kept = { status, code, answer: 'taken', error: null };
    expect(body.data).toMatchObject([kept]);
    // The answer is complete, so the connection is closed.
    await receiver.closed(`/${ending}-${code}`);
    await office.api.delete(`/webhooks/${webhook.id}`);
  });

  test('and says 410 is paused at once', async () => {
    const office = await PostOffice.open(opened.store);
    const webhook = await office.webhook(receiver.url('/gone'));
    receiver.answer = () => ({ status: 410, body: 'gone', ending: 'stalls' });
    await office.product();
    await office.store.settled();
    receiver.answer = () => ({});
    const { body } = await office.api.get(`/webhooks/${webhook.id}`);
    expect(body.data).toMatchObject({ status: 'paused', paused_reason: 'gone' });
    expect(receiver.at('/gone')).toHaveLength(1);
    await office.api.delete(`/webhooks/${webhook.id}`);
  });
});
