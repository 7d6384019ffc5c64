import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Period, addPeriod, dateIn, daysUntil, wholeDays } from '../../src/lib/calendar.ts';
import { useStore } from '../harness/store.ts';

const opened = useStore();

describe('calendar time', () => {
  test.each([
    ['2026-01-31T10:00:00.000Z', 1, 'monthly', '2026-02-28T10:00:00.000Z'],
    ['2028-01-31T10:00:00.000Z', 1, 'monthly', '2028-02-29T10:00:00.000Z'],
    ['2026-01-31T10:00:00.000Z', 2, 'monthly', '2026-03-31T10:00:00.000Z'],
    ['2026-11-30T10:00:00.000Z', 3, 'monthly', '2027-02-28T10:00:00.000Z'],
    ['2028-02-29T10:00:00.000Z', 1, 'yearly', '2029-02-28T10:00:00.000Z'],
    ['2026-12-31T23:59:59.999Z', 1, 'daily', '2027-01-01T23:59:59.999Z'],
  ] as const)('%s and %i %s is %s', (from, count, period, to) => {
    expect(addPeriod(from, count, period, 'UTC')).toBe(to);
  });

  test("a month is counted by the store's clocks: from the 31st there, it ends on the last day", () => {
    // 31 January, 06:00 in Jakarta, is still the 30th in UTC.
    expect(addPeriod('2026-01-30T23:00:00.000Z', 1, 'monthly', 'Asia/Jakarta')).toBe(
      '2026-02-27T23:00:00.000Z',
    );
  });

  test('clocks put forward or back do not move a day', () => {
    const berlin = 'Europe/Berlin';
    // 09:00 in Berlin, before and after 29 March and 25 October 2026.
    expect(addPeriod('2026-03-28T08:00:00.000Z', 1, 'daily', berlin)).toBe(
      '2026-03-29T07:00:00.000Z',
    );
    expect(addPeriod('2026-10-24T07:00:00.000Z', 1, 'daily', berlin)).toBe(
      '2026-10-25T08:00:00.000Z',
    );
    expect(addPeriod('2026-03-15T08:00:00.000Z', 1, 'monthly', berlin)).toBe(
      '2026-04-15T07:00:00.000Z',
    );
  });

  test('days are counted by the clocks of the zone: 23 hours make a day when the clocks go forward, 22 do not', () => {
    const berlin = 'Europe/Berlin';
    const noon = '2026-03-28T11:00:00.000Z';
    expect(wholeDays(noon, '2026-03-29T10:00:00.000Z', berlin)).toBe(1);
    expect(wholeDays(noon, '2026-03-29T09:59:59.999Z', berlin)).toBe(0);
    expect(wholeDays(noon, '2026-03-27T10:00:00.000Z', berlin)).toBe(0);
    expect(daysUntil('2026-03-29T10:00:00.000Z', noon, berlin)).toBe(1);
    expect(daysUntil('2026-03-29T10:00:00.001Z', noon, berlin)).toBe(2);
    expect(daysUntil(noon, noon, berlin)).toBe(0);
  });

  test('a date is the one on the clocks of the zone', () => {
    expect(dateIn('2026-01-31T17:00:00.000Z', 'Asia/Jakarta')).toBe('2026-02-01');
    expect(dateIn('2026-01-31T17:00:00.000Z', 'America/New_York')).toBe('2026-01-31');
  });
});

const zones = [
  'UTC',
  'Asia/Jakarta',
  'Asia/Kathmandu',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'America/Sao_Paulo',
];
const units: Record<Period, string> = { daily: 'days', monthly: 'months', yearly: 'years' };

test("calendar time equals PostgreSQL's, in any zone", async () => {
  const cases = fc.sample(
    fc.record({
      from: fc.date({
        min: new Date('2005-01-01T00:00:00Z'),
        max: new Date('2036-01-01T00:00:00Z'),
        noInvalidDate: true,
      }),
      count: fc.integer({ min: 1, max: 40 }),
      period: fc.constantFrom<Period>('daily', 'monthly', 'yearly'),
      zone: fc.constantFrom(...zones),
    }),
    2000,
  );
  const { rows } = await opened.store.database.query<{ to: string }>(
    `select to_char(((c.at at time zone c.zone + make_interval(
              years => c.years, months => c.months, days => c.days)) at time zone c.zone)
              at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as to
       from jsonb_to_recordset($1) as c (n int, at timestamptz, zone text, years int, months int, days int)
      order by c.n`,
    [
      JSON.stringify(
        cases.map(({ from, count, period, zone }, n) => ({
          n,
          at: from,
          zone,
          years: 0,
          months: 0,
          days: 0,
          [units[period]]: count,
        })),
      ),
    ],
  );
  const made = cases.map(({ from, count, period, zone }) =>
    addPeriod(from.toISOString(), count, period, zone),
  );
  expect(made).toEqual(rows.map(({ to }) => to));
});
