import { apiKey } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { collection, one } from '../../kernel/schemas/replies.ts';
import { MessageSender, loadSenders, sendersShown } from '../../actions/messages/senders.ts';

export const listMessageSenders = endpoint({
  id: 'messages.senders',
  route: ['GET /messages/senders'],
  summary: 'List the senders of messages',
  description:
    "The sender of each medium, the number of waiting messages, and the sender's fault, if any.",
  access: apiKey('messages:read'),
  effect: 'read',
  reply: [200, collection(MessageSender)],
}).handle(async ({ db, config }) => one(sendersShown(await db.query(loadSenders()), config)));
