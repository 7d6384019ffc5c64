import { anyScope, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { findPayout } from '../../queries/payouts.ts';
import { toPayout } from '../../domain/payout/rules.ts';
import { Payout } from '../../domain/payout/schemas.ts';

export const getPayout = endpoint({
  id: 'payouts.get',
  route: ['GET /payouts/:id'],
  summary: 'Get a payout',
  access: anyScope('payouts:read', 'commissions:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, record(Payout)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db }) => {
  const { found } = await db.query({ found: findPayout(params.id) });
  return found[0] ? one(toPayout(found[0])) : refuse('rest_not_found');
});
