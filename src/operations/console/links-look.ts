import { endpoint, one, open } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { Link, LookedAt } from '../../domain/console/schemas.ts';
import { shownAccount } from '../../domain/console/shown.ts';
import { findLink } from '../../queries/console.ts';
import { findSettings } from '../../queries/settings.ts';
import { hashedLink } from '../../actions/console/links.ts';

export const lookAtLink = endpoint({
  id: 'console.links.look',
  namespace: 'console',
  route: ['POST /links/look'],
  summary: 'Look at a sign-in link',
  description:
    'Returns the account that a link signs in, without using the link up, so that people see it before they sign in.',
  access: open('who has the link has no session yet'),
  effect: 'read',
  body: Link,
  reply: [200, LookedAt],
  errors: ['svc_console_link_invalid'],
}).handle(async ({ body, db, authority, now }) => {
  const link = await hashedLink(body.link, authority);
  if (!link) return refuse('svc_console_link_invalid');
  const { found, settings } = await db.query({
    found: findLink(link, now),
    settings: findSettings(),
  });
  const user = found[0] && shownAccount(found[0]);
  if (!found[0] || !user) return refuse('svc_console_link_invalid');
  const { expires_at } = found[0];
  return one({ user, store_name: settings[0]?.store_name ?? '', expires_at });
});
