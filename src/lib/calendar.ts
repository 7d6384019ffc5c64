import type { Instant } from './instant.ts';

export type Period = 'daily' | 'monthly' | 'yearly';

const day = 86_400_000;

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Cached, because making a formatter is slow. */
function clockOf(timezone: string): Intl.DateTimeFormat {
  const known = clocks.get(timezone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  clocks.set(timezone, clock);
  return clock;
}

/** Returns the milliseconds by which a zone is ahead of UTC at a moment. */
function offsetAt(moment: number, timezone: string): number {
  const second = Math.floor(moment / 1000) * 1000;
  const parts = clockOf(timezone).formatToParts(second);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((item) => item.type === type)?.value);
  const [year, month, date] = [part('year'), part('month'), part('day')];
  return Date.UTC(year, month - 1, date, part('hour'), part('minute'), part('second')) - second;
}

/** Returns the local time of a zone at a moment, as if it were UTC. */
const localTime = (moment: number, timezone: string) => moment + offsetAt(moment, timezone);

/**
 * Returns the moment at which a zone's clocks show a local time. A skipped time counts by the earlier offset; a
 * repeated time means its second occurrence. PostgreSQL does the same.
 */
function momentOf(local: number, timezone: string): number {
  const before = offsetAt(local - day, timezone);
  const after = offsetAt(local + day, timezone);
  return offsetAt(local - after, timezone) === after ? local - after : local - before;
}

/**
 * Returns the moment at which a zone's clocks show the time that `local` has in UTC: `2026-01-31T08:00:00.000Z` means
 * eight o'clock there.
 */
export const zonedInstant = (local: Instant, timezone: string): Instant =>
  new Date(momentOf(Date.parse(local), timezone)).toISOString();

function movedByMonths(local: number, months: number, dayOfMonth: number): number {
  const target = new Date(local);
  target.setUTCDate(1);
  target.setUTCMonth(target.getUTCMonth() + months);
  const last = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0));
  target.setUTCDate(Math.min(dayOfMonth, last.getUTCDate()));
  return target.getTime();
}

/** Moves a moment by months in a zone, to a day of the month or to the month's last. */
export function addMonths(
  instant: Instant,
  months: number,
  dayOfMonth: number,
  timezone: string,
): Instant {
  const local = localTime(Date.parse(instant), timezone);
  const moved = movedByMonths(local, months, dayOfMonth);
  return new Date(momentOf(moved, timezone)).toISOString();
}

/**
 * Moves a moment by calendar time in a zone. The time of day stays the same when clocks change. Months are clamped: 31
 * January and a month is 28 February.
 */
export function addPeriod(
  instant: Instant,
  count: number,
  period: Period,
  timezone: string,
): Instant {
  if (count === 0) return instant;
  const local = localTime(Date.parse(instant), timezone);
  const moved =
    period === 'daily'
      ? local + count * day
      : movedByMonths(
          local,
          period === 'yearly' ? 12 * count : count,
          new Date(local).getUTCDate(),
        );
  return new Date(momentOf(moved, timezone)).toISOString();
}

/** Returns the whole days of a zone from one moment to a later one; 0 if it isn't later. */
export function wholeDays(from: Instant, to: Instant, timezone: string): number {
  const [start, end] = [from, to].map((instant) => localTime(Date.parse(instant), timezone));
  const days = Math.floor((end ?? 0) / day) - Math.floor((start ?? 0) / day);
  if (days <= 0) return 0;
  return addPeriod(from, days, 'daily', timezone) <= to ? days : days - 1;
}

/** Returns the days until a moment, rounded up; 0 once it has come. */
export function daysUntil(moment: Instant, now: Instant, timezone: string): number {
  if (moment <= now) return 0;
  const days = wholeDays(now, moment, timezone);
  return addPeriod(now, days, 'daily', timezone) < moment ? days + 1 : days;
}

/** Returns the day of the month in a zone, from 1. */
export const dayIn = (instant: Instant, timezone: string): number =>
  new Date(localTime(Date.parse(instant), timezone)).getUTCDate();

/** Returns the date in a zone, `2026-01-31`. */
export const dateIn = (instant: Instant, timezone: string): string =>
  new Date(localTime(Date.parse(instant), timezone)).toISOString().slice(0, 10);

export const addMilliseconds = (instant: Instant, by: number): Instant =>
  new Date(Date.parse(instant) + by).toISOString();
