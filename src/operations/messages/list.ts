import { apiKey, endpoint, page } from '../../kernel/endpoint/declare.ts';
import { readList } from '../../kernel/lists/read.ts';
import { toMessage } from '../../domain/message/rules.ts';
import { Message, MessageQuery } from '../../domain/message/schemas.ts';
import { countMessages, listMessages } from '../../queries/messages.ts';

export const listMessagesEndpoint = endpoint({
  id: 'messages.list',
  route: ['GET /messages'],
  summary: 'List messages',
  description:
    'Sent and waiting messages to buyers, affiliates and the seller by e-mail, WhatsApp and SMS, reminders included; newest first. Messages are kept for `MESSAGE_DAYS` (90 by default).',
  access: apiKey('messages:read'),
  effect: 'read',
  query: MessageQuery,
  reply: [200, page(Message)],
}).handle(async ({ query, db }) =>
  readList(db, query, { list: listMessages, count: countMessages, show: toMessage }),
);
