import { apiKey, endpoint, one } from '../../kernel/endpoint/declare.ts';
import { prepared } from '../../kernel/database/prepared.ts';
import { refuse, kernelError } from '../../kernel/errors/errors.ts';
import { findSettings } from '../../queries/settings.ts';
import { isNewBuyer, keepNewBuyer } from '../../queries/new-buyers.ts';
import { findUser } from '../../queries/users.ts';
import { isAdministrator, isStaff } from '../../domain/user/capabilities.ts';
import { claimsFor, issueToken } from '../../actions/sessions/issuing.ts';
import { IssuedSession, SessionCreate } from '../../domain/session/schemas.ts';

const read = prepared({ user_id: 'bigint' }, ({ user_id }) => ({
  found: findUser(user_id),
  settings: findSettings(),
  isNew: isNewBuyer(user_id),
}));

export const issueSession = endpoint({
  id: 'sessions.create',
  route: ['POST /sessions'],
  summary: 'Issue a user-session token',
  description:
    'Your backend requests a token for one of its users and hands it to the app, which calls `/me` with it. A token for an administrator, or for somebody else with a role in the console, requires a key created with `--administrators`; whoever holds such a key can do everything an administrator can. The audit log names each session that was issued for an administrator.',
  access: apiKey('sessions:write'),
  effect: 'write',
  everyday: true,
  conditional: false,
  secretReply: true,
  body: SessionCreate,
  reply: [200, IssuedSession],
  errors: ['rest_user_not_found', 'rest_forbidden', 'svc_session_issue_failed'],
}).handle(async ({ body, db, principal, authority, now }) => {
  const { found, settings: rows, isNew } = await db.query(read({ user_id: body.user_id }));
  const user = found[0]?.user;
  const [settings] = rows;
  if (!user) return refuse('rest_user_not_found');
  if (user.status !== 'active') {
    return refuse('rest_forbidden', { message: 'This account is blocked.' });
  }
  if (isStaff(user) && !principal.signsInAdministrators) {
    return refuse('rest_forbidden', {
      message: 'This API key may not issue sessions for people with a role in the console.',
    });
  }
  if (!settings) throw kernelError('svc_session_issue_failed');
  const claims = claimsFor({
    user,
    settings,
    provider: body.provider || settings.platform_name,
    providerUserId: body.provider_user_id,
    authority,
    now,
  });
  const reply = one({ ...(await issueToken(claims, user, authority, now)), sid: claims.sid });
  const audit = { record: claims.sid, after: { user_id: user.id } };
  if (isAdministrator(user))
    return db.change({ load: {}, decide: () => ({ write: [], audit, reply }) });
  if (isNew.length === 0) return reply;
  return db.change({ load: {}, decide: () => ({ write: [keepNewBuyer(user.id)], reply }) });
});
