import * as z from 'zod';
import { consoleSession } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { queryId } from '../../kernel/schemas/parameters.ts';
import { collection } from '../../kernel/schemas/replies.ts';
import { AccountSession } from '../../domain/console/schemas.ts';
import { listAccountSessions } from '../../queries/accounts.ts';

export const listAccountSessionsEndpoint = endpoint({
  id: 'console.accountSessions.list',
  namespace: 'console',
  route: ['GET /account-sessions'],
  summary: 'List the sessions of a member in the shop',
  description:
    'The browsers that are signed in to the pages of the member’s account, newest first, 100 at most. Sessions of apps are not among them: their tokens are not stored.',
  access: consoleSession('manage_options'),
  effect: 'read',
  query: z.object({ user_id: queryId.describe('The member.') }),
  reply: [200, collection(AccountSession)],
}).handle(async ({ query, db, now }) => {
  const { found } = await db.query({ found: listAccountSessions(query.user_id, now) });
  return { success: true as const, data: found };
});
