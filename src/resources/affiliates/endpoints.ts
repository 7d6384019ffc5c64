import { apiKey } from '../../auth/access.ts';
import { endpoint } from '../../http/endpoint.ts';
import { collection, one, page, record } from '../../http/envelope.ts';
import { refuse, unknownReference } from '../../http/errors.ts';
import { pageOf, pageWindow } from '../../http/pagination.ts';
import { findPerson } from '../orders/queries.ts';
import { findSettings } from '../platform/queries.ts';
import { canAffiliate } from '../users/rules.ts';
import { affiliateLinks, siteOf, withQuery } from './links.ts';
import {
  countPromoted,
  findBalances,
  findHeld,
  findLastPaid,
  findPromoted,
  listPromoted,
  lookUpAffiliates,
} from './queries.ts';
import { findLeaders, findStanding } from './queries-ranking.ts';
import { commissionInfo, creativesOf, promotedProduct, toPlace, toRank } from './rules.ts';
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
  const { affiliate, products, settings } = await db.query({
    affiliate: findPerson(params.affiliate_id),
    products: findPromoted(query.product_id),
    settings: findSettings(),
  });
  if (!affiliate[0] || !settings[0]) return refuse('rest_not_found');
  if (query.product_id !== undefined && !products[0]) return unknownReference('product_id');
  const site = siteOf(settings[0], config.BASE_URL);
  return {
    success: true,
    data: products.flatMap((product) => affiliateLinks(params.affiliate_id, product, site)),
  };
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
  const id = params.affiliate_id;
  const loaded = await db.query({
    affiliate: findPerson(id),
    settings: findSettings(),
    balances: findBalances(id, query),
    held: findHeld(id, query, now),
    lastPaid: findLastPaid(id),
  });
  const [affiliate] = loaded.affiliate;
  const [settings] = loaded.settings;
  const [balances] = loaded.balances;
  if (!affiliate || !settings || !balances) return refuse('rest_not_found');
  const sums = { ...balances, held: loaded.held[0]?.held ?? 0 };
  return one(commissionInfo(affiliate, settings, sums, loaded.lastPaid[0]?.at ?? null));
});

export const lookUpAffiliate = endpoint({
  id: 'affiliates.lookup',
  route: ['GET /affiliates/lookup'],
  summary: 'Find one affiliate',
  description: 'By exactly one of `id`, `email`, `phone` or the code of a `coupon` of theirs.',
  access: apiKey('affiliates:read'),
  effect: 'read',
  query: AffiliateLookup,
  reply: [200, record(Affiliate)],
  errors: ['rest_not_found', 'rest_ambiguous'],
}).handle(async ({ query, db }) => {
  const { found } = await db.query({ found: lookUpAffiliates(query) });
  const [row] = found;
  if (!row) return refuse('rest_not_found');
  if (found.length > 1) return refuse('rest_ambiguous');
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
  const id = params.affiliate_id;
  const window = pageWindow(query);
  const { rows, counted, affiliate, settings } = await db.query({
    rows: listPromoted(id, window),
    counted: countPromoted(),
    affiliate: findPerson(id),
    settings: findSettings(),
  });
  const [person] = affiliate;
  if (!person || !settings[0]) return refuse('rest_not_found');
  const moment = { site: siteOf(settings[0], config.BASE_URL), now };
  const { data, ...body } = pageOf(
    query,
    rows.map((row) => ({ ...row, id: row.product.id })),
    window.counted ? counted[0]?.total : undefined,
  );
  return {
    ...body,
    data: data.map(({ product, bought }) => promotedProduct(person, product, bought, moment)),
  };
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
  const { affiliate, products } = await db.query({
    affiliate: findPerson(params.affiliate_id),
    products: findPromoted(query.product_id),
  });
  if (!affiliate[0]) return refuse('rest_not_found');
  if (!products[0]) return unknownReference('product_id');
  return { success: true, data: creativesOf(products[0]) };
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
}).handle(async ({ query, db }) => {
  const { leaders, settings } = await db.query({
    leaders: findLeaders(query, query.limit ?? 10),
    settings: findSettings(),
  });
  const [store] = settings;
  if (!store) throw new Error('The store has no settings.');
  const measure = query.calculate ?? 'order';
  return { success: true, data: leaders.rows.map((row) => toPlace(row, measure, store)) };
});

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
  const { affiliate, standing, settings } = await db.query({
    affiliate: findPerson(params.affiliate_id),
    standing: findStanding(params.affiliate_id, query),
    settings: findSettings(),
  });
  const [own] = standing.rows;
  if (!affiliate[0] || !own || !settings[0]) return refuse('rest_not_found');
  return one(toRank(params.affiliate_id, own, query.calculate ?? 'order', settings[0]));
});
