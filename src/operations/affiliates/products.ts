import { apiKey, endpoint, page } from '../../kernel/endpoint/declare.ts';
import { isRefusal } from '../../kernel/errors/errors.ts';
import { readPromoted } from '../../actions/affiliates/reading.ts';
import { AffiliateParams, PromotedProduct, PromotedQuery } from '../../domain/affiliate/schemas.ts';

export const listPromotedProducts = endpoint({
  id: 'affiliates.products',
  route: ['GET /affiliates/:affiliate_id/products'],
  summary: 'List the products an affiliate can promote',
  description:
    'Published products in the affiliate programme, newest first, with what this affiliate earns on each tier and whether they may promote the product.',
  access: apiKey('affiliates:read'),
  effect: 'read',
  params: AffiliateParams,
  query: PromotedQuery,
  reply: [200, page(PromotedProduct)],
  errors: ['rest_not_found'],
}).handle(async ({ params, query, db, config, now }) => {
  const promoted = await readPromoted(db, params.affiliate_id, query, { config, now });
  return isRefusal(promoted) ? promoted : { success: true, ...promoted };
});
