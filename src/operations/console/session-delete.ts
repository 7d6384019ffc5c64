import * as z from 'zod';
import { consoleSession, endpoint, one, record } from '../../kernel/endpoint/declare.ts';
import { cookieHeader } from '../../kernel/endpoint/console-requests.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { endConsoleSession, findConsoleSession } from '../../queries/console.ts';

export const signOut = endpoint({
  id: 'console.session.delete',
  namespace: 'console',
  route: ['DELETE /session'],
  summary: 'Sign out of the console',
  description: 'Ends the session, and makes the browser delete its cookie and stored data.',
  access: consoleSession('read_admin'),
  effect: 'write',
  reply: [200, record(z.object({ signed_out: z.literal(true) }))],
  secretReply: true,
  conditional: false,
}).handle(async ({ principal, db, config, now }) => {
  const answer = await db.change({
    load: { found: findConsoleSession(principal) },
    decide: ({ found: [row] }) =>
      row
        ? {
            write: [endConsoleSession(row.session, now)],
            reply: one({ signed_out: true as const }),
          }
        : refuse('rest_conflict'),
  });
  if ('refused' in answer) return answer;
  return {
    ...answer,
    headers: {
      'set-cookie': cookieHeader('', 0, config),
      'clear-site-data': '"cache", "storage"',
    },
  };
});
