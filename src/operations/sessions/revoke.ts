import { apiKey, endpoint, one } from '../../kernel/endpoint/declare.ts';
import { revokeSession } from '../../queries/user-sessions.ts';
import { RevokedSession, SessionId } from '../../domain/session/schemas.ts';

export const revokeSessionEndpoint = endpoint({
  id: 'sessions.revoke',
  route: ['DELETE /sessions/:sid'],
  summary: 'Revoke a session',
  description:
    'Its token is refused from the next request on. A session that has already ended gets the same answer.',
  access: apiKey('sessions:write'),
  effect: 'write',
  everyday: true,
  conditional: false,
  params: SessionId,
  reply: [200, RevokedSession],
}).handle(async ({ params, db, now }) =>
  db.change({
    load: {},
    decide: () => ({
      write: [revokeSession(params.sid, now)],
      reply: one({ sid: params.sid, revoked: true as const }),
    }),
  }),
);
