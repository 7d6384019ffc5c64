import * as z from 'zod';
import {
  consoleSession,
  deleted,
  Deleted,
  endpoint,
  PathId,
} from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { endConsoleSession, findConsoleSession } from '../../queries/console.ts';

export const endSession = endpoint({
  id: 'console.sessions.delete',
  namespace: 'console',
  route: ['DELETE /sessions/:id'],
  summary: 'End a session of the console',
  description:
    'Ends one of your own sessions, or for administrators anybody’s: its next request is refused. Ending one that is over changes nothing.',
  access: consoleSession('read_admin'),
  effect: 'write',
  params: z.object({ id: PathId }),
  reply: [200, Deleted],
  errors: ['rest_not_found'],
  conditional: false,
}).handle(async ({ principal, params, db, now }) =>
  db.change({
    load: { found: findConsoleSession(params) },
    decide: ({ found: [row] }) => {
      const isTheirs = row?.user.id === principal.row.user_id || principal.isAdministrator;
      if (!row || !isTheirs) return refuse('rest_not_found');
      return {
        write: row.session.ended_at === null ? [endConsoleSession(params, now)] : [],
        reply: deleted(params.id),
      };
    },
  }),
);
