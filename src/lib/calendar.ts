import type { Instant } from './instant.ts';

/** The unit of a span of calendar time. */
export type Period = 'daily' | 'monthly' | 'yearly';

const day = 86_400_000;

const clocks = new Map<string, Intl.DateTimeFormat>();

/** The formatter of a time zone; making one is what costs. */
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

/** Milliseconds by which the clocks of a zone are ahead of UTC at a moment. */
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
 * The moment when the clocks of a zone show a local time. One they skip counts by the clock before,
 * one they show twice means the second time: as PostgreSQL reads it.
 */
function momentOf(local: number, timezone: string): number {
  const before = offsetAt(local - day, timezone);
  const after = offsetAt(local + day, timezone);
  return offsetAt(local - after, timezone) === after ? local - after : local - before;
}

/** The moment when the clocks of a zone show what `local` says in UTC: `2026-01-31T08:00:00.000Z` is eight there. */
export const zonedInstant = (local: Instant, timezone: string): Instant =>
  new Date(momentOf(Date.parse(local), timezone)).toISOString();

/** Local time moved by months, to a day; one that the month doesn't have becomes its last. */
function movedByMonths(local: number, months: number, dayOfMonth: number): number {
  const target = new Date(local);
  target.setUTCDate(1);
  target.setUTCMonth(target.getUTCMonth() + months);
  const last = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0));
  target.setUTCDate(Math.min(dayOfMonth, last.getUTCDate()));
  return target.getTime();
}

/** A moment moved by months on the clocks of a zone, to a day of the month, or to its last where it has no such day. */
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
 * A moment moved by calendar time on the clocks of a zone: the same time of day whether or not they
 * are put forward or back in between. Months are clamped: 31 January and a month is 28 February.
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

/** The whole days of a zone from one moment to a later one; 0 when it isn't later. */
export function wholeDays(from: Instant, to: Instant, timezone: string): number {
  const [start, end] = [from, to].map((instant) => localTime(Date.parse(instant), timezone));
  const days = Math.floor((end ?? 0) / day) - Math.floor((start ?? 0) / day);
  if (days <= 0) return 0;
  return addPeriod(from, days, 'daily', timezone) <= to ? days : days - 1;
}

/** The days until a moment, one that has begun counting as whole; 0 when it has come. */
export function daysUntil(moment: Instant, now: Instant, timezone: string): number {
  if (moment <= now) return 0;
  const days = wholeDays(now, moment, timezone);
  return addPeriod(now, days, 'daily', timezone) < moment ? days + 1 : days;
}

/** The day of the month on the clocks of a zone, from 1. */
export const dayIn = (instant: Instant, timezone: string): number =>
  new Date(localTime(Date.parse(instant), timezone)).getUTCDate();

/** The date of a moment on the clocks of a zone, `2026-01-31`. */
export const dateIn = (instant: Instant, timezone: string): string =>
  new Date(localTime(Date.parse(instant), timezone)).toISOString().slice(0, 10);

/** A moment moved by milliseconds. */
export const addMilliseconds = (instant: Instant, by: number): Instant =>
  new Date(Date.parse(instant) + by).toISOString();
