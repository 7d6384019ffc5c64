import { apiKey, changesPage, endpoint } from '../../kernel/endpoint/declare.ts';
import { readCommissions } from '../../actions/commissions/reading.ts';
import { Commission, CommissionQuery } from '../../domain/commission/schemas.ts';

export const listCommissionsEndpoint = endpoint({
  id: 'commissions.list',
  route: ['GET /commissions'],
  summary: 'List commissions',
  description:
    'The commission ledger, newest first: sales, and the adjustments that later changes to their orders caused. Filters combine.',
  access: apiKey('commissions:read'),
  effect: 'read',
  query: CommissionQuery,
  reply: [200, changesPage(Commission)],
}).handle(async ({ query, db, now }) => readCommissions(db, query, now));
