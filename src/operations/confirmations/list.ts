import { apiKey } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { page } from '../../kernel/endpoint/envelope.ts';
import { pageOf, readPage } from '../../kernel/endpoint/pagination.ts';
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
}).handle(async ({ query, db }) => {
  const { rows, total } = await readPage(
    db,
    query,
    (window) => listConfirmations(query, window),
    () => countConfirmations(query),
  );
  return pageOf(query, rows, total);
});
