import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { KeyPrincipal } from '../../../src/kernel/auth/principals.ts';
import { patternsFor } from '../../../src/kernel/events/outbox.ts';
import { feedReply, shownTo } from '../../../src/actions/notify/feed-reply.ts';

const entry = (id: number, status: 'success' | 'failed' = 'success') => ({
  id,
  at: '2026-03-10T09:00:00.123Z',
  status,
  code: 200,
  event: 'order.status-updated',
  data: { id: 7 },
  object_id: 7,
});

test('an entry is shown as the contract has it', () => {
  expect(feedReply([entry(4)], 5, 9)).toEqual({
    success: true,
    data: [
      {
        id: 4,
        type: 'order-status-updated',
        at: '2026-03-10 09:00:00',
        status: 'success',
        code: 200,
        data: { event: 'order.status-updated', data: { id: 7 }, object_id: 7 },
      },
    ],
    next_since: 9,
  });
});

test('An entry whose event a key may not read is shown without what the event carries', () => {
  const key = (...scopes: string[]) => {
    const principal = new KeyPrincipal();
    principal.accept({ scopes });
    return principal;
  };
  expect(shownTo(key('orders:read'), entry(4))).toEqual(entry(4));
  const [shown] = feedReply([shownTo(key('users:read'), entry(4))], 5, 9).data;
  const { data, ...rest } = feedReply([entry(4)], 5, 9).data[0] ?? expect.unreachable();
  expect(shown).toEqual({ ...rest, data: { ...data, data: {} }, redacted: true });
});

test('the cursor of a full part points after its last entry, that of any other part to the end of the log', () => {
  const next = (rows: number[], limit: number) =>
    feedReply(
      rows.map((id) => entry(id)),
      limit,
      9,
    ).next_since;
  expect(next([3, 4], 2)).toBe(4);
  expect(next([3], 2)).toBe(9);
  expect(next([], 2)).toBe(9);
});

test('read part by part, every wanted entry comes once and in order', () => {
  const log = fc.array(fc.boolean(), { maxLength: 60 });
  fc.assert(
    fc.property(log, fc.integer({ min: 1, max: 9 }), (successes, limit) => {
      const all = successes.map((ok, i) => entry(i + 1, ok ? 'success' : 'failed'));
      const wanted = all.filter(({ status }) => status === 'success');
      const seen: number[] = [];
      let since = 0;
      for (let calls = 0; calls <= all.length + 1; calls++) {
        const rows = wanted.filter(({ id }) => id > since).slice(0, limit);
        const { data, next_since } = feedReply(rows, limit, all.length);
        seen.push(...data.map(({ id }) => id));
        expect(next_since).toBeGreaterThanOrEqual(since);
        since = next_since;
      }
      expect(seen).toEqual(wanted.map(({ id }) => id));
      expect(since).toBe(all.length);
    }),
  );
});

test.each([
  ['order.created', ['order.created', 'order.*', '*']],
  ['order.status.updated', ['order.status.updated', 'order.*', '*']],
  ['ping', ['ping', '*']],
  ['.ping', ['.ping', '*']],
])('%s goes to the webhooks that subscribe to %j', (name, patterns) => {
  expect(patternsFor(name)).toEqual(patterns);
});
