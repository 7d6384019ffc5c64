import { consoleSession } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { one } from '../../kernel/schemas/replies.ts';
import { isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { LinkFor, Sent } from '../../domain/console/schemas.ts';
import { isStaff } from '../../domain/user/capabilities.ts';
import { linkOf } from '../../actions/console/links.ts';
import { sendsMail } from '../../processes/console/mailing.ts';
import { sendNow } from '../../processes/messages/sending.ts';
import { sendLink } from '../../queries/console-mails.ts';
import { findUser } from '../../queries/users.ts';

export const createLink = endpoint({
  id: 'console.links.create',
  namespace: 'console',
  route: ['POST /links'],
  summary: 'Send somebody a sign-in link',
  description:
    'Sends the link to the address of the person, who needs a role in the console, and only there: nobody can sign in as somebody else.',
  access: consoleSession('manage_options'),
  fresh: true,
  effect: 'write',
  conditional: false,
  body: LinkFor,
  reply: [202, Sent],
  errors: ['rest_forbidden', 'rest_user_not_found', 'message_no_sender', 'svc_console_mail_limit'],
}).handle(async ({ body, db, config, authority, after, now }) => {
  const key = crypto.randomUUID();
  const link = await linkOf(key, authority);
  const answer = await db.change({
    load: { found: findUser(body.user_id) },
    decide: ({ found: [row] }) => {
      if (!row) return refuse('rest_user_not_found');
      if (!isStaff(row.user) || row.user.status !== 'active') {
        return refuse('rest_forbidden', { message: 'This person may not enter the console.' });
      }
      if (!sendsMail(config)) return refuse('message_no_sender');
      return {
        write: sendLink(link, { key, to: body, now }),
        audit: { record: body.user_id },
        reply: one({ sent: true as const }),
      };
    },
  });
  if (!isRefusal(answer)) after(sendNow);
  return answer;
});
