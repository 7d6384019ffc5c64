import * as z from 'zod';
import { queryId } from '../../kernel/schemas/parameters.ts';
import { consoleSession } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { collection } from '../../kernel/schemas/replies.ts';
import { ConsoleSession } from '../../domain/console/schemas.ts';
import { shownSession } from '../../domain/console/shown.ts';
import { listConsoleSessions } from '../../queries/console.ts';

export const listSessions = endpoint({
  id: 'console.sessions.list',
  namespace: 'console',
  route: ['GET /sessions'],
  summary: 'List sessions of the console',
  description:
    'The active sessions, newest first: your own, and for administrators everybody’s. The newest 200 at most.',
  access: consoleSession('read_admin'),
  effect: 'read',
  query: z.object({ user_id: queryId.optional().describe('Only sessions of this person.') }),
  reply: [200, collection(ConsoleSession)],
}).handle(async ({ principal, query, db, now }) => {
  const { found } = await db.query({
    found: listConsoleSessions(principal.prefix, query.user_id, now),
  });
  const data = found.map((row) => shownSession(row, principal.row.id));
  return { success: true as const, data };
});
