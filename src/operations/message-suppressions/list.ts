import { apiKey, endpoint, page } from '../../kernel/endpoint/declare.ts';
import { readList } from '../../kernel/lists/read.ts';
import { Suppression, SuppressionQuery } from '../../domain/message/suppressions.ts';
import { countSuppressions, listSuppressions } from '../../queries/message-receipts.ts';

export const listSuppressionsEndpoint = endpoint({
  id: 'messageSuppressions.list',
  route: ['GET /message-suppressions'],
  summary: 'List suppressed addresses',
  description:
    'Addresses to which no messages are sent, newest first. People who only unsubscribed still get transactional messages.',
  access: apiKey('messages:read'),
  effect: 'read',
  query: SuppressionQuery,
  reply: [200, page(Suppression)],
}).handle(async ({ query, db }) =>
  readList(db, query, { list: listSuppressions, count: countSuppressions, show: (row) => row }),
);
