import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { grantOfSubscription } from '../../../src/domain/access/order-grant.ts';
import { newGrant, startDay } from '../../../src/domain/access/rules.ts';
import type { SubscriptionColumns } from '../../../src/schema/subscriptions.ts';

const day = 86_400_000;

const begin = Date.parse('2026-01-31T10:00:00Z');

/** After a wait: a payment, which gives access until some time later, a refund, which moves the end back, or a pause. */
const step = fc.record({
  wait: fc.integer({ min: 1, max: 100 * day }),
  length: fc.option(fc.integer({ min: -200 * day, max: 100 * day })),
});

const subscription = (status: 'active' | 'paused', end: number): SubscriptionColumns => ({
  ...{ id: 1, user_id: 1, product_id: 1, first_order_id: 1, order_id: 1, note: null, status },
  ...{ type: 'subscription-regular', start: null, end_date: new Date(end).toISOString() },
  ...{ announced_end: null, payments: null, paid: null, plan_start: null, next_due: null },
  ...{ announced_due: null, paused_at: null, resumes_at: null, cancelled_at: null },
  ...{ cancelled_by: null, cancel_reason: null, next_price: null },
  ...{ created_at: '', updated_at: '', version: 1 },
});

test('Drip days count the days with access, whatever ends, refunds and pauses lie between them', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const order = { user_id: 1, product_id: 1 };
      const first = new Date(begin);
      let end = begin + 30 * day;
      let grant = newGrant({ ...order, end_active: new Date(end).toISOString() }, 1, first);
      let [now, used, isPaused] = [begin, 0, false];
      const expectDays = () => {
        const moment = { now: new Date(now).toISOString(), timezone: 'UTC' };
        expect(startDay(grant, moment)).toBe(Math.floor(used / day));
      };
      for (const { wait, length } of steps) {
        if (!isPaused) used += Math.max(0, Math.min(now + wait, end) - now);
        now += wait;
        expectDays();
        isPaused = length === null;
        if (length !== null) end = (length > 0 ? Math.max(now, end) : end) + length;
        const changed = subscription(isPaused ? 'paused' : 'active', end);
        grant = grantOfSubscription(grant, changed, new Date(now));
        expectDays();
      }
    }),
  );
});
