import * as z from 'zod';
import { apiKey } from '../../auth/access.ts';
import { endpoint } from '../../http/endpoint.ts';
import { ignoredParameters } from '../../http/envelope.ts';
import { refuse } from '../../http/errors.ts';
import { IdParams, queryInteger } from '../../http/parameters.ts';
import { instantFromDatabase } from '../../lib/instant.ts';
import { Id, Instant } from '../../lib/schemas.ts';
import { findUserId } from './queries.ts';
import { type TreeRow, findDownlines, findUplines } from './queries-tree.ts';

const depthDefault = 10;
const depthMaximum = 50;
const pageMaximum = 1000;

/** A user above or below another. */
const TreeUser = z
  .object({
    tier: z.int().describe('How many steps away.'),
    id: Id,
    parent_id: Id.nullable().describe('The sponsor.'),
    display_name: z.string(),
    email: z.string(),
    phone: z.string(),
    group_id: Id.nullable(),
    joined_at: Instant,
    direct_count: z.int().describe('How many this user brought.'),
  })
  .meta({ id: 'TreeUser' });

const TreeReply = z.object({
  success: z.literal(true),
  data: z.union([z.array(TreeUser), z.array(Id)]).describe('Nearest first.'),
  meta: z.object({
    limit: z.int().describe('The depth this was read to.'),
    truncated: z
      .boolean()
      .describe('Whether there are more than these: deeper, or on other pages.'),
    next_cursor: z.string().nullable(),
    ignored_parameters: ignoredParameters,
  }),
});

const relation = {
  limit: queryInteger({ min: 1 })
    .transform((depth) => Math.min(depth, depthMaximum))
    .optional()
    .describe(`Tiers to read: ${depthDefault} by default, ${depthMaximum} at most.`),
  return: z.enum(['id', 'detail']).optional().describe('`detail` by default.'),
};

const encodePath = (path: string) => btoa(`path:${path}`).replace(/=+$/, '');

/** The path of the last user of the page before. */
const PathCursor = z
  .string()
  .max(2000)
  .transform((text, context) => {
    const path = /^path:([0-9]{1,15}(?:\.[0-9]{1,15}){0,49})$/.exec(decoded(text))?.[1];
    if (path !== undefined) return path.split('.').map(Number);
    context.addIssue({ code: 'custom', message: 'is not a cursor of this list' });
    return z.NEVER;
  })
  .meta({ type: 'string', description: '`meta.next_cursor` of the page before.' });

function decoded(text: string): string {
  try {
    return atob(text);
  } catch {
    return '';
  }
}

/** A reply from the rows of a tree: one more than the page holds, and one tier more than asked. */
function treeReply(
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

function toTreeUser({ tier, id, details }: TreeRow): z.input<typeof TreeUser> {
  if (!details) throw new Error('The details were not read.');
  const { email, joined_at, ...same } = details;
  return {
    tier,
    id: Number(id),
    ...same,
    email: email ?? '',
    joined_at: instantFromDatabase(joined_at),
  };
}

export const listUplines = endpoint({
  id: 'users.uplines',
  route: ['GET /users/:id/uplines'],
  summary: 'List who is above a user',
  description: 'The sponsor first, then the sponsor of that one, and so on.',
  access: apiKey('users:read'),
  effect: 'read',
  params: IdParams,
  query: z.object(relation),
  reply: [200, TreeReply],
  errors: ['rest_not_found'],
}).handle(async ({ params, query, db }) => {
  const limit = query.limit ?? depthDefault;
  const detail = query.return !== 'id';
  const { user, above } = await db.query({
    user: findUserId(params.id),
    above: findUplines(params.id, limit, detail),
  });
  if (user.length === 0) return refuse('rest_not_found');
  return treeReply(above.rows, { limit, detail, size: depthMaximum });
});

export const listDownlines = endpoint({
  id: 'users.downlines',
  route: ['GET /users/:id/downlines'],
  summary: 'List who is below a user',
  description:
    'Tier by tier: those the user brought, then those they brought. A first page costs the same however large the tree is.',
  access: apiKey('users:read'),
  effect: 'read',
  params: IdParams,
  query: z.object({
    ...relation,
    per_page: queryInteger({ min: 1 })
      .transform((n) => Math.min(n, pageMaximum))
      .optional()
      .describe(`Users a page, ${pageMaximum} by default and at most.`),
    cursor: PathCursor.optional(),
  }),
  reply: [200, TreeReply],
  errors: ['rest_not_found'],
}).handle(async ({ params, query, db }) => {
  const limit = query.limit ?? depthDefault;
  const detail = query.return !== 'id';
  const size = query.per_page ?? pageMaximum;
  const { user, below } = await db.query({
    user: findUserId(params.id),
    below: findDownlines(params.id, limit, { detail, rows: size + 1, after: query.cursor }),
  });
  if (user.length === 0) return refuse('rest_not_found');
  return treeReply(below.rows, { limit, detail, size });
});
