import { apiKey, endpoint, one, record } from '../../kernel/endpoint/declare.ts';
import { isRefusal } from '../../kernel/errors/errors.ts';
import { readRank } from '../../actions/affiliates/reading.ts';
import { AffiliateParams, Rank, RankingQuery } from '../../domain/affiliate/schemas.ts';

export const getRank = endpoint({
  id: 'affiliates.rank',
  route: ['GET /affiliates/:affiliate_id/rank'],
  summary: "Get an affiliate's rank",
  access: apiKey('affiliates:read'),
  effect: 'read',
  params: AffiliateParams,
  query: RankingQuery,
  reply: [200, record(Rank)],
  errors: ['rest_not_found'],
}).handle(async ({ params, query, db }) => {
  const rank = await readRank(db, params.affiliate_id, query);
  return isRefusal(rank) ? rank : one(rank);
});
