import { apiKey, collection, endpoint, one } from '../../kernel/endpoint/declare.ts';
import { isRefusal } from '../../kernel/errors/errors.ts';
import { readLinks } from '../../actions/affiliates/reading.ts';
import { AffiliateLink, AffiliateParams, LinksQuery } from '../../domain/affiliate/schemas.ts';

export const listLinks = endpoint({
  id: 'affiliates.links',
  route: ['GET /affiliates/:affiliate_id/links'],
  summary: "List an affiliate's links",
  description:
    'For each product: links to its sales page, its checkout and the pages the product names. A visit through such a link is recorded and counts for the affiliate.',
  access: apiKey('affiliates:read'),
  effect: 'read',
  params: AffiliateParams,
  query: LinksQuery,
  reply: [200, collection(AffiliateLink)],
  errors: ['rest_not_found'],
}).handle(async ({ params, query, db, config }) => {
  const links = await readLinks(db, params.affiliate_id, query.product_id, config);
  return isRefusal(links) ? links : one(links);
});
