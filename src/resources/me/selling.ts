import { session } from '../../auth/access.ts';
import { endpoint } from '../../http/endpoint.ts';
import { ownCollection, ownPage, ownRecord } from '../../http/envelope.ts';
import { isRefusal } from '../../http/errors.ts';
import {
  readCreatives,
  readLeaders,
  readLinks,
  readPromoted,
  readRank,
} from '../affiliates/reading.ts';
import {
  AffiliateLink,
  Creative,
  CreativesQuery,
  LeaderboardQuery,
  Place,
  PromotedProduct,
  PromotedQuery,
  Rank,
  RankingQuery,
} from '../affiliates/schemas.ts';
import { readCommissions } from '../commissions/reading.ts';
import { forEarner } from '../commissions/rules.ts';
import { Commission } from '../commissions/schemas.ts';
import { asOwn, ownList, withoutNames } from './rules.ts';
import { OwnCommissionQuery, OwnLinksQuery } from './schemas.ts';

export const listOwnCommissions = endpoint({
  id: 'me.commissions',
  route: ['GET /me/commissions'],
  summary: 'List the own commissions',
  description:
    "What the user earned on any tier, newest first, with the adjustments that later changes of the orders brought. `note` and `flags` are the store's own and always empty here. Filters combine.",
  access: session(),
  effect: 'read',
  query: OwnCommissionQuery,
  reply: [200, ownPage(Commission)],
}).handle(async ({ principal, query, db, now }) => {
  const own = { ...query, affiliate_id: principal.userId };
  const { data, meta } = await readCommissions(db, own, now);
  return asOwn(principal, { data: data.map(forEarner), meta });
});

export const listOwnProducts = endpoint({
  id: 'me.products',
  route: ['GET /me/products'],
  summary: 'List the products the user can promote',
  description:
    'Published products of the affiliate programme, newest first, with what the user earns on each tier and whether they may promote it.',
  access: session(),
  effect: 'read',
  etag: true,
  query: PromotedQuery,
  reply: [200, ownPage(PromotedProduct)],
  errors: ['rest_not_found'],
}).handle(async ({ principal, query, db, config, now }) => {
  const promoted = await readPromoted(db, principal.userId, query, { config, now });
  return isRefusal(promoted) ? promoted : asOwn(principal, promoted);
});

export const listOwnLinks = endpoint({
  id: 'me.links',
  route: ['GET /me/links'],
  summary: 'List the own affiliate links',
  description:
    'For each product the sales page, the checkout and the pages the product names. A visit through such a link is recorded and counts for the user, as long as they may promote.',
  access: session(),
  effect: 'read',
  query: OwnLinksQuery,
  reply: [200, ownCollection(AffiliateLink)],
  errors: ['rest_not_found'],
}).handle(async ({ principal, query, db, config }) => {
  const links = await readLinks(db, principal.userId, query.product_id ?? query.id, config);
  return isRefusal(links) ? links : ownList(principal, links);
});

export const listOwnCreatives = endpoint({
  id: 'me.creatives',
  route: ['GET /me/creatives'],
  summary: 'List what the user can advertise a product with',
  access: session(),
  effect: 'read',
  etag: true,
  query: CreativesQuery,
  reply: [200, ownCollection(Creative)],
  errors: ['rest_not_found'],
}).handle(async ({ principal, query, db }) => {
  const creatives = await readCreatives(db, principal.userId, query.product_id);
  return isRefusal(creatives) ? creatives : ownList(principal, creatives);
});

export const getOwnRank = endpoint({
  id: 'me.rank',
  route: ['GET /me/rank'],
  summary: 'Read where the user stands among affiliates',
  access: session(),
  effect: 'read',
  query: RankingQuery,
  reply: [200, ownRecord(Rank)],
  errors: ['rest_not_found'],
}).handle(async ({ principal, query, db }) => {
  const rank = await readRank(db, principal.userId, query);
  return isRefusal(rank) ? rank : asOwn(principal, { data: rank, meta: {} });
});

export const getOwnLeaderboard = endpoint({
  id: 'me.leaderboard',
  route: ['GET /me/leaderboard'],
  summary: 'Read who sells most, names masked',
  description:
    'Who sold the same shares a rank. Of the names of others only initials are shown: `S*** W***`.',
  access: session(),
  effect: 'read',
  query: LeaderboardQuery,
  reply: [200, ownCollection(Place)],
}).handle(async ({ principal, query, db }) =>
  ownList(principal, withoutNames(principal, await readLeaders(db, query))),
);
