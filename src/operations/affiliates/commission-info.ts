import { apiKey, endpoint, one, record } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { commissionInfoOf, loadCommissionInfo } from '../../queries/commission-earnings.ts';
import { AffiliateParams, CommissionInfo, InfoQuery } from '../../domain/affiliate/schemas.ts';

export const getCommissionInfo = endpoint({
  id: 'affiliates.commissionInfo',
  route: ['GET /affiliates/:affiliate_id/commission-info'],
  summary: "Get an affiliate's earnings",
  description:
    'Sums of all commissions, or only of those created on certain days or for one product.',
  access: apiKey('affiliates:read'),
  effect: 'read',
  params: AffiliateParams,
  query: InfoQuery,
  reply: [200, record(CommissionInfo)],
  errors: ['rest_not_found'],
}).handle(async ({ params, query, db, now }) => {
  const info = commissionInfoOf(
    await db.query(loadCommissionInfo(params.affiliate_id, query, now)),
  );
  return info ? one(info) : refuse('rest_not_found');
});
