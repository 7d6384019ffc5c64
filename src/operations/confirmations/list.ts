import { apiKey, endpoint, page } from '../../kernel/endpoint/declare.ts';
import { readList } from '../../kernel/lists/read.ts';
import { countConfirmations, listReviews } from '../../queries/confirmations.ts';
import { toReview } from '../../domain/confirmation/rules.ts';
import { ConfirmationQuery, ConfirmationWithOrder } from '../../domain/confirmation/schemas.ts';

export const listConfirmationsEndpoint = endpoint({
  id: 'confirmations.list',
  route: ['GET /confirmations'],
  summary: 'List payment confirmations',
  description:
    'Newest first; with `sort=id`, oldest first. Filters combine. Each has the records to compare it with: its order, bank entries, and confirmations of other orders that give the same proof or payment.',
  access: apiKey('confirmations:read'),
  effect: 'read',
  query: ConfirmationQuery,
  reply: [200, page(ConfirmationWithOrder)],
}).handle(async ({ query, db, principal }) =>
  readList(db, query, {
    list: listReviews,
    count: countConfirmations,
    show: (row) => toReview(row, principal),
  }),
);
