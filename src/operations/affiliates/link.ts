import { apiKey, endpoint, one, record } from '../../kernel/endpoint/declare.ts';
import { isRefusal, unknownReference } from '../../kernel/errors/errors.ts';
import { readLinks } from '../../actions/affiliates/reading.ts';
import { withQuery } from '../../domain/affiliate/links.ts';
import { AffiliateLink, AffiliateParams, LinkQuery } from '../../domain/affiliate/schemas.ts';

export const getLink = endpoint({
  id: 'affiliates.link',
  route: ['GET /affiliates/:affiliate_id/link'],
  summary: 'Get an affiliate link',
  access: apiKey('affiliates:read'),
  effect: 'read',
  params: AffiliateParams,
  query: LinkQuery,
  reply: [200, record(AffiliateLink)],
  errors: ['rest_not_found'],
}).handle(async ({ params, query, db, config }) => {
  const { target = 'sales-page', coupon, product_id } = query;
  const links = await readLinks(db, params.affiliate_id, product_id, config);
  if (isRefusal(links)) return links;
  const link = links.find(({ key }) => key === target);
  if (!link) return unknownReference('target');
  return one({ ...link, affiliate_link: withQuery(link.affiliate_link, { coupon }) });
});
