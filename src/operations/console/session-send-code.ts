import { consoleSession } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { one } from '../../kernel/schemas/replies.ts';
import { isRefusal, kernelError, refuse } from '../../kernel/errors/errors.ts';
import { Sent } from '../../domain/console/schemas.ts';
import { codeOf } from '../../actions/console/links.ts';
import { sendsMail } from '../../processes/console/mailing.ts';
import { sendNow } from '../../processes/messages/sending.ts';
import { sendCode } from '../../queries/console-mails.ts';
import { findConsoleSession } from '../../queries/console.ts';

export const sendSignInCode = endpoint({
  id: 'console.session.sendCode',
  namespace: 'console',
  route: ['POST /session/code'],
  summary: 'Request a code that makes the session fresh again',
  description: 'Six digits, to the address of the person: good for ten minutes and five tries.',
  access: consoleSession('read_admin'),
  effect: 'write',
  conditional: false,
  reply: [202, Sent],
  errors: ['message_no_sender', 'svc_console_mail_limit'],
}).handle(async ({ principal, db, config, authority, after, now }) => {
  const key = crypto.randomUUID();
  const hash = await codeOf(key, principal.prefix, authority);
  const answer = await db.change({
    load: { found: findConsoleSession({ prefix: principal.prefix }) },
    decide: ({ found: [row] }) => {
      if (!row) throw kernelError('svc_console_signed_out');
      if (!sendsMail(config)) return refuse('message_no_sender');
      return {
        write: sendCode(hash, row.session.id, { key, to: { user_id: row.user.id }, now }),
        audit: { record: row.session.id },
        reply: one({ sent: true as const }),
      };
    },
  });
  if (!isRefusal(answer)) after(sendNow);
  return answer;
});
