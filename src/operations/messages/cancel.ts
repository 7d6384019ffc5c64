import { apiKey, endpoint, IdParams, one } from '../../kernel/endpoint/declare.ts';
import { current, isRefusal } from '../../kernel/errors/errors.ts';
import { cancelled, toMessage } from '../../domain/message/rules.ts';
import { MessageReply } from '../../domain/message/schemas.ts';
import { followed } from '../../queries/message-claims.ts';
import { findMessage, saveMessage } from '../../queries/messages.ts';

export const cancelMessage = endpoint({
  id: 'messages.cancel',
  route: ['POST /messages/:id/cancel'],
  summary: 'Cancel a message',
  description:
    'Cancels a message that waits to be sent or tried again. If its last attempt was not answered, it may have arrived all the same. A message that is being sent cannot be cancelled. The reminder that it was made from is cancelled as well.',
  access: apiKey('messages:write'),
  effect: 'write',
  params: IdParams,
  reply: [200, MessageReply],
  errors: ['rest_not_found', 'message_not_queued', 'message_sending', 'message_of_sign_in'],
}).handle(async ({ params, db, ifMatch, now }) =>
  db.change({
    load: { found: findMessage(params.id) },
    decide: ({ found }) => {
      const before = current(found, ifMatch);
      if (isRefusal(before)) return before;
      const after = cancelled(before, now);
      if (isRefusal(after)) return after;
      return {
        write: [saveMessage(before, after), ...followed(after)],
        before: toMessage(before),
        reply: one(toMessage(after)),
      };
    },
  }),
);
