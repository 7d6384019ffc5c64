import { apiKey, endpoint, one, record } from '../../kernel/endpoint/declare.ts';
import { refuse, unknownReference } from '../../kernel/errors/errors.ts';
import { findSettings } from '../../queries/settings.ts';
import { addressesOf, affiliateLinks, withQuery } from '../../domain/affiliate/links.ts';
import { AffiliateLink, AffiliateParams, LinkQuery } from '../../domain/affiliate/schemas.ts';
import { findPerson } from '../../queries/users.ts';
import { findPromoted } from '../../queries/product-promotion.ts';

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
  const { affiliate, products, settings } = await db.query({
    affiliate: findPerson(params.affiliate_id),
    products: findPromoted(query.product_id),
    settings: findSettings(),
  });
  const [product] = products;
  if (!affiliate[0] || !settings[0]) return refuse('rest_not_found');
  if (!product) return unknownReference('product_id');
  const { target = 'sales-page', coupon } = query;
  const at = addressesOf(settings[0], config);
  const link = affiliateLinks(params.affiliate_id, product, at).find(({ key }) => key === target);
  if (!link) return unknownReference('target');
  return one({ ...link, affiliate_link: withQuery(link.affiliate_link, { coupon }) });
});
