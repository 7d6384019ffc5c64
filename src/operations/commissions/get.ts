import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { findCommission } from '../../queries/commissions.ts';
import { toCommission } from '../../domain/commission/rules.ts';
import { Commission } from '../../domain/commission/schemas.ts';

export const getCommission = endpoint({
  id: 'commissions.get',
  route: ['GET /commissions/:id'],
  summary: 'Get a commission',
  access: apiKey('commissions:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, record(Commission)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db, now }) => {
  const { found } = await db.query({ found: findCommission(params.id) });
  return found[0] ? one(toCommission(found[0], now)) : refuse('rest_not_found');
});
