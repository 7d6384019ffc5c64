export interface TimeSetting {
  readonly locale: string;
  readonly timezone: string;
}

/** Formats a moment in the store's zone: `12 Mar 2026, 16:05`. */
export const moment = (instant: string, { locale, timezone }: TimeSetting): string =>
  new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: timezone,
  }).format(new Date(instant));

/**
 * Formats a date as a day of the store: `12 Mar`.
 * @param date `2026-03-12`
 */
export const shortDay = (date: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    new Date(`${date}T00:00:00Z`),
  );

/** The short name of the zone at that moment: `WIB`, `GMT+2`. */
export const zoneName = (instant: string, { locale, timezone }: TimeSetting): string =>
  new Intl.DateTimeFormat(locale, { timeZone: timezone, timeZoneName: 'short' })
    .formatToParts(new Date(instant))
    .find(({ type }) => type === 'timeZoneName')?.value ?? timezone;

const units = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** Returns the time from now to a moment: `3 hours ago`, `in 2 days`. */
export function distance(instant: string, now: Date, locale: string): string {
  const seconds = (Date.parse(instant) - now.getTime()) / 1000;
  const [unit, length] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['minute', 60];
  const words = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'long' });
  return Math.abs(seconds) < 60
    ? words.format(0, 'second')
    : words.format(Math.round(seconds / length), unit);
}

/** The current date in the store's zone: `2026-03-12`. */
export const dateIn = (timezone: string, now: Date): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' }).format(now);
