import * as z from 'zod';
import { apiKey, endpoint, IdParams } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { findUserId } from '../../queries/users.ts';
import { findUplines } from '../../queries/user-tree.ts';
import {
  depthDefault,
  depthMaximum,
  TreeReply,
  relation,
  treeReply,
} from '../../actions/users/tree.ts';

export const listUplines = endpoint({
  id: 'users.uplines',
  route: ['GET /users/:id/uplines'],
  summary: 'List the users above a user',
  description: "The sponsor first, then the sponsor's sponsor, and so on.",
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
