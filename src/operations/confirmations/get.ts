import { apiKey } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { one } from '../../kernel/endpoint/envelope.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { IdParams } from '../../kernel/endpoint/parameters.ts';
import { findConfirmation } from '../../queries/confirmations.ts';
import { ConfirmationReply } from '../../domain/confirmation/schemas.ts';

export const getConfirmation = endpoint({
  id: 'confirmations.get',
  route: ['GET /confirmations/:id'],
  summary: 'Get a payment confirmation',
  access: apiKey('confirmations:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, ConfirmationReply],
  errors: ['rest_not_found'],
}).handle(async ({ params, db }) => {
  const { found } = await db.query({ found: findConfirmation(params.id) });
  return found[0] ? one(found[0]) : refuse('rest_not_found');
});
