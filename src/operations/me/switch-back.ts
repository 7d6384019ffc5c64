import { endpoint, session } from '../../kernel/endpoint/declare.ts';
import { kernelError, refuse } from '../../kernel/errors/errors.ts';
import { revokeSession } from '../../queries/user-sessions.ts';
import { switchedBack } from '../../domain/session/rules.ts';
import { SwitchedSession } from '../../domain/session/schemas.ts';
import { findUser } from '../../queries/users.ts';
import { handOver } from '../../actions/me/hand-over.ts';

export const switchBack = endpoint({
  id: 'me.switchBack',
  route: ['POST /me/switch-back'],
  summary: 'Stop acting as another user',
  description:
    'Ends the switched session at once and returns a token for the session it was started from: the same administrator, expiring at the same time. Ending that original session ends every switched session started from it. Keep the original token too; it stays valid while switched. Once the user is blocked, erased or made an administrator, or their sessions are revoked, the switched token is refused here as everywhere else.',
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
  if (!actor) throw kernelError('svc_session_issue_failed');
  const reply = await handOver(
    switchedBack(claims, act, crypto.randomUUID()),
    actor,
    authority,
    now,
  );
  return db.change({
    load: {},
    decide: () => ({ write: [revokeSession(claims.sid, now)], reply }),
  });
});
