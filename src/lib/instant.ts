/** A moment as RFC 3339 UTC text with milliseconds, `2026-01-31T17:00:00.000Z`; compares as text. */
export type Instant = string;

/** A parameter wherever time matters, so that tests can set it. */
export interface Clock {
  now(): Date;
  /** In milliseconds since 1970. */
  until(moment: number): Promise<void>;
}

const pause = (time: number) => new Promise<void>((resolve) => setTimeout(resolve, time));

export const systemClock: Clock = {
  now: () => new Date(),
  until: (moment) => pause(Math.max(0, moment - Date.now())),
};

/** Converts PostgreSQL's text of a timestamptz to an `Instant`. */
export function instantFromDatabase(text: string): Instant {
  // A server in UTC, the usual case, needs no date parsing: `2026-01-31 17:00:00.5+00`.
  const match = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?\+00$/.exec(text);
  if (!match) return new Date(text).toISOString();
  return `${match[1]}T${match[2]}.${(match[3] ?? '').padEnd(3, '0')}Z`;
}

export function addSeconds(instant: Instant, seconds: number): Instant {
  return new Date(Date.parse(instant) + seconds * 1000).toISOString();
}
