import { formatAmount } from '../../lib/money.ts';
import { commissionBase, earnedByTier } from '../commission/ledger.ts';
import { rateOf } from '../group/rules.ts';
import type { SettingsRow } from '../../schema/platform.ts';
import { type ProductRow, isClosed, sellingPrice } from '../product/rules.ts';
import { type Person, canAffiliate } from '../user/rules.ts';
import { type Site, affiliateLinks } from './links.ts';
import type { RankedRow, Standing } from './rankings.ts';
import type {
  Creative,
  Measure,
  Place,
  PromotedProduct,
  Rank,
  promotionReasons,
} from './schemas.ts';

type Product = ProductRow['product'];

/** @param customer true if the affiliate bought the product */
export function promotedProduct(
  person: Person,
  product: Product,
  customer: boolean,
  { now, ...at }: Site & { readonly now: Date },
): PromotedProduct {
  const reason = promotionReason(person, product, customer, now);
  return {
    product_id: product.id,
    title: product.title,
    price: sellingPrice(product),
    can_promote: reason === 'ok',
    reason,
    tiers: exampleTiers(person, product),
    affiliate_link:
      affiliateLinks(person.id, product, at).find(({ key }) => key === 'sales-page')
        ?.affiliate_link ?? null,
  };
}

function promotionReason(
  person: Person,
  product: Product,
  customer: boolean,
  now: Date,
): (typeof promotionReasons)[number] {
  if (!canAffiliate(person)) return 'not-eligible';
  if (isClosed(product, undefined, now)) return 'closed';
  return product.affiliate.require_purchase && !customer ? 'purchase-required' : 'ok';
}

function exampleTiers({ group }: Person, product: Product): PromotedProduct['tiers'] {
  const { tax, affiliate } = product;
  const price = sellingPrice(product);
  const item = {
    subtotal: price,
    variant_total: 0,
    discount_total: 0,
    adjustment_total: 0,
    grand_total: price,
    refunded_total: 0,
    quantity: 1,
    agreed: { tax },
  };
  const base_amount = commissionBase(item);
  // A group may pay a tier between those of the product.
  const depth = Math.max(0, ...affiliate.tiers.map(({ tier }) => tier));
  const tiers = Array.from({ length: depth }, (_, i) => rateOf(i + 1, group, product) ?? []).flat();
  const terms = tiers.map(({ tier, fee, type, source }) => ({
    ...{ tier, rate: fee, rate_type: type, rate_source: source },
    ...{ commission: 0, base_amount },
  }));
  const earned = earnedByTier(terms, item);
  return tiers.map((tier) => ({ ...tier, example_amount: earned.get(tier.tier)?.full ?? 0 }));
}

const kinds: readonly (readonly [Creative['type'], RegExp])[] = [
  ['image', /\.(jpe?g|png|gif|webp|svg|avif)$/],
  ['video', /\.(mp4|webm|mov|m4v)$/],
  ['audio', /\.(mp3|m4a|ogg|wav)$/],
  ['document', /\.(pdf|docx?|xlsx?|pptx?|txt|zip)$/],
];

export const creativesOf = ({ affiliate }: Product): Creative[] =>
  affiliate.tools.map((tool) => {
    const name = (tool.file.split(/[?#]/)[0] ?? '').toLowerCase();
    return { ...tool, type: kinds.find(([, pattern]) => pattern.test(name))?.[0] ?? 'other' };
  });

function shown(measure: Measure, total: number, { currency, currency_exponent }: SettingsRow) {
  if (measure === 'conversion') return `${total / 100}%`;
  const isAmount = measure === 'total' || measure === 'revenue';
  return isAmount && currency !== null
    ? formatAmount(total, currency, currency_exponent ?? 0)
    : String(total);
}

export const toPlace = (row: RankedRow, measure: Measure, settings: SettingsRow): Place => ({
  rank: Number(row.rank),
  id: Number(row.affiliate_id),
  name: row.display_name,
  image: '',
  raw_total: Number(row.raw_total),
  total: shown(measure, Number(row.raw_total), settings),
  clicks: Number(row.clicks),
  conversion: row.conversion === null ? null : Number(row.conversion) / 100,
});

export function toRank(
  affiliate_id: number,
  standing: Standing,
  measure: Measure,
  settings: SettingsRow,
): Rank {
  const raw_total = Number(standing.raw_total ?? 0);
  return {
    affiliate_id,
    rank: standing.rank === null ? null : Number(standing.rank),
    of: Number(standing.of),
    raw_total,
    total: shown(measure, raw_total, settings),
    next:
      standing.next_rank === null
        ? null
        : { rank: Number(standing.next_rank), gap: Number(standing.next_total) - raw_total },
  };
}
