import type { Config } from '../../config.ts';
import { prepared } from '../../kernel/database/prepared.ts';
import type { Argument } from '../../kernel/database/statements.ts';
import type { ReadAccess } from '../../kernel/command/store.ts';
import { refuse, unknownReference } from '../../kernel/errors/errors.ts';
import { pageOf } from '../../kernel/lists/reply.ts';
import { readPage } from '../../kernel/lists/read.ts';
import { findSettings } from '../../queries/settings.ts';
import { addressesOf, affiliateLinks } from '../../domain/affiliate/links.ts';
import {
  commissionInfoOf,
  findEarnedByDay,
  findEarnedByProduct,
  findEarnedByTier,
  isUnfiltered,
  loadCommissionInfo,
} from '../../queries/commission-earnings.ts';
import {
  type FiguresQuery,
  figuresOf,
  mostFigures,
  withFigures,
} from '../../domain/affiliate/figures.ts';
import { findFigureTotals, findFigures, findLinkFigures } from '../../queries/link-figures.ts';
import { findLeaders, findStanding } from '../../queries/rankings.ts';
import { creativesOf, promotedProduct, toPlace, toRank } from '../../domain/affiliate/rules.ts';
import type {
  InfoQuery,
  LeaderboardQuery,
  PromotedQuery,
  RankingQuery,
} from '../../domain/affiliate/schemas.ts';
import { findPerson } from '../../queries/users.ts';
import { countPromoted, findPromoted, listPromoted } from '../../queries/product-promotion.ts';

// Reads of an affiliate's data, each in one trip. API keys may read the data of any affiliate,
// members only their own.

/** The links to one product, or to the newest ones, with their figures. */
export async function readLinks(
  db: ReadAccess,
  affiliate_id: number,
  product_id: number | undefined,
  config: Config,
) {
  const { affiliate, products, settings, figures } = await db.query({
    affiliate: findPerson(affiliate_id),
    products: findPromoted(product_id),
    settings: findSettings(),
    figures: findLinkFigures(affiliate_id, product_id),
  });
  if (!affiliate[0] || !settings[0]) return refuse('rest_not_found');
  if (product_id !== undefined && !products[0]) return unknownReference('product_id');
  const at = addressesOf(settings[0], config);
  const links = products.flatMap((product) => affiliateLinks(affiliate_id, product, at));
  return withFigures(links, figures.rows);
}

export async function readFigures(db: ReadAccess, affiliate_id: number, query: FiguresQuery) {
  const { affiliate, settings, totals, figures } = await db.query({
    affiliate: findPerson(affiliate_id),
    settings: findSettings(),
    totals: findFigureTotals(affiliate_id, query),
    figures: findFigures(affiliate_id, query, mostFigures),
  });
  if (!affiliate[0] || !settings[0]) return refuse('rest_not_found');
  const { currency } = settings[0];
  const found = { currency, rows: figures.rows, totals: totals.rows[0] };
  return figuresOf(affiliate_id, query.by ?? 'day', found);
}

export async function readPromoted(
  db: ReadAccess,
  affiliate_id: number,
  query: PromotedQuery,
  { config, now }: { config: Config; now: Date },
) {
  const loaded = await readPage(
    db,
    query,
    (window) => listPromoted(affiliate_id, window),
    () => countPromoted(),
    { affiliate: findPerson(affiliate_id), settings: findSettings() },
  );
  const [person] = loaded.affiliate;
  const [settings] = loaded.settings;
  if (!person || !settings) return refuse('rest_not_found');
  const moment = { ...addressesOf(settings, config), now };
  const rows = loaded.rows.map((row) => ({ ...row, id: row.product.id }));
  const { data, meta } = pageOf(query, rows, loaded.total);
  return {
    data: data.map(({ product, bought }) => promotedProduct(person, product, bought, moment)),
    meta,
  };
}

const loadEarnings = (affiliate_id: Argument<number>, query: InfoQuery, now: Argument<Date>) => ({
  ...loadCommissionInfo(affiliate_id, query, now),
  by_product: findEarnedByProduct(affiliate_id, query),
  by_tier: findEarnedByTier(affiliate_id, query),
  daily: findEarnedByDay(affiliate_id, query),
});

const loadAllEarnings = prepared(
  { affiliate_id: 'bigint', now: 'timestamptz' },
  ({ affiliate_id, now }) => loadEarnings(affiliate_id, {}, now),
);

export async function readEarnings(
  db: ReadAccess,
  affiliate_id: number,
  query: InfoQuery,
  now: Date,
) {
  const { by_product, by_tier, daily, ...loaded } = await db.query(
    isUnfiltered(query)
      ? loadAllEarnings({ affiliate_id, now: now.toISOString() })
      : loadEarnings(affiliate_id, query, now),
  );
  const info = commissionInfoOf(loaded);
  if (!info) return refuse('rest_not_found');
  return { ...info, by_product, by_tier, daily: daily.toReversed() };
}

export async function readCreatives(db: ReadAccess, affiliate_id: number, product_id: number) {
  const { affiliate, products } = await db.query({
    affiliate: findPerson(affiliate_id),
    products: findPromoted(product_id),
  });
  if (!affiliate[0]) return refuse('rest_not_found');
  return products[0] ? creativesOf(products[0]) : unknownReference('product_id');
}

export async function readLeaders(db: ReadAccess, query: LeaderboardQuery) {
  const { leaders, settings } = await db.query({
    leaders: findLeaders(query, query.limit ?? 10),
    settings: findSettings(),
  });
  const [store] = settings;
  if (!store) throw new Error('The store has no settings.');
  return leaders.rows.map((row) => toPlace(row, query.calculate ?? 'order', store));
}

export async function readRank(db: ReadAccess, affiliate_id: number, query: RankingQuery) {
  const { affiliate, standing, settings } = await db.query({
    affiliate: findPerson(affiliate_id),
    standing: findStanding(affiliate_id, query),
    settings: findSettings(),
  });
  const [own] = standing.rows;
  if (!affiliate[0] || !own || !settings[0]) return refuse('rest_not_found');
  return toRank(affiliate_id, own, query.calculate ?? 'order', settings[0]);
}
