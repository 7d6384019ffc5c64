import { apiKey } from '../../auth/access.ts';
import { endpoint } from '../../http/endpoint.ts';
import { one } from '../../http/envelope.ts';
import { ApiError, refuse } from '../../http/errors.ts';
import { IdParams } from '../../http/parameters.ts';
import { findSettings } from '../platform/queries.ts';
import { findUser } from '../users/queries.ts';
import { endSessions, endingErrors } from './ending.ts';
import { revokeSession } from './queries.ts';
import { claimsFor, issueToken } from './issuing.ts';
import {
  IssuedSession,
  RevokedSession,
  RevokedSessions,
  SessionCreate,
  SessionId,
} from './schemas.ts';

export const issueSession = endpoint({
  id: 'sessions.create',
  route: ['POST /sessions'],
  summary: 'Issue a user-session token',
  description:
    'A backend asks for a token in the name of one of its users and hands it to the app, which calls `/me` with it. For an administrator only a key does that was made with `--administrators`: who holds it can do all that an administrator can.',
  access: apiKey('sessions:write'),
  effect: 'read',
  body: SessionCreate,
  reply: [200, IssuedSession],
  errors: ['rest_user_not_found', 'rest_forbidden', 'svc_session_issue_failed'],
}).handle(async ({ body, db, principal, authority, now }) => {
  const { found, settings: rows } = await db.query({
    found: findUser(body.user_id),
    settings: findSettings(),
  });
  const user = found[0]?.user;
  const [settings] = rows;
  if (!user) return refuse('rest_user_not_found');
  if (user.status !== 'active') {
    return refuse('rest_forbidden', { message: 'This account is blocked.' });
  }
  if (user.roles.includes('administrator') && !principal.row.signs_in_administrators) {
    return refuse('rest_forbidden', {
      message: 'This API key may not issue sessions for administrators.',
    });
  }
  if (!settings) throw new ApiError('svc_session_issue_failed');
  const claims = claimsFor({
    user,
    settings,
    provider: body.provider || settings.platform_name,
    providerUserId: body.provider_user_id,
    authority,
    now,
  });
  return one({ ...(await issueToken(claims, user, authority, now)), sid: claims.sid });
});

export const revokeSessionEndpoint = endpoint({
  id: 'sessions.revoke',
  route: ['DELETE /sessions/:sid'],
  summary: 'Revoke a session',
  description:
    'Its token is refused from the next request on. The same answer for a session that had ended already.',
  access: apiKey('sessions:write'),
  effect: 'write',
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

export const revokeAllSessions = endpoint({
  id: 'sessions.revokeAll',
  route: ['POST /users/:id/sessions/revoke'],
  summary: 'Revoke every session of a user',
  description:
    'Every token issued so far is refused from the next request on. Those of an administrator are for administrators to end: `/me/users/{id}/sessions/revoke`.',
  access: apiKey('sessions:write'),
  effect: 'write',
  conditional: false,
  params: IdParams,
  reply: [200, RevokedSessions],
  errors: endingErrors,
}).handle(async ({ params, db, principal, now }) => endSessions(db, params.id, principal, now));
