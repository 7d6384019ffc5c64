import { apiKey, endpoint, page } from '../../kernel/endpoint/declare.ts';
import { readList } from '../../kernel/lists/read.ts';
import { shownListed } from '../../domain/refund/rules.ts';
import { ListedRefund, RefundQuery } from '../../domain/refund/schemas.ts';
import { countRefunds, listRefunds } from '../../queries/refunds.ts';

export const listAllRefunds = endpoint({
  id: 'refunds.listAll',
  route: ['GET /refunds'],
  summary: 'List refunds',
  description:
    'Refunds of all orders, deleted ones too. Those that are `failed` wait for somebody to pay them back by hand.',
  access: apiKey('payments:read'),
  effect: 'read',
  query: RefundQuery,
  reply: [200, page(ListedRefund)],
}).handle(async ({ query, db }) =>
  readList(db, query, { list: listRefunds, count: countRefunds, show: shownListed }),
);
