import { anyScope, endpoint, IdParams, one } from '../../kernel/endpoint/declare.ts';
import { drawId, nextId } from '../../kernel/database/statements.ts';
import { current, isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { isSignInKind } from '../../domain/message/kinds.ts';
import { again, toMessage } from '../../domain/message/rules.ts';
import { MessageReply } from '../../domain/message/schemas.ts';
import { sendersOf } from '../../providers/messages/index.ts';
import { findMessage, holdTests, insertMessage } from '../../queries/messages.ts';
import { sendNow } from '../../processes/messages/sending.ts';

export const resendMessage = endpoint({
  id: 'messages.resend',
  route: ['POST /messages/:id/resend'],
  summary: 'Resend a message',
  description:
    'Sends the same text at once, as a new message, to the present address of its reader or to the recipient that somebody named. A message that is still waiting to be sent cannot be sent again.',
  access: anyScope('messages:send', 'messages:write'),
  effect: 'write',
  params: IdParams,
  reply: [201, MessageReply],
  errors: [
    'rest_not_found',
    'message_queued',
    'message_gathered',
    'message_of_sign_in',
    'message_no_sender',
    'message_test_limit',
  ],
}).handle(async ({ params, db, config, after, ifMatch, now }) => {
  const key = crypto.randomUUID();
  const answer = await db.change({
    load: { found: findMessage(params.id), id: drawId('messages') },
    decide: ({ found, id }) => {
      const before = current(found, ifMatch);
      if (isRefusal(before)) return before;
      if (isSignInKind(before.kind)) return refuse('message_of_sign_in');
      if (before.status === 'queued') return refuse('message_queued');
      if (before.status === 'gathered') return refuse('message_gathered');
      if (!sendersOf(config)[before.medium]) return refuse('message_no_sender');
      const message = again(before, { id: nextId(id), key }, now);
      return {
        write: [
          ...(message.kind === 'test' ? holdTests(message.created_at) : []),
          insertMessage(message),
        ],
        reply: one(toMessage(message)),
      };
    },
  });
  if (!isRefusal(answer)) after(sendNow);
  return answer;
});
