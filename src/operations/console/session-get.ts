import { consoleSession, endpoint, one } from '../../kernel/endpoint/declare.ts';
import { kernelError } from '../../kernel/errors/errors.ts';
import { SignedIn } from '../../domain/console/schemas.ts';
import { signedIn } from '../../domain/console/shown.ts';
import { findConsoleSession } from '../../queries/console.ts';
import { findSettings } from '../../queries/settings.ts';

export const getConsoleSession = endpoint({
  id: 'console.session.get',
  namespace: 'console',
  route: ['GET /session'],
  summary: 'Get the session of the console',
  description:
    'The person who is signed in, what they may do, and the facts of the store that every screen shows.',
  access: consoleSession('read_admin'),
  effect: 'read',
  reply: [200, SignedIn],
}).handle(async ({ principal, db, config }) => {
  const { found, settings } = await db.query({
    found: findConsoleSession({ prefix: principal.prefix }),
    settings: findSettings(),
  });
  const shown = found[0] && settings[0] && signedIn(found[0], settings[0], config);
  if (!shown) throw kernelError('svc_console_signed_out');
  return one(shown);
});
