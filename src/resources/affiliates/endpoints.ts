import { apiKey } from '../../auth/access.ts';
import { sendIf } from '../../db/statements.ts';
import { endpoint } from '../../http/endpoint.ts';
import { collection, one, page, record } from '../../http/envelope.ts';
import { isRefusal, refuse, unknownReference } from '../../http/errors.ts';
import { findPerson } from '../orders/queries.ts';
import { findSettings } from '../platform/queries.ts';
import { canAffiliate, hasPhone } from '../users/rules.ts';
import { affiliateLinks, siteOf, withQuery } from './links.ts';
import { findPromoted, lookUpAffiliates } from './queries.ts';
import { loadCommissionInfo } from './queries-earnings.ts';
import { readCreatives, readLeaders, readLinks, readPromoted, readRank } from './reading.ts';
import { commissionInfoOf } from './rules.ts';
import {
  Affiliate,
  AffiliateLink,
  AffiliateLookup,
  AffiliateParams,
  CommissionInfo,
  CreativesQuery,
  Creative,
  InfoQuery,
  LeaderboardQuery,
  LinkQuery,
  LinksQuery,
  Place,
  PromotedProduct,
  PromotedQuery,
  Rank,
  RankingQuery,
} from './schemas.ts';

export const listLinks = endpoint({
  id: 'affiliates.links',
  route: ['GET /affiliates/:affiliate_id/links'],
  summary: "List an affiliate's links",
  description:
    'For each product the sales page, the checkout and the pages the product names. A visit through an affiliate link is recorded and counts for the affiliate.',
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

export const getLink = endpoint({
  id: 'affiliates.link',
  route: ['GET /affiliates/:affiliate_id/link'],
  summary: "Read one of an affiliate's links",
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
  const site = siteOf(settings[0], config.BASE_URL);
  const link = affiliateLinks(params.affiliate_id, product, site).find(({ key }) => key === target);
  if (!link) return unknownReference('target');
  return one({ ...link, affiliate_link: withQuery(link.affiliate_link, { coupon }) });
});

export const getCommissionInfo = endpoint({
  id: 'affiliates.commissionInfo',
  route: ['GET /affiliates/:affiliate_id/commission-info'],
  summary: 'Read what an affiliate has earned',
  description: 'Of all time, or of commissions made in a range of days or of one product.',
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

export const lookUpAffiliate = endpoint({
  id: 'affiliates.lookup',
  route: ['GET /affiliates/lookup'],
  summary: 'Find one affiliate',
  description:
    'By exactly one of `id`, `email`, `phone` or the code of a `coupon` of theirs. A phone is found in every spelling.',
  access: apiKey('affiliates:read'),
  effect: 'read',
  query: AffiliateLookup,
  reply: [200, record(Affiliate)],
  errors: ['rest_not_found', 'rest_ambiguous'],
}).handle(async ({ query, db }) => {
  const loaded = await db.query({
    found: lookUpAffiliates(query),
    settings: sendIf(query.phone !== undefined, findSettings),
  });
  const [row, other] = loaded.found.filter(({ person }) =>
    hasPhone(person, query.phone, loaded.settings[0]),
  );
  if (!row) return refuse('rest_not_found');
  if (other) return refuse('rest_ambiguous');
  const { person, group, coupon_codes } = row;
  return one({
    affiliate_id: person.id,
    display_name: person.display_name,
    can_affiliate: canAffiliate({ ...person, group }),
    group,
    sponsor_id: person.affiliate_id,
    coupon_codes,
  });
});

export const listPromotedProducts = endpoint({
  id: 'affiliates.products',
  route: ['GET /affiliates/:affiliate_id/products'],
  summary: 'List the products an affiliate can promote',
  description:
    'Published products of the affiliate programme, newest first, with what this affiliate earns on each tier and whether they may promote it.',
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

export const listCreatives = endpoint({
  id: 'affiliates.creatives',
  route: ['GET /affiliates/:affiliate_id/creatives'],
  summary: 'List what there is to advertise a product with',
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

export const getLeaderboard = endpoint({
  id: 'affiliates.leaderboard',
  route: ['GET /affiliates/leaderboard'],
  summary: 'Read who sells most',
  description:
    'All time and whole months come from kept figures; other ranges cost by their days. Who sold the same shares a rank.',
  access: apiKey('affiliates:read'),
  effect: 'read',
  query: LeaderboardQuery,
  reply: [200, collection(Place)],
}).handle(async ({ query, db }) => one(await readLeaders(db, query)));

export const getRank = endpoint({
  id: 'affiliates.rank',
  route: ['GET /affiliates/:affiliate_id/rank'],
  summary: 'Read where an affiliate stands',
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
