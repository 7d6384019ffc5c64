import { open } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { one } from '../../kernel/schemas/replies.ts';
import { LinkRequest, Sent } from '../../domain/console/schemas.ts';
import { mailLink } from '../../processes/console/mailing.ts';

export const requestLink = endpoint({
  id: 'console.links.request',
  namespace: 'console',
  route: ['POST /links/request'],
  summary: 'Request a sign-in link',
  description:
    'Sends a link to the address if it belongs to somebody with a role in the console, at most three times within an hour. The reply is sent before the address is looked up, so it is the same for every address.',
  access: open('who asks for a link has no session yet'),
  effect: 'write',
  conditional: false,
  body: LinkRequest,
  reply: [202, Sent],
}).handle(async ({ body, after }) => {
  after((services) => mailLink(body.email, services));
  return one({ sent: true as const });
});
