const minute = 60;
const hour = 3600;

/** Seconds from a failed attempt to the next; the first attempt comes at once. */
const waits = [5, 5 * minute, ...[0.5, 2, 5, 10, 14, 20, 24].map((hours) => hours * hour)];
const longestWait = 24 * hour;

/** The random share of a wait, which spreads attempts. */
const jitter = 0.1;

/**
 * Returns the earliest time of the next attempt. The last wait is repeated: nothing is dropped.
 * @param failures failed attempts so far, from 1
 * @param retryAfter seconds the receiver asked for; a day at most
 * @param chance from 0 to 1
 */
export function nextAttempt(
  failures: number,
  retryAfter: number | undefined,
  now: Date,
  chance: number,
): Date {
  const wait = waits[failures - 1] ?? longestWait;
  const seconds = Math.max(wait * (1 + jitter * chance), Math.min(retryAfter ?? 0, longestWait));
  return new Date(now.getTime() + Math.ceil(seconds * 1000));
}

/** Parses a Retry-After header, which has seconds or a date. */
export function retryAfterSeconds(header: string | null, now: Date): number | undefined {
  if (header === null) return undefined;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header);
  const seconds = (Date.parse(header) - now.getTime()) / 1000;
  return seconds > 0 ? seconds : undefined;
}
