import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { spanOf } from '../../../src/domain/subscription/span.ts';
import type { SubscriptionTerm as Term } from '../../../src/schema/subscriptions.ts';

const term = (order_id: number, activated_at: string | null, fields: Partial<Term> = {}): Term => ({
  order_id,
  first_order_id: 1,
  type: 'subscription-regular',
  duration: 1,
  period: 'monthly',
  activated_at,
  until: null,
  ...fields,
});

const end = (terms: Term[], timezone = 'UTC') => spanOf(terms, timezone)?.end_date;

describe('the terms of a subscription', () => {
  test('give no time while none of them counts', () => {
    expect(spanOf([], 'UTC')).toBeUndefined();
    expect(spanOf([term(1, null)], 'UTC')).toBeUndefined();
  });

  test('end a month later, or on the last day of a shorter month', () => {
    expect(spanOf([term(1, '2026-01-31T10:00:00.000Z')], 'UTC')).toMatchObject({
      start: '2026-01-31T10:00:00.000Z',
      end_date: '2026-02-28T10:00:00.000Z',
      last: { order_id: 1 },
    });
  });

  test('follow each other without a gap when they are renewed early, and restore the clamped day', () => {
    const first = term(1, '2026-01-31T10:00:00.000Z');
    expect(end([first, term(2, '2026-02-10T10:00:00.000Z')])).toBe('2026-03-31T10:00:00.000Z');
  });

  test('start again after a lapse', () => {
    const terms = [
      term(1, '2026-01-31T10:00:00.000Z'),
      term(2, '2026-03-05T12:00:00.000Z'),
      term(3, '2026-03-06T12:00:00.000Z'),
    ];
    expect(end(terms)).toBe('2026-05-05T12:00:00.000Z');
  });

  test('follow a trial that is counted in days', () => {
    const trial = term(1, '2026-01-24T10:00:00.000Z', { duration: 7, period: 'daily' });
    expect(end([trial])).toBe('2026-01-31T10:00:00.000Z');
    expect(end([trial, term(2, '2026-01-25T10:00:00.000Z')])).toBe('2026-02-28T10:00:00.000Z');
  });

  test('end at a given end, and continue from there', () => {
    const given = term(1, '2026-01-31T10:00:00.000Z', { until: '2026-03-02T10:00:00.000Z' });
    expect(end([given])).toBe('2026-03-02T10:00:00.000Z');
    expect(end([given, term(2, '2026-02-10T10:00:00.000Z')])).toBe('2026-04-02T10:00:00.000Z');
    expect(end([given, term(2, '2026-03-05T12:00:00.000Z')])).toBe('2026-04-05T12:00:00.000Z');
    const again = term(2, '2026-02-10T10:00:00.000Z', { until: '2026-03-30T00:00:00.000Z' });
    expect(end([given, again, term(3, '2026-02-11T10:00:00.000Z')])).toBe(
      '2026-04-30T00:00:00.000Z',
    );
  });

  test.each([
    ['2026-10-31', '2026-11-30', ['2026-12-31', '2027-01-31', '2027-02-28', '2027-03-31']],
    ['2026-01-31', '2026-02-28', ['2026-03-31', '2026-04-30', '2026-05-31', '2026-06-30']],
    ['2026-01-30', '2026-02-28', ['2026-03-30', '2026-04-30', '2026-05-30', '2026-06-30']],
    ['2026-01-28', '2026-02-28', ['2026-03-28', '2026-04-28', '2026-05-28', '2026-06-28']],
    // An end that is not a month after the start keeps its own day.
    ['2026-01-31', '2026-03-02', ['2026-04-02', '2026-05-02', '2026-06-02', '2026-07-02']],
    ['2026-01-31', '2026-03-30', ['2026-04-30', '2026-05-30', '2026-06-30', '2026-07-30']],
  ])('from %s, with an end given on %s, keep their day', (begun, until, ends) => {
    const given = term(1, `${begun}T03:05:00.000Z`, { until: `${until}T03:00:00.000Z` });
    const renewals = ends.map((_, i) => term(i + 2, `${begun}T04:0${i}:00.000Z`));
    expect(ends.map((_, i) => end([given, ...renewals.slice(0, i + 1)], 'Asia/Jakarta'))).toEqual(
      ends.map((day) => `${day}T03:00:00.000Z`),
    );
  });

  test('keep the day of the start after two given ends', () => {
    const terms = [
      term(1, '2026-01-31T10:00:00.000Z', { until: '2026-02-28T10:00:00.000Z' }),
      term(2, '2026-02-20T10:00:00.000Z', { until: '2026-04-30T10:00:00.000Z' }),
    ];
    expect(end([...terms, term(3, '2026-02-21T10:00:00.000Z')])).toBe('2026-05-31T10:00:00.000Z');
  });

  test('keep the time of day when the clocks change', () => {
    expect(end([term(1, '2026-03-15T08:00:00.000Z')], 'Europe/Berlin')).toBe(
      '2026-04-15T07:00:00.000Z',
    );
  });

  test('are the same as if a removed term had never existed', () => {
    const [first, second, third] = [
      term(1, '2026-01-10T10:00:00.000Z'),
      term(2, '2026-01-11T10:00:00.000Z'),
      term(3, '2026-01-12T10:00:00.000Z'),
    ];
    expect(end([first, second, third])).toBe('2026-04-10T10:00:00.000Z');
    expect(end([first, { ...second, activated_at: null }, third])).toBe('2026-03-10T10:00:00.000Z');
  });
});

/** The end of terms; without a plan they always end. */
const endOf = (terms: readonly Term[], timezone: string) =>
  spanOf(terms, timezone)?.end_date ?? undefined;

const days = fc.date({
  min: new Date('2024-01-01T00:00:00Z'),
  max: new Date('2027-01-01T00:00:00Z'),
  noInvalidDate: true,
});
const anyTerms = fc
  .uniqueArray(days, { minLength: 1, maxLength: 8, selector: Number })
  .chain((moments) =>
    fc.tuple(
      ...moments.map((moment, i) =>
        fc
          .record({
            duration: fc.integer({ min: 1, max: 24 }),
            period: fc.constantFrom('daily' as const, 'monthly' as const, 'yearly' as const),
          })
          .map((fields) => term(i + 1, moment.toISOString(), fields)),
      ),
    ),
  );
const zone = fc.constantFrom('UTC', 'Asia/Jakarta', 'Europe/Berlin', 'America/New_York');

test('the order in which terms are written down makes no difference', () => {
  fc.assert(
    fc.property(anyTerms, zone, (terms, timezone) => {
      expect(spanOf(terms.toReversed(), timezone)).toEqual(spanOf(terms, timezone));
    }),
  );
});

test('each further term makes a subscription end later, never earlier than that term alone', () => {
  fc.assert(
    fc.property(anyTerms, zone, fc.nat(), (terms, timezone, pick) => {
      const chosen = terms[pick % terms.length];
      const whole = endOf(terms, timezone);
      const rest = endOf(
        terms.filter((other) => other !== chosen),
        timezone,
      );
      const alone = endOf(chosen ? [chosen] : [], timezone);
      if (!whole || !alone) throw new Error('A term that counts makes a span.');
      expect(whole >= alone).toBe(true);
      expect(rest === undefined || whole >= rest).toBe(true);
    }),
  );
});
