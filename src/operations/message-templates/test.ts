import { apiKey, endpoint, one } from '../../kernel/endpoint/declare.ts';
import { drawId, nextId } from '../../kernel/database/statements.ts';
import { isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { recipientRefusal } from '../../domain/reminder/recipients.ts';
import { newTest, toMessage } from '../../domain/message/rules.ts';
import { MessageReply } from '../../domain/message/schemas.ts';
import { TemplateParams, TemplateTest } from '../../domain/message/template-schemas.ts';
import { sendersOf } from '../../providers/messages/index.ts';
import { holdTests, insertMessage } from '../../queries/messages.ts';
import { sendNow } from '../../processes/messages/sending.ts';
import { loadTrial, trialRefusal, tried } from '../../processes/messages/trial.ts';

export const testMessageTemplate = endpoint({
  id: 'messageTemplates.test',
  route: ['POST /message-templates/:kind/:medium/test'],
  summary: 'Send a message template as a test',
  description:
    'Sends it to the address that you name. If you name an order, its data are used: this requires `orders:read` (and for `order-completed` also `access:read` and `licenses:read`). Otherwise an invented order is used. At most 30 within an hour.',
  access: apiKey('messages:write'),
  effect: 'write',
  fresh: true,
  params: TemplateParams,
  body: TemplateTest,
  reply: [201, MessageReply],
  errors: [
    'rest_not_found',
    'rest_invalid_param',
    'rest_forbidden',
    'message_no_sender',
    'message_test_limit',
  ],
}).handle(async ({ params, body, db, config, principal, after, now }) => {
  const key = crypto.randomUUID();
  const answer = await db.change({
    load: { id: drawId('messages'), ...loadTrial(params, body.order_id, now) },
    decide: ({ id, ...loaded }) => {
      const refusal =
        trialRefusal(principal, params, body.order_id) ??
        recipientRefusal(params.medium, body.recipient);
      if (refusal) return refusal;
      if (!sendersOf(config)[params.medium]) return refuse('message_no_sender');
      const content = tried(params, body, loaded, { config, now });
      if (isRefusal(content)) return content;
      const { order_id = null, recipient } = body;
      const message = newTest(
        { id: nextId(id), key, medium: params.medium, order_id, recipient, content },
        now,
      );
      return {
        write: [...holdTests(message.created_at), insertMessage(message)],
        reply: one(toMessage(message)),
      };
    },
  });
  if (!isRefusal(answer)) after(sendNow);
  return answer;
});
