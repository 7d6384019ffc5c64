import * as z from 'zod';
import { adminOrSwitched, endpoint } from '../../kernel/endpoint/declare.ts';
import { refuse, kernelError } from '../../kernel/errors/errors.ts';
import { Id, shortText } from '../../lib/schemas.ts';
import { findSettings } from '../../queries/settings.ts';
import { claimsFor } from '../../actions/sessions/issuing.ts';
import { actingAs } from '../../domain/session/rules.ts';
import { SwitchedSession } from '../../domain/session/schemas.ts';
import { findUser } from '../../queries/users.ts';
import { isStaff } from '../../domain/user/capabilities.ts';
import { externalId } from '../../domain/user/rules.ts';
import { handOver } from '../../actions/me/hand-over.ts';

export const switchUser = endpoint({
  id: 'me.switchUser',
  route: ['POST /me/switch-user'],
  summary: 'Act as another user',
  description:
    'Returns a token that acts for the user, for 30 minutes at most and no longer than your own session; `actor_user_id` names the administrator. Nobody can act as somebody with a role in the console, and administrator operations are refused while switched. Every switch, and every write while switched, is recorded in the audit log.',
  access: adminOrSwitched(),
  effect: 'write',
  conditional: false,
  body: z
    .object({
      user_id: Id.describe('The user to act as.'),
      reason: shortText.optional().describe('Recorded in the audit log.'),
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
  if (isStaff(target.user)) {
    return refuse('rest_forbidden', {
      message: 'Nobody can act as somebody with a role in the console.',
    });
  }
  if (target.user.status !== 'active') {
    return refuse('rest_forbidden', { message: 'This account is blocked.' });
  }
  if (!settings[0]) throw kernelError('svc_session_issue_failed');
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
      audit: { acting_as: target.user.id, reason: body.reason ?? null },
      reply,
    }),
  });
});
