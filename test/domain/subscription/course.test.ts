import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addMilliseconds, addPeriod } from '../../../src/lib/calendar.ts';
import { type Plan, spanOf } from '../../../src/domain/subscription/span.ts';
import type { SubscriptionChange, SubscriptionTerm } from '../../../src/schema/subscriptions.ts';

const zone = fc.constantFrom('UTC', 'Asia/Jakarta', 'Europe/Berlin', 'America/New_York');

/** Moments, often at the ends of months and in leap years. */
const moment = fc
  .tuple(
    fc.integer({ min: 2023, max: 2028 }),
    fc.integer({ min: 0, max: 11 }),
    fc.oneof(fc.integer({ min: -3, max: 1 }), fc.integer({ min: 1, max: 28 })),
    fc.integer({ min: 0, max: 86_399_999 }),
  )
  .map(([year, month, day, millisecond]) =>
    new Date(Date.UTC(year, month, day, 0, 0, 0, millisecond)).toISOString(),
  );

const term = (order_id: number, activated_at: string | null): SubscriptionTerm => ({
  ...{ order_id, first_order_id: 1, type: 'subscription-regular', duration: 1, period: 'monthly' },
  ...{ activated_at, until: null },
});

const change = (
  kind: SubscriptionChange['kind'],
  at: string,
  fields: Partial<SubscriptionChange> = {},
): SubscriptionChange => ({
  ...{ id: 1, first_order_id: 1, kind, at, until: null, resumed_at: null, ...fields },
});

const plan = fc.record({
  payments: fc.integer({ min: 2, max: 24 }),
  after: fc.constantFrom('keep' as const, 'end' as const),
  grace_days: fc.integer({ min: 0, max: 30 }),
  duration: fc.integer({ min: 1, max: 4 }),
  period: fc.constantFrom('daily' as const, 'monthly' as const, 'yearly' as const),
});

/** Instalments paid at any time after the first, in milliseconds. */
const delays = fc.array(fc.integer({ min: 0, max: 200 * 86_400_000 }), { maxLength: 23 });

/** The end of a plan after a number of payments, computed from its description. */
function endOf({ start, ...agreed }: Plan, paid: number, timezone: string): string | null {
  const { payments, after, grace_days, duration, period } = agreed;
  if (paid === payments && after === 'keep') return null;
  const due = addPeriod(start, paid * duration, period, timezone);
  return paid === payments ? due : addPeriod(due, grace_days, 'daily', timezone);
}

test('A pause moves the end of a subscription by its duration, to the millisecond', () => {
  fc.assert(
    fc.property(
      fc.array(moment, { minLength: 1, maxLength: 5 }),
      zone,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 0, max: 10_000_000_000 }),
      (moments, timezone, place, length) => {
        const terms = moments.sort().map((at, i) => term(i + 1, at));
        const span = spanOf(terms, timezone);
        const last = moments.at(-1) ?? '';
        const end = span?.end_date ?? '';
        const left = Date.parse(end) - Date.parse(last);
        const at = addMilliseconds(last, Math.floor(left * place));
        const pause = change('pause', at, { resumed_at: addMilliseconds(at, length) });
        const paused = spanOf(terms, timezone, { changes: [pause] });
        expect(paused?.end_date).toBe(addMilliseconds(end, length));
        const open = spanOf(terms, timezone, { changes: [{ ...pause, resumed_at: null }] });
        expect(open).toMatchObject({ end_date: end, pause: { at } });
      },
    ),
  );
});

test('An end set by hand is the end, whatever was paid before', () => {
  fc.assert(
    fc.property(fc.array(moment, { minLength: 1 }), moment, zone, (moments, until, timezone) => {
      const terms = moments.map((at, i) => term(i + 1, at));
      const at = [...moments].sort().at(-1) ?? '';
      const span = spanOf(terms, timezone, { changes: [change('end', at, { until })] });
      expect(span?.end_date).toBe(until);
    }),
  );
});

test('A plan gives access to its next due date and the grace, whenever its payments came and whichever were refunded', () => {
  fc.assert(
    fc.property(moment, plan, delays, fc.nat(), zone, (start, agreed, later, pick, timezone) => {
      const moments = [0, ...later.slice(0, agreed.payments - 1)].map((delay) =>
        addMilliseconds(start, delay),
      );
      const terms = moments.map((at, i) => term(i + 1, at));
      const whole: Plan = { ...agreed, start };
      const paid = terms.length;
      const span = spanOf(terms, timezone, { plan: whole });
      expect(span).toMatchObject({ paid, start, end_date: endOf(whole, paid, timezone) });
      expect(span?.next_due === null).toBe(paid === agreed.payments);
      const refunded = terms.map((one, i) =>
        i === pick % terms.length ? { ...one, activated_at: null } : one,
      );
      const rest = spanOf(refunded, timezone, { plan: whole });
      if (paid === 1) expect(rest).toBeUndefined();
      else expect(rest?.end_date).toBe(endOf(whole, paid - 1, timezone));
    }),
  );
});

test('A pause, or an end set by hand, moves the due dates of a plan by the same time', () => {
  fc.assert(
    fc.property(
      moment,
      plan,
      zone,
      fc.integer({ min: 1, max: 10_000_000_000 }),
      (start, agreed, timezone, length) => {
        const whole: Plan = { ...agreed, start };
        const due = addMilliseconds(endOf(whole, 1, timezone) ?? '', length);
        const changes = [
          [change('pause', start, { resumed_at: addMilliseconds(start, length) })],
          [change('end', start, { until: due })],
        ];
        for (const some of changes) {
          const one = spanOf([term(1, start)], timezone, { plan: whole, changes: some });
          expect(one?.end_date).toBe(due);
          const both = [term(1, start), term(2, addMilliseconds(start, length + 1))];
          const two = spanOf(both, timezone, { plan: whole, changes: some });
          const end = endOf(whole, 2, timezone);
          if (agreed.grace_days === 0)
            expect(two?.end_date).toBe(end && addMilliseconds(end, length));
        }
      },
    ),
  );
});

test('A chain from another shop continues like one from here: with renewals, a pause and an end by hand', () => {
  fc.assert(
    fc.property(
      fc.array(moment, { minLength: 1, maxLength: 4 }),
      zone,
      fc.integer({ min: 0, max: 4_000_000_000 }),
      fc.integer({ min: 0, max: 10_000_000_000 }),
      fc.option(moment),
      (moments, timezone, before, length, by_hand) => {
        const terms = moments.sort().map((at, i) => term(i + 1, at));
        const moved = terms.map((one, i) => {
          const span = spanOf(terms.slice(0, i + 1), timezone);
          return { ...one, until: span?.end_date ?? null };
        });
        const at = addMilliseconds(moments.at(-1) ?? '', before);
        const resumed_at = addMilliseconds(at, length);
        const changes = [
          change('pause', at, { resumed_at }),
          ...(by_hand ? [change('end', resumed_at, { id: 2, until: by_hand })] : []),
        ];
        const renewal = term(9, addMilliseconds(resumed_at, 1));
        const ends = [terms, moved].map((chain) => {
          const paused = spanOf(chain, timezone, { changes });
          const renewed = spanOf([...chain, renewal], timezone, { changes });
          return [paused?.end_date, renewed?.end_date];
        });
        expect(ends[1]).toEqual(ends[0]);
      },
    ),
  );
});
