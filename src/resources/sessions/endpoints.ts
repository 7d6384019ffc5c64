import { apiKey } from '../../auth/access.ts';
import { signSession } from '../../auth/session-token.ts';
import { endpoint } from '../../http/endpoint.ts';
import { ApiError, refuse } from '../../http/errors.ts';
import { findSettings } from '../platform/queries.ts';
import { findUser } from '../users/queries.ts';
import { newClaims } from './rules.ts';
import { IssuedSession, SessionCreate } from './schemas.ts';

export const issueSession = endpoint({
  id: 'sessions.create',
  route: ['POST /sessions'],
  summary: 'Issue a user-session token',
  description:
    'A backend asks for a token in the name of one of its users and hands it to the app, which calls `/me` with it.',
  access: apiKey('sessions:write'),
  effect: 'read',
  body: SessionCreate,
  reply: [200, IssuedSession],
  errors: ['rest_user_not_found', 'rest_forbidden', 'svc_session_issue_failed'],
}).handle(async ({ body, db, authority, now }) => {
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
  if (!settings) throw new ApiError('svc_session_issue_failed');
  const claims = newClaims({
    userId: user.id,
    isAdmin: user.roles.includes('administrator'),
    issuer: authority.issuer,
    audience: authority.audience,
    provider: body.provider || settings.platform_name,
    providerUserId: body.provider_user_id || String(user.id),
    lifetime: settings.session_ttl,
    now,
  });
  const token = await signSession(claims, authority.sessionKeys).catch(() => {
    throw new ApiError('svc_session_issue_failed');
  });
  return {
    success: true,
    data: {
      token,
      token_type: 'Bearer',
      expires_in: settings.session_ttl,
      sid: claims.sid,
      user: { id: user.id, display_name: user.display_name, email: user.email ?? '' },
    },
  };
});
