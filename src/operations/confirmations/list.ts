import { apiKey } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { page } from '../../kernel/endpoint/envelope.ts';
import { readList } from '../../kernel/endpoint/pagination.ts';
import { countConfirmations, listConfirmations } from '../../queries/confirmations.ts';
import { Confirmation, ConfirmationQuery } from '../../domain/confirmation/schemas.ts';

export const listConfirmationsEndpoint = endpoint({
  id: 'confirmations.list',
  route: ['GET /confirmations'],
  summary: 'List payment confirmations',
  access: apiKey('confirmations:read'),
  effect: 'read',
  query: ConfirmationQuery,
  reply: [200, page(Confirmation)],
}).handle(async ({ query, db }) =>
  readList(db, query, {
    list: listConfirmations,
    count: countConfirmations,
    show: (confirmation) => confirmation,
  }),
);
