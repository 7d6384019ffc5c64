import { consoleSession } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { one } from '../../kernel/schemas/replies.ts';
import { isRefusal, kernelError, refuse } from '../../kernel/errors/errors.ts';
import { codeTries } from '../../domain/console/rules.ts';
import { Code, SignedIn } from '../../domain/console/schemas.ts';
import { signedIn } from '../../domain/console/shown.ts';
import { hashesOfCode } from '../../actions/console/links.ts';
import { countTry, findCode } from '../../queries/console-mails.ts';
import { findConsoleSession, renewSession, sessionOfCookie } from '../../queries/console.ts';
import { findSettings } from '../../queries/settings.ts';

export const renewConsoleSession = endpoint({
  id: 'console.session.renew',
  namespace: 'console',
  route: ['POST /session/renew'],
  summary: 'Make the session fresh again by a code',
  description:
    'Takes the last code that was sent. For ten more minutes, the session may then do what requires a recent sign-in.',
  access: consoleSession('read_admin'),
  effect: 'write',
  conditional: false,
  secretReply: true,
  body: Code,
  reply: [200, SignedIn],
  errors: ['svc_console_code_invalid'],
}).handle(async ({ principal, body, db, config, authority, now }) => {
  const hashes = await hashesOfCode(body.code, principal.prefix, authority);
  const at = now.toISOString();
  let isGood = false;
  const answer = await db.change({
    load: {
      found: findConsoleSession({ prefix: principal.prefix }),
      codes: findCode(sessionOfCookie(principal.prefix)),
      settings: findSettings(),
    },
    decide: ({ found: [row], codes: [code], settings: [settings] }) => {
      if (!row || !settings) throw kernelError('svc_console_signed_out');
      if (!code || code.used_at !== null || code.expires_at <= at || code.tries >= codeTries)
        return refuse('svc_console_code_invalid');
      isGood = hashes.includes(code.hash);
      const session = isGood ? { ...row.session, authenticated_at: at } : row.session;
      const shown = signedIn({ ...row, session }, settings, config);
      if (!shown) throw kernelError('svc_console_signed_out');
      return {
        write: [
          countTry(code, isGood ? at : null),
          ...(isGood ? [renewSession(session.id, now)] : []),
        ],
        audit: { record: session.id, after: { code: isGood ? 'right' : 'wrong' } },
        reply: one(shown),
      };
    },
  });
  // A wrong code is counted before it is refused.
  return isRefusal(answer) || isGood ? answer : refuse('svc_console_code_invalid');
});
