import * as z from 'zod';
import { apiKey, endpoint, IdParams, querySize } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { findUserId } from '../../queries/users.ts';
import { findDownlines } from '../../queries/user-tree.ts';
import { depthDefault, TreeReply, relation, treeReply } from '../../actions/users/tree.ts';

const pageMaximum = 1000;

/** The path of the last user of the previous page. */
const PathCursor = z
  .string()
  .max(2000)
  .transform((text, context) => {
    const path = /^path:([0-9]{1,15}(?:\.[0-9]{1,15}){0,49})$/.exec(decoded(text))?.[1];
    if (path !== undefined) return path.split('.').map(Number);
    context.addIssue({ code: 'custom', message: 'is not a cursor of this list' });
    return z.NEVER;
  })
  .meta({ type: 'string', description: '`meta.next_cursor` of the previous page.' });

function decoded(text: string): string {
  try {
    return atob(text);
  } catch {
    return '';
  }
}

export const listDownlines = endpoint({
  id: 'users.downlines',
  route: ['GET /users/:id/downlines'],
  summary: 'List the users below a user',
  description:
    'Tier by tier: first the users whose sponsor is this user, then those whose sponsors they are, and so on. The first page takes the same time however large the tree is. As a file, the list has every user of the first `limit` tiers.',
  access: apiKey('users:read'),
  effect: 'read',
  params: IdParams,
  query: z.object({
    ...relation,
    per_page: querySize(pageMaximum)
      .optional()
      .describe(`Users per page, ${pageMaximum} by default and at most.`),
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
