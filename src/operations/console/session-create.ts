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
import * as queries from '../../queries/console.ts';
import { findSettings } from '../../queries/settings.ts';
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
}).handle(async ({ body, db, authority, config, request, userAgent, now }) => {
  const link = await hashedLink(body.link, authority);
  if (!link) return refuse('svc_console_link_invalid');
  const { token, prefix } = generateToken('svcses');
  const [{ hash } = { hash: '' }] = await hashToken(token, authority.peppers);
  const cookie = sessionCookie(request.header('cookie'), config);
  const before = await hashed(consoleToken(cookie), authority);
  const at = now.toISOString();
  const answer = await db.change({
    load: {
      found: queries.findLink(link, now),
      settings: findSettings(),
      drawn: queries.drawSessionId(),
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
      const shown = row && settings && signedIn({ session, user: row.user }, settings, config);
      if (!shown) return refuse('svc_console_link_invalid');
      return {
        write: [
          queries.useLink(link.prefix, now),
          ...(before ? [queries.endConsoleSession(before, now)] : []),
          queries.insertConsoleSession(session),
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
  return { ...answer, headers: { 'set-cookie': cookieHeader(token, sessionLifetime, config) } };
});
