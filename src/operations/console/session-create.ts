import { cut } from '../../lib/text.ts';
import { endpoint, one, open } from '../../kernel/endpoint/declare.ts';
import { consoleToken } from '../../kernel/auth/console-session.ts';
import { generateToken, hashToken } from '../../kernel/auth/secret-token.ts';
import { nextId } from '../../kernel/database/statements.ts';
import { cookieHeader, sessionCookie } from '../../kernel/endpoint/console-requests.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { addSeconds } from '../../lib/instant.ts';
import { sessionLifetime } from '../../domain/console/rules.ts';
import { Link, SignedIn } from '../../domain/console/schemas.ts';
import { signedIn } from '../../domain/console/shown.ts';
import {
  drawSessionId,
  endConsoleSession,
  findLink,
  insertConsoleSession,
  useLink,
} from '../../queries/console.ts';
import { queueSignInNotice } from '../../queries/console-mails.ts';
import { findSettings } from '../../queries/settings.ts';
import { sendsMail } from '../../processes/console/mailing.ts';
import { sendNow } from '../../processes/messages/sending.ts';
import { hashed, hashedLink } from '../../actions/console/links.ts';

export const signIn = endpoint({
  id: 'console.session.create',
  namespace: 'console',
  route: ['POST /session'],
  summary: 'Sign in to the console',
  description:
    'Uses a sign-in link up and keeps a session in a cookie of the browser. A session that the browser had before ends.',
  access: open('who has the link has no session yet'),
  effect: 'write',
  body: Link,
  reply: [201, SignedIn],
  errors: ['svc_console_link_invalid'],
  secretReply: true,
}).handle(async ({ body, db, authority, config, request, userAgent, after, now }) => {
  const link = await hashedLink(body.link, authority);
  if (!link) return refuse('svc_console_link_invalid');
  const { token, prefix } = generateToken('svcses');
  const [{ hash } = { hash: '' }] = await hashToken(token, authority.peppers);
  const cookie = sessionCookie(request.header('cookie'), config);
  const before = await hashed(consoleToken(cookie), authority);
  const at = now.toISOString();
  const answer = await db.change({
    load: {
      found: findLink(link, now),
      settings: findSettings(),
      drawn: drawSessionId(),
    },
    decide: ({ found: [row], settings: [settings], drawn }) => {
      const session = {
        id: nextId(drawn),
        prefix,
        hash,
        user_id: row?.user.id ?? 0,
        authenticated_at: at,
        seen_at: at,
        expires_at: addSeconds(at, sessionLifetime),
        ended_at: null,
        user_agent: cut(userAgent, 300),
        country: request.header('cf-ipcountry') ?? '',
      };
      const shown = row && settings && signedIn({ ...row, session }, settings, config);
      if (!shown) return refuse('svc_console_link_invalid');
      return {
        write: [
          useLink(link.prefix, now),
          ...(before ? [endConsoleSession(before, now)] : []),
          insertConsoleSession(session),
          ...(sendsMail(config) ? [queueSignInNotice(session.user_id, session.id, now)] : []),
        ],
        audit: {
          actor: { type: 'user', id: session.user_id },
          record: session.id,
          after: { country: session.country, user_agent: session.user_agent },
        },
        reply: one(shown),
      };
    },
  });
  if ('refused' in answer) return answer;
  after(sendNow);
  return { ...answer, headers: { 'set-cookie': cookieHeader(token, sessionLifetime, config) } };
});
