import { AddressRange, KeyName } from '../domain/key/schemas.ts';
import { UsageError } from './support/command.ts';

export const list = (text: string | undefined) => text?.split(',').map((item) => item.trim());

/** @throws UsageError for an invalid name of a key */
export function nameOf(text = ''): string {
  if (!KeyName.safeParse(text).success)
    throw new UsageError('Give the key a name of up to 100 characters: --name NAME');
  return text;
}

/** @throws UsageError for an invalid address or range */
export function rangesOf(text: string | undefined): string[] | undefined {
  const ranges = list(text);
  for (const range of ranges ?? []) {
    if (!AddressRange.safeParse(range).success)
      throw new UsageError(
        `--ip must be addresses and ranges like 203.0.113.7,2001:db8::/32, not ${range}.`,
      );
  }
  return ranges;
}

/**
 * @param text a date, whose first moment in UTC counts, or an RFC 3339 instant
 * @throws UsageError for any other text, and for a time in the past
 */
export function expiryOf(text: string | undefined, now: Date): string | undefined {
  if (text === undefined) return undefined;
  const shape = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;
  const instant = new Date(shape.test(text) ? text : Number.NaN);
  // JavaScript reads 30 February as a day in March.
  const day = new Date(text.slice(0, 10));
  if (Number.isNaN(instant.getTime()) || !text.startsWith(day.toISOString().slice(0, 10)))
    throw new UsageError('--expires must be a date like 2027-01-31, or 2027-01-31T18:00:00+07:00.');
  if (instant <= now) throw new UsageError(`--expires ${text} is in the past.`);
  return instant.toISOString();
}

/**
 * Parses the hours for which the old secret of a rotated key stays valid.
 * @throws UsageError
 */
export function overlapOf(text = '24'): number {
  if (!/^\d{1,4}$/.test(text))
    throw new UsageError(
      '--overlap must be a whole number of hours, like 24. With 0 the old key ends at once.',
    );
  return Number(text);
}

/** @throws UsageError if it is no id */
export function idOf(text = ''): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new UsageError('Give the id of the key; `list` shows them.');
  return Number(text);
}
