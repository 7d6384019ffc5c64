import { apiKey, endpoint, IdParams, one } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { toMessage } from '../../domain/message/rules.ts';
import { MessageReply } from '../../domain/message/schemas.ts';
import { findMessage } from '../../queries/messages.ts';

export const getMessage = endpoint({
  id: 'messages.get',
  route: ['GET /messages/:id'],
  summary: 'Get a message',
  access: apiKey('messages:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, MessageReply],
  errors: ['rest_not_found'],
}).handle(async ({ params, db }) => {
  const { found } = await db.query({ found: findMessage(params.id) });
  return found[0] ? one(toMessage(found[0])) : refuse('rest_not_found');
});
