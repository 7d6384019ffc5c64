import { apiKey, endpoint, IdParams } from '../../kernel/endpoint/declare.ts';
import { endSessions, endingErrors } from '../../actions/sessions/ending.ts';
import { RevokedSessions } from '../../domain/session/schemas.ts';

export const revokeAllSessions = endpoint({
  id: 'sessions.revokeAll',
  route: ['POST /users/:id/sessions/revoke'],
  summary: 'Revoke every session of a user',
  description:
    "Every token issued so far is refused from the next request on. An administrator's sessions can be ended only by administrators, at `/me/users/{id}/sessions/revoke`.",
  access: apiKey('sessions:write'),
  effect: 'write',
  everyday: true,
  conditional: false,
  params: IdParams,
  reply: [200, RevokedSessions],
  errors: endingErrors,
}).handle(async ({ params, db, principal, now }) => endSessions(db, params.id, principal, now));
