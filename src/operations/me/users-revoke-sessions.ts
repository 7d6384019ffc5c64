import { administrator } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { IdParams } from '../../kernel/schemas/parameters.ts';
import { endSessions, endingErrors } from '../../actions/sessions/ending.ts';
import { RevokedSessions } from '../../domain/session/schemas.ts';

export const endSessionsAsAdmin = endpoint({
  id: 'me.users.revokeSessions',
  route: ['POST /me/users/:id/sessions/revoke'],
  summary: 'Revoke every session of a user of the store',
  description:
    'Works like `POST /users/{id}/sessions/revoke`, and can also end the sessions of administrators, including your own.',
  access: administrator(),
  effect: 'write',
  conditional: false,
  params: IdParams,
  reply: [200, RevokedSessions],
  errors: endingErrors,
}).handle(async ({ params, db, principal, now }) => endSessions(db, params.id, principal, now));
