import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextAttempt, retryAfterSeconds } from '../../../src/kernel/events/schedule.ts';

/** Seconds from each failed attempt to the next: 5 s, 5 min, 30 min, 2, 5, 10, 14, 20, 24 hours. */
const waits = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
const now = new Date('2026-03-10T09:00:00.000Z');
const secondsTo = (moment: Date) => (moment.getTime() - now.getTime()) / 1000;
const chance = fc.double({ min: 0, max: 1, noNaN: true });

describe('The next attempt', () => {
  test('comes after the wait of the schedule plus up to a tenth, then daily for ever', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), chance, (failures, luck) => {
        const seconds = secondsTo(nextAttempt(failures, undefined, now, luck));
        const wait = waits[failures - 1] ?? 86_400;
        expect(seconds).toBeGreaterThanOrEqual(wait);
        expect(seconds).toBeLessThanOrEqual(wait * 1.1 + 0.001);
      }),
    );
  });

  test('is spread over that tenth', () => {
    for (const [i, wait] of [...waits, 86_400].entries()) {
      const after = (luck: number) => secondsTo(nextAttempt(i + 1, undefined, now, luck));
      expect(after(0)).toBe(wait);
      expect(after(0.5)).toBeCloseTo(wait * 1.05, 2);
      expect(after(1)).toBeCloseTo(wait * 1.1, 2);
    }
  });

  test('is never earlier than the receiver asks, a day at most', () => {
    const asked = fc.integer({ min: 0, max: 10 ** 9 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), asked, chance, (failures, retryAfter, luck) => {
        const seconds = secondsTo(nextAttempt(failures, retryAfter, now, luck));
        expect(seconds).toBeGreaterThanOrEqual(Math.min(retryAfter, 86_400));
        expect(seconds).toBeLessThanOrEqual(86_400 * 1.1 + 0.001);
      }),
    );
    expect(secondsTo(nextAttempt(1, 3600, now, 1))).toBe(3600);
    expect(secondsTo(nextAttempt(1, 0.0014, now, 0))).toBe(5);
    expect(secondsTo(nextAttempt(1, 6.0001, now, 0))).toBe(6.001);
    expect(secondsTo(nextAttempt(1, 10 ** 9, now, 0))).toBe(86_400);
  });

  test.each([
    ['120', 120],
    [' 0 ', 0],
    ['  90', 90],
    ['90  ', 90],
    ['999999999', 999_999_999],
    ['Tue, 10 Mar 2026 09:10:00 GMT', 600],
    ['Tue, 10 Mar 2026 09:00:00 GMT', undefined],
    ['Tue, 10 Mar 2026 08:00:00 GMT', undefined],
    ['Tue, 10 Mar 2026 09:00:12 GMT', 12],
    ['soon', undefined],
    ['-5', undefined],
    ['1e9', undefined],
    ['', undefined],
    [null, undefined],
  ])('reads Retry-After %j, and finds these seconds in it: %j', (header, seconds) => {
    expect(retryAfterSeconds(header, now)).toBe(seconds);
  });
});
