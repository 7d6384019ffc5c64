import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { findReview } from '../../queries/confirmations.ts';
import { toReview } from '../../domain/confirmation/rules.ts';
import { ConfirmationWithOrder } from '../../domain/confirmation/schemas.ts';

export const getConfirmation = endpoint({
  id: 'confirmations.get',
  route: ['GET /confirmations/:id'],
  summary: 'Get a payment confirmation',
  description:
    'With the records to compare it with: its order, bank entries, and confirmations of other orders that give the same proof or payment.',
  access: apiKey('confirmations:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, record(ConfirmationWithOrder)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db, principal }) => {
  const { found } = await db.query({ found: findReview(params.id) });
  return found[0] ? one(toReview(found[0], principal)) : refuse('rest_not_found');
});
