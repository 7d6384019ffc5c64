import * as z from 'zod';
import { DateInput, Id, InstantInput, textUpTo, trimmedUpTo } from '../../lib/schemas.ts';

/** The largest integer of 15 digits. */
const largest = 999_999_999_999_999;

const digits = (min: number, max: number, limits: string) =>
  z
    .string()
    .regex(/^[0-9]{1,15}$/, `must be a whole number${limits}`)
    .transform(Number)
    .refine((n) => n >= min && n <= max, `must be a whole number${limits}`)
    .meta({ type: 'integer', minimum: min, maximum: max });

/** An integer in a query or path: only digits, no sign, blank or exponent. */
export const queryInteger = ({ min = 0, max = largest } = {}) =>
  digits(min, max, max === largest ? `, ${min} or more` : ` from ${min} to ${max}`);

/** A number of records to read; a larger one is cut to the maximum. */
export const querySize = (max: number) =>
  digits(1, largest, ` from 1 to ${max}`).transform((n) => Math.min(n, max));

export const queryId = queryInteger({ min: 1 });

/** `true`, `false`, `1` or `0` in a query string. */
export const queryBoolean = z
  .enum(['true', 'false', '1', '0'])
  .transform((value) => value === 'true' || value === '1')
  .meta({ type: 'boolean' });

export const queryIds = z
  .string()
  .regex(/^[0-9]{1,15}(,[0-9]{1,15}){0,99}$/, 'must be up to 100 ids separated by commas')
  .transform((list) => list.split(',').map(Number))
  .describe('Up to 100 ids, separated by commas.');

export const search = trimmedUpTo(200).describe(
  'Under 3 characters, only ids and numbers are compared; from 3 on, any part of the text.',
);

/** Values of `meta` by key: `meta[plan]=pro`. */
export const metaValues = z
  .record(textUpTo(200), textUpTo(500), { error: 'must be given by key: meta[key]=value' })
  .refine((values) => Object.keys(values).length <= 10, 'at most 10 keys')
  .optional()
  .meta({
    style: 'deepObject',
    description:
      'Only records whose `meta` has this value for this key, as text, number or flag: `meta[plan]=pro`. Every given key must match; values inside lists and objects are not compared.',
  });

export const dateOrInstant = z
  .union([DateInput, InstantInput], {
    error: 'must be a date (YYYY-MM-DD) or an RFC 3339 instant',
  })
  .meta({ type: 'string' });

export const dateParameters = {
  date_start: dateOrInstant
    .optional()
    .describe("From this day on, in the store's time zone, or from this instant on."),
  date_end: dateOrInstant
    .optional()
    .describe("Up to the end of this day in the store's time zone, or up to this instant."),
};

/** A record's id in the path. Anything but 1–15 digits matches no route. */
export const PathId = z
  .string()
  .transform(Number)
  .pipe(Id)
  .meta({ type: 'integer', minimum: 1, description: 'Id of the record.' });

export const IdParams = z.object({ id: PathId });
