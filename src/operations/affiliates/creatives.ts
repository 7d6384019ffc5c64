import { apiKey, collection, endpoint, one } from '../../kernel/endpoint/declare.ts';
import { isRefusal } from '../../kernel/errors/errors.ts';
import { readCreatives } from '../../actions/affiliates/reading.ts';
import { AffiliateParams, CreativesQuery, Creative } from '../../domain/affiliate/schemas.ts';

export const listCreatives = endpoint({
  id: 'affiliates.creatives',
  route: ['GET /affiliates/:affiliate_id/creatives'],
  summary: 'List promotional material for a product',
  access: apiKey('affiliates:read'),
  effect: 'read',
  params: AffiliateParams,
  query: CreativesQuery,
  reply: [200, collection(Creative)],
  errors: ['rest_not_found'],
}).handle(async ({ params, query, db }) => {
  const creatives = await readCreatives(db, params.affiliate_id, query.product_id);
  return isRefusal(creatives) ? creatives : one(creatives);
});
