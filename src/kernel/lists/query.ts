import type { SQL } from 'drizzle-orm';
import * as z from 'zod';
import { dateOrInstant, queryInteger, querySize } from '../schemas/parameters.ts';
import { Cursor, type Place } from './cursor.ts';

/** The largest page; a larger `per_page` is cut to it. */
const perPageMaximum = 100;
export const perPageDefault = 25;

export const sortOrders = ['id', '-id'] as const;

export const pageParameters = {
  page: queryInteger({ min: 1, max: 1_000_000 })
    .optional()
    .describe(
      'Page number, starting from 1. Prefer `cursor`, which is equally fast on every page.',
    ),
  per_page: querySize(perPageMaximum)
    .optional()
    .describe(`Records per page, ${perPageDefault} by default, ${perPageMaximum} at most.`),
  cursor: Cursor.optional(),
  sort: z
    .enum(sortOrders)
    .optional()
    .describe('`-id` (default) is newest first, `id` oldest first.'),
};

export const changeSortOrders = [...sortOrders, 'updated_at'] as const;

/** Parameters of lists that clients can keep a copy of. */
export const changeParameters = {
  ...pageParameters,
  sort: z
    .enum(changeSortOrders)
    .optional()
    .describe(
      '`-id` (default) is newest first, `id` oldest first, `updated_at` by the last change, latest last.',
    ),
  updated_since: dateOrInstant
    .optional()
    .describe(
      'Only records changed from this instant on; send `meta.next_updated_since` of your last read, with `sort=updated_at`.',
    ),
};

/** Parameters that select a part of a list. */
export const windowParameterNames: readonly string[] = [
  'page',
  'per_page',
  'cursor',
  'limit',
  'offset',
];

/** The conditions of a list: one for each filter, and further ones. */
export type ConditionsFor<Query, Besides extends string = never> = Readonly<
  Record<Exclude<keyof Query, keyof typeof pageParameters> | Besides, SQL | undefined>
>;

export type PageQuery = {
  page?: number | undefined;
  /** Records to skip, which older lists accept; takes precedence over `page`. */
  offset?: number | undefined;
  per_page?: number | undefined;
  cursor?: Place | undefined;
  sort?: (typeof changeSortOrders)[number] | undefined;
};
