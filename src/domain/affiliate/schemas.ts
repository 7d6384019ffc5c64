import * as z from 'zod';
import { rateTypes } from '../../schema/product-parts.ts';
import { pageParameters } from '../../kernel/lists/query.ts';
import { PathId, dateParameters, queryId, querySize } from '../../kernel/schemas/parameters.ts';
import * as schemas from '../../lib/schemas.ts';
import { askedCode } from '../../lib/text.ts';
import { rateSources } from '../../schema/lists.ts';
import { GroupName } from '../../schema/group-parts.ts';

export const AffiliateParams = z.object({ affiliate_id: PathId });

export const sums = {
  clicks: z
    .int()
    .describe('Visits through the links: each visitor once a day for each link.')
    .meta({ examples: [240] }),
  orders: z
    .int()
    .describe('Orders that count for the affiliate, by the day on which they were placed.')
    .meta({ examples: [9] }),
  paid: z
    .int()
    .describe('Orders in progress, in shipping or completed.')
    .meta({ examples: [7] }),
  revenue: z
    .int()
    .describe('Totals of the paid orders less refunds.')
    .meta({ examples: [2_450_000] }),
  commission: z
    .int()
    .describe("The affiliate's own commission of the paid orders.")
    .meta({ examples: [490_000] }),
};

export const AffiliateLink = z
  .object({
    key: z
      .string()
      .describe("`sales-page`, `checkout`, or the key of one of the product's own links.")
      .meta({ examples: ['sales-page'] }),
    label: z.string().meta({ examples: ['Sales page'] }),
    description: z
      .string()
      .meta({ examples: ['What the course is about, for those who see it first.'] }),
    link: z
      .url()
      .describe('The page it leads to.')
      .meta({ examples: ['https://demo.example/course'] }),
    affiliate_link: z.url().describe('The link to share.'),
    product_id: schemas.Id,
    ...sums,
  })
  .meta({ id: 'AffiliateLink', description: 'The figures are of all time.' });
export type AffiliateLink = z.output<typeof AffiliateLink>;

export const LinksQuery = z.object({
  product_id: queryId
    .optional()
    .describe('Without it, the 100 newest products that can be promoted.'),
});

export const couponInLink = z
  .string()
  .overwrite(askedCode)
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be a coupon code');

export const subInLink = z.string().regex(/^[A-Za-z0-9_.-]{1,50}$/, 'must be a campaign');

export const LinkQuery = z.object({
  product_id: queryId,
  target: schemas.trimmedUpTo(64).optional().describe('`sales-page` by default.'),
  coupon: couponInLink.optional().describe('A coupon code that the link carries to the checkout.'),
});

export const InfoQuery = z.object({ ...dateParameters, product_id: queryId.optional() });
export type InfoQuery = z.output<typeof InfoQuery>;

export const CommissionInfo = z
  .object({
    affiliate_id: schemas.Id,
    display_name: z.string().meta({ examples: ['Citra Wijaya'] }),
    currency: schemas.StoreCurrency,
    pending_commission: z
      .int()
      .describe('From orders that are not completed yet.')
      .meta({ examples: [126_000] }),
    unpaid_commission: z
      .int()
      .describe('Earned but not paid yet: held and payable together.')
      .meta({ examples: [340_000] }),
    paid_commission: z.int().meta({ examples: [1_280_000] }),
    held_commission: z
      .int()
      .describe("Earned, but still within the product's hold period.")
      .meta({ examples: [126_000] }),
    payable_commission: z
      .int()
      .describe(
        'Includes what a draft payout run holds, and changes with time. To pay an affiliate, transfer the `amount` of their payout.',
      )
      .meta({ examples: [214_000] }),
    total_commission: z
      .int()
      .describe('Pending, unpaid and paid together.')
      .meta({ examples: [1_746_000] }),
    orders: z.int().describe('Number of orders that earn the affiliate a commission, on any tier.'),
    last_paid_at: schemas.Instant.nullable().meta({ examples: ['2026-02-28T03:00:00.000Z'] }),
    bank_info: z.string(),
  })
  .meta({ id: 'CommissionInfo', description: 'Amounts are in the smallest unit of `currency`.' });
export type CommissionInfo = z.output<typeof CommissionInfo>;

const earned = {
  orders: z.int(),
  commission: z.int().describe('The sum of the commissions, without cancelled ones.'),
};

export const CommissionSummary = CommissionInfo.extend({
  by_product: z
    .array(z.object({ product_id: schemas.Id, title: z.string(), ...earned }))
    .describe('The 100 products that earned the most, highest first.'),
  by_tier: z.array(
    z.object({
      tier: z
        .int()
        .describe("1 = the affiliate's own sales, n + 1 = sales of users n levels below them."),
      ...earned,
    }),
  ),
  daily: z
    .array(z.object({ date: z.iso.date(), ...earned }))
    .describe('The latest 366 days on which something was earned, oldest first.'),
}).meta({
  id: 'CommissionSummary',
  description: 'Amounts are in the smallest unit of `currency`.',
});
export type CommissionSummary = z.output<typeof CommissionSummary>;

const lookupKeys = ['id', 'email', 'phone', 'coupon'] as const;

export const AffiliateLookup = z
  .object({
    id: queryId.optional(),
    email: schemas.trimmedUpTo(254).toLowerCase().optional(),
    phone: schemas.textUpTo(32).optional(),
    coupon: schemas
      .codeUpTo(64)
      .optional()
      .describe("The code of one of the affiliate's coupons.")
      .meta({ examples: ['BUDI50'] }),
  })
  .superRefine((query, context) => {
    const given = lookupKeys.filter((key) => query[key] !== undefined);
    if (given.length === 1) return;
    const message = `give exactly one of ${lookupKeys.join(', ')}`;
    context.addIssue({ code: 'custom', path: [given[1] ?? 'id'], message });
  });
export type AffiliateLookup = z.output<typeof AffiliateLookup>;

export const Affiliate = z
  .object({
    affiliate_id: schemas.Id,
    display_name: z.string().meta({ examples: ['Citra Wijaya'] }),
    can_affiliate: z.boolean().meta({ examples: [true] }),
    group: GroupName.nullable(),
    sponsor_id: schemas.Id.nullable().meta({ examples: [2] }),
    coupon_codes: z.array(z.string()).meta({ examples: [['CITRA10']] }),
  })
  .meta({ id: 'Affiliate' });

export const PromotedQuery = z.object(pageParameters);
export type PromotedQuery = z.output<typeof PromotedQuery>;

export const promotionReasons = ['ok', 'not-eligible', 'purchase-required', 'closed'] as const;

export const PromotedProduct = z
  .object({
    product_id: schemas.Id,
    title: z.string(),
    price: z.int().describe('In the smallest unit of the currency.'),
    can_promote: z.boolean().meta({ examples: [true] }),
    reason: z.enum(promotionReasons),
    tiers: z
      .array(
        z.object({
          tier: z.int(),
          fee: z.number(),
          type: z.enum(rateTypes),
          source: z.enum(rateSources),
          example_amount: z
            .int()
            .describe(
              'Commission of the tier on one item at this price, in the smallest unit of the currency.',
            ),
        }),
      )
      .meta({
        examples: [
          [{ tier: 1, fee: 20, type: 'percentage', source: 'product', example_amount: 70_000 }],
        ],
      }),
    affiliate_link: z
      .url()
      .nullable()
      .describe('The link to its sales page; null if it has none: the store has no `site_url`.'),
  })
  .meta({ id: 'PromotedProduct' });
export type PromotedProduct = z.output<typeof PromotedProduct>;

export const CreativesQuery = z.object({ product_id: queryId });

export const Creative = z
  .object({
    id: z.string().meta({ examples: ['banner-300x250'] }),
    title: z.string().meta({ examples: ['Banner, 300 × 250'] }),
    description: z.string().meta({ examples: ['For the side of a page.'] }),
    file: z.string().meta({ examples: ['https://demo.example/banners/course-300x250.png'] }),
    type: z
      .enum(['image', 'video', 'audio', 'document', 'other'])
      .describe('Derived from the file name.'),
  })
  .meta({ id: 'Creative' });
export type Creative = z.output<typeof Creative>;

export const measures = ['order', 'total', 'quantity', 'revenue', 'clicks', 'conversion'] as const;
export type Measure = (typeof measures)[number];

export const day = schemas.DateInput.optional();

export const RankingQuery = z.object({
  calculate: z
    .enum(measures)
    .optional()
    .describe(
      'Measure of the ranking: `order` (number of orders, the default), `total` (their totals), `quantity` (items), `revenue` (totals less refunds), `clicks` (visits through their links) or `conversion` (orders through their links per visit). Counts orders in progress, in shipping or completed, including those to be paid on delivery.',
    ),
  product_id: queryId.optional(),
  date_start: day.describe("From this day on, in the store's time zone."),
  date_end: day.describe("Up to the end of this day, in the store's time zone."),
});
export type RankingQuery = z.output<typeof RankingQuery>;

export const LeaderboardQuery = RankingQuery.extend({
  limit: querySize(100).optional().describe('Number of places: 10 by default, 100 at most.'),
});
export type LeaderboardQuery = z.output<typeof LeaderboardQuery>;

export const Place = z
  .object({
    rank: z.int().describe('Affiliates with equal totals share a rank.'),
    id: schemas.Id.meta({ examples: [3] }),
    name: z.string().meta({ examples: ['Citra Wijaya'] }),
    image: z.string().meta({ examples: [''] }),
    raw_total: z
      .int()
      .describe(
        'Value of the measure in `calculate`; amounts are in the smallest unit of the currency, the conversion in hundredths of a per cent.',
      ),
    total: z
      .string()
      .describe('`raw_total` formatted for people; amounts carry their currency.')
      .meta({ examples: ['27'] }),
    clicks: z
      .int()
      .describe('Visits through their links: each visitor once a day for each link.')
      .meta({ examples: [860] }),
    conversion: z
      .number()
      .nullable()
      .describe('Per cent of the visits that became an order; null without any visit.')
      .meta({ examples: [3.14] }),
  })
  .meta({ id: 'Place' });
export type Place = z.output<typeof Place>;

export const Rank = z
  .object({
    affiliate_id: schemas.Id,
    rank: z.int().nullable().describe('Null without any sales.'),
    of: z
      .int()
      .describe('Number of affiliates in the ranking.')
      .meta({ examples: [14] }),
    raw_total: z.int(),
    total: z.string().meta({ examples: ['27'] }),
    next: z
      .object({
        rank: z.int(),
        gap: z.int().describe('The amount by which that rank is ahead, in the same measure.'),
      })
      .nullable()
      .describe('The next better rank; null for the first.')
      .meta({ examples: [{ rank: 1, gap: 4 }] }),
  })
  .meta({ id: 'Rank' });
export type Rank = z.output<typeof Rank>;
