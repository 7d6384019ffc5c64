import * as z from 'zod';
import { ignoredParameters } from '../../kernel/schemas/replies.ts';
import { querySize } from '../../kernel/schemas/parameters.ts';
import { instantFromDatabase } from '../../lib/instant.ts';
import { Id, Instant } from '../../lib/schemas.ts';
import type { TreeRow } from '../../queries/user-tree.ts';

export const depthDefault = 10;

export const depthMaximum = 50;

export const TreeUser = z
  .object({
    tier: z.int().describe('Number of levels above or below the user.'),
    id: Id,
    parent_id: Id.nullable().describe("This user's sponsor."),
    display_name: z.string(),
    email: z.string(),
    phone: z.string(),
    group_id: Id.nullable(),
    joined_at: Instant,
    direct_count: z.int().describe('Number of users whose sponsor this user is.'),
  })
  .meta({ id: 'TreeUser' });

export const TreeReply = z
  .object({
    success: z.literal(true),
    data: z.union([z.array(TreeUser), z.array(Id)]).describe('Nearest first.'),
    meta: z.object({
      limit: z.int().describe('The number of tiers that were read.'),
      truncated: z
        .boolean()
        .describe('True if there are more users than these, on deeper tiers or on other pages.'),
      next_cursor: z.string().nullable(),
      ignored_parameters: ignoredParameters,
    }),
  })
  .meta({ id: 'UserTreeReply' });

export const relationForms = ['id', 'detail'] as const;

export const relation = {
  limit: querySize(depthMaximum)
    .optional()
    .describe(`Tiers to read: ${depthDefault} by default, ${depthMaximum} at most.`),
  return: z
    .enum(relationForms)
    .optional()
    .describe('Whole users (`detail`, the default) or only their ids.'),
};

export const encodePath = (path: string) => btoa(`path:${path}`).replace(/=+$/, '');

/** @param rows one more than the page, and one tier more than requested */
export function treeReply(
  rows: readonly TreeRow[],
  { limit, detail, size }: { limit: number; detail: boolean; size: number },
): z.input<typeof TreeReply> {
  const within = rows.filter(({ tier }) => tier <= limit);
  const shown = within.slice(0, size);
  const last = shown.at(-1);
  return {
    success: true,
    data: detail ? shown.map(toTreeUser) : shown.map(({ id }) => Number(id)),
    meta: {
      limit,
      truncated: shown.length < rows.length,
      next_cursor: last && within.length > size ? encodePath(last.path) : null,
    },
  };
}

export function toTreeUser({ tier, id, details }: TreeRow): z.input<typeof TreeUser> {
  if (!details) throw new Error('The details of the user were not loaded.');
  const { email, joined_at, ...same } = details;
  return {
    tier,
    id: Number(id),
    ...same,
    email: email ?? '',
    joined_at: instantFromDatabase(joined_at),
  };
}
