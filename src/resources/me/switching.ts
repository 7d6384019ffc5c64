import * as z from 'zod';
import { adminOrSwitched, session } from '../../auth/access.ts';
import { type Authority, SessionPrincipal } from '../../auth/principals.ts';
import type { SessionClaims } from '../../auth/session-token.ts';
import { endpoint } from '../../http/endpoint.ts';
import { one } from '../../http/envelope.ts';
import { ApiError, refuse } from '../../http/errors.ts';
import { Id, shortText } from '../../lib/schemas.ts';
import { findSettings } from '../platform/queries.ts';
import { claimsFor, issueToken } from '../sessions/issuing.ts';
import { revokeSession } from '../sessions/queries.ts';
import { actingAs, sessionContext, switchedBack } from '../sessions/rules.ts';
import { SwitchedSession } from '../sessions/schemas.ts';
import { findUser } from '../users/queries.ts';
import { type UserRow, externalId } from '../users/rules.ts';

/** What is answered with a session that takes the place of another. */
const handOver = async (
  claims: SessionClaims,
  { user }: UserRow,
  authority: Authority,
  now: Date,
): Promise<z.input<typeof SwitchedSession>> =>
  one({
    ...(await issueToken(claims, user, authority, now)),
    session: sessionContext(new SessionPrincipal(claims)),
  });

export const switchUser = endpoint({
  id: 'me.switchUser',
  route: ['POST /me/switch-user'],
  summary: 'Act as another user',
  description:
    'For 30 minutes at most, and no longer than the own session lasts, the token speaks for the user; `actor_user_id` tells who is behind it. Nobody can act as an administrator, and administrator operations are refused meanwhile. Every switch, and every write while switched, is kept in the audit log.',
  access: adminOrSwitched(),
  effect: 'write',
  conditional: false,
  body: z
    .object({
      user_id: Id.describe('The user to act as.'),
      reason: shortText.optional().describe('Kept in the audit log.'),
    })
    .meta({ id: 'SwitchUser', examples: [{ user_id: 4, reason: 'Asked for help by phone.' }] }),
  reply: [200, SwitchedSession],
  errors: [
    'rest_forbidden',
    'rest_user_not_found',
    'svc_session_switched',
    'svc_session_issue_failed',
  ],
  secretReply: true,
}).handle(async ({ principal, body, db, authority, now }) => {
  if (principal.actorId !== null) return refuse('svc_session_switched');
  const { found, settings } = await db.query({
    found: findUser(body.user_id),
    settings: findSettings(),
  });
  const [target] = found;
  if (!target) return refuse('rest_user_not_found');
  if (target.user.roles.includes('administrator')) {
    return refuse('rest_forbidden', { message: 'Nobody can act as an administrator.' });
  }
  if (target.user.status !== 'active') {
    return refuse('rest_forbidden', { message: 'This account is blocked.' });
  }
  if (!settings[0]) throw new ApiError('svc_session_issue_failed');
  const own = principal.claims;
  const granted = claimsFor({
    user: target.user,
    settings: settings[0],
    provider: own.provider,
    providerUserId: externalId(target, own.provider),
    authority,
    now,
  });
  const reply = await handOver(actingAs(granted, own), target, authority, now);
  return db.change({
    load: {},
    decide: () => ({
      write: [],
      audit: { user_id: target.user.id, reason: body.reason ?? null },
      reply,
    }),
  });
});

export const switchBack = endpoint({
  id: 'me.switchBack',
  route: ['POST /me/switch-back'],
  summary: 'Stop acting as another user',
  description:
    'Ends the switched session at once, and answers with a token of the session it was made from: the same administrator, the same end. Ending that session ends every switched one made from it. Keep its own token all the same, which stays valid while switched: once the user is blocked, erased or made an administrator, or their sessions are ended, the switched token is refused here as everywhere.',
  access: session(),
  effect: 'write',
  conditional: false,
  reply: [200, SwitchedSession],
  errors: ['svc_session_not_switched', 'svc_session_issue_failed'],
  secretReply: true,
}).handle(async ({ principal: { claims }, db, authority, now }) => {
  const { act } = claims;
  if (!act) return refuse('svc_session_not_switched');
  const { found } = await db.query({ found: findUser(Number(act.sub)) });
  const [actor] = found;
  if (!actor) throw new ApiError('svc_session_issue_failed');
  const reply = await handOver(switchedBack(claims, act), actor, authority, now);
  return db.change({
    load: {},
    decide: () => ({ write: [revokeSession(claims.sid, now)], reply }),
  });
});
