import * as z from 'zod';
import type { Shape } from '../lib/documents.ts';
import { largestAmount } from '../lib/money.ts';
import { payable, percentage, shortText, unsigned, webLink } from '../lib/schemas.ts';

/** The effect of a plan's last payment: access continues or ends. */
export const plansAfter = ['keep', 'end'] as const;

export const periods = ['daily', 'monthly', 'yearly'] as const;
export const rateTypes = ['fixed', 'percentage'] as const;

const period = z.enum(periods);
const key = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'letters, digits, _ and - only, at most 64');

/** One level of an affiliate commission: tier 1 is the seller, tier n + 1 the n-th upline. */
export const CommissionTier = z
  .object({
    tier: z.int().min(1).max(20),
    fee: z
      .number()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .describe(
        'A percentage with at most 4 decimals, or a fixed amount per item, in the smallest unit of the currency.',
      ),
    type: z.enum(rateTypes),
  })
  .meta({ id: 'CommissionTier' });

export type CommissionTier = z.output<typeof CommissionTier>;

export const ShippingOption = z
  .object({
    id: key,
    courier: shortText,
    service: shortText,
    label: shortText,
    cost: payable.describe('The flat part of the cost, in the smallest unit of the currency.'),
    per_kg: payable.describe(
      'Added for each kilogram or part of one, in the smallest unit of the currency.',
    ),
    free_above: unsigned
      .nullable()
      .describe(
        'Value of the goods from which shipping is free, in the smallest unit of the currency; null = never.',
      ),
    countries: z
      .array(z.string().regex(/^[A-Z]{2}$/))
      .max(250)
      .describe('ISO 3166-1 codes of the countries it ships to; empty = all.'),
    etd_days_min: z.int().min(0).max(365).describe('Minimum number of days until delivery.'),
    etd_days_max: z.int().min(0).max(365).describe('Maximum number of days until delivery.'),
    cod: z.boolean().describe('True if it can be paid on delivery.'),
  })
  .meta({ id: 'ShippingOption' });

export const VariantOption = z
  .object({
    id: key,
    key,
    label: shortText,
    extra_price: z
      .int()
      .min(-largestAmount)
      .max(largestAmount)
      .describe('Surcharge per item, in the smallest unit of the currency; may be negative.'),
    extra_weight: z
      .int()
      .min(-1_000_000)
      .max(1_000_000)
      .describe('Added to the weight of one item, in grams; may be negative.'),
    sku: shortText,
    stock: unsigned.nullable().describe('Units left; null = stock is not counted.'),
    active: z.boolean(),
  })
  .meta({ id: 'VariantOption' });

export const VariantGroup = z
  .object({
    id: key.meta({ examples: ['format'] }),
    key: key.meta({ examples: ['format'] }),
    label: shortText.meta({ examples: ['Format'] }),
    required: z.boolean().meta({ examples: [true] }),
    options: z
      .array(VariantOption)
      .min(1)
      .max(100)
      .meta({
        examples: [
          [
            {
              id: 'workbook',
              key: 'workbook',
              label: 'With a printed workbook',
              extra_price: 45_000,
              extra_weight: 400,
              sku: 'COURSE-WB',
              stock: null,
              active: true,
            },
          ],
        ],
      }),
  })
  .meta({ id: 'VariantGroup' });

/**
 * The structured parts of a product, as stored and as sent. Amounts are in the currency's smallest
 * unit, weights in grams, percentages in percent with at most four decimals.
 */
export const ProductParts = z.object({
  tax: z
    .object({
      enabled: z.boolean(),
      rate: percentage.describe('In percent.'),
      inclusive: z
        .boolean()
        .describe('True if prices include the tax; otherwise it is added to them.'),
    })
    .meta({ id: 'ProductTax' }),
  shipping: z
    .object({
      active: z.boolean(),
      weight_g: z.int().min(0).max(1_000_000).describe('Weight of one item, in grams.'),
      free: z.boolean().describe('True if shipping is always free.'),
      options: z.array(ShippingOption).max(50),
    })
    .meta({
      id: 'ProductShipping',
      examples: [{ active: false, weight_g: 0, free: false, options: [] }],
    }),
  cod: z
    .object({
      active: z.boolean(),
      fee: payable.describe('Fee for payment on delivery, in the smallest unit of the currency.'),
    })
    .meta({ id: 'ProductCod' }),
  variants: z.array(VariantGroup).max(20),
  subscription: z
    .object({
      active: z.boolean(),
      regular: z
        .object({
          duration: z.int().min(1).max(1200).describe('Length of a term, in units of `period`.'),
          period,
          price: payable.describe(
            'Price of one term, in the smallest unit of the currency; 0 = the price of the product.',
          ),
        })
        .meta({ id: 'SubscriptionTerm', examples: [{ duration: 1, period: 'monthly', price: 0 }] }),
      tryout: z
        .object({
          active: z.boolean(),
          duration: z.int().min(1).max(1200).describe('Length of the trial, in units of `period`.'),
          period,
          first_only: z
            .boolean()
            .describe("True if a trial must be the buyer's first order of the product."),
        })
        .meta({
          id: 'SubscriptionTrial',
          examples: [{ active: false, duration: 7, period: 'daily', first_only: true }],
        }),
      signup: z
        .object({
          active: z.boolean(),
          fee: payable.describe('Charged once, in the smallest unit of the currency.'),
        })
        .meta({ id: 'SubscriptionSignup' }),
      max_renewal: z
        .int()
        .min(0)
        .max(1200)
        .describe('Days after its end during which the subscription can be renewed; 0 = no limit.'),
      payments: z
        .int()
        .min(2)
        .max(1200)
        .nullable()
        .describe(
          'Number of payments of a payment plan; null = the subscription is renewed until it is cancelled. Agreed with the first order.',
        )
        .meta({ examples: [6] }),
      after: z
        .enum(plansAfter)
        .describe(
          'After the last payment of a plan: `keep` = access stays for good; `end` = access ends with the period of that payment. Agreed with the first order.',
        ),
      grace_days: z
        .int()
        .min(0)
        .max(365)
        .describe('Number of days for which access continues after a missed payment of a plan.')
        .meta({ examples: [3] }),
    })
    .meta({ id: 'ProductSubscription' }),
  license: z
    .object({
      active: z.boolean(),
      count: z.int().min(0).max(1_000_000).describe('Seats of each licence; 0 = no limit.'),
      expires_days: z.int().min(0).max(36_500).describe('Days until a licence expires; 0 = never.'),
      max_resets: z.int().min(0).max(1000).describe('Resets allowed in 30 days.'),
    })
    .meta({ id: 'ProductLicense' }),
  affiliate: z
    .object({
      enabled: z.boolean(),
      require_purchase: z.boolean().describe('True if only buyers of the product may promote it.'),
      tiers: z.array(CommissionTier).max(20),
      hold_days: z
        .int()
        .min(0)
        .max(365)
        .describe('Days for which an earned commission is held before it can be paid out.'),
      landing_page: webLink,
      links: z
        .array(
          z
            .object({ key, title: shortText, description: shortText, link: webLink })
            .meta({ id: 'ProductLink' }),
        )
        .max(50),
      tools: z
        .array(
          z
            .object({ id: key, title: shortText, description: shortText, file: webLink })
            .meta({ id: 'ProductTool' }),
        )
        .max(200),
    })
    .meta({
      id: 'ProductAffiliate',
      examples: [
        {
          enabled: true,
          require_purchase: false,
          tiers: [
            { tier: 1, fee: 20, type: 'percentage' },
            { tier: 2, fee: 5, type: 'percentage' },
          ],
          hold_days: 7,
          landing_page: 'https://demo.example/course',
          links: [],
          tools: [],
        },
      ],
    }),
  group: z
    .object({
      buy_list: z
        .array(z.int().min(1))
        .max(100)
        .describe('Ids of the user groups that may buy the product; empty = everyone.'),
      update_group_to: z
        .int()
        .min(1)
        .nullable()
        .describe(
          'Id of the user group that buyers are moved to when their order is completed, unless theirs ranks higher. They are moved back when the order is refunded in full, cancelled or deleted, or its subscription ends or is paused.',
        ),
    })
    .meta({ id: 'ProductGroup', examples: [{ buy_list: [], update_group_to: null }] }),
});
export type ProductParts = z.output<typeof ProductParts>;

/** The defaults of a product: everything optional is off. */
export const defaultParts: ProductParts = {
  tax: { enabled: false, rate: 0, inclusive: false },
  shipping: { active: false, weight_g: 0, free: false, options: [] },
  cod: { active: false, fee: 0 },
  variants: [],
  subscription: {
    active: false,
    regular: { duration: 1, period: 'monthly', price: 0 },
    tryout: { active: false, duration: 7, period: 'daily', first_only: true },
    signup: { active: false, fee: 0 },
    max_renewal: 0,
    payments: null,
    after: 'keep',
    grace_days: 0,
  },
  license: { active: false, count: 0, expires_days: 0, max_resets: 3 },
  affiliate: {
    enabled: false,
    require_purchase: false,
    tiers: [],
    hold_days: 0,
    landing_page: '',
    links: [],
    tools: [],
  },
  group: { buy_list: [], update_group_to: null },
};

export const noTier: CommissionTier = { tier: 1, fee: 0, type: 'percentage' };

/** Replaces a missing id or key, because neither may be empty. */
const unnamed = '-';

/** The defaults for missing keys of a product's stored parts, which may be older than a key. */
export const partShapes: Shape<ProductParts> = {
  ...defaultParts,
  shipping: {
    ...defaultParts.shipping,
    options: [
      {
        ...{
          id: unnamed,
          courier: '',
          service: '',
          label: '',
          cost: 0,
          per_kg: 0,
          free_above: null,
        },
        ...{ countries: [], etd_days_min: 0, etd_days_max: 0, cod: false },
      },
    ],
  },
  variants: [
    {
      ...{ id: unnamed, key: unnamed, label: '', required: true },
      options: [
        {
          ...{
            id: unnamed,
            key: unnamed,
            label: '',
            extra_price: 0,
            extra_weight: 0,
            sku: '',
            stock: null,
          },
          active: true,
        },
      ],
    },
  ],
  affiliate: {
    ...defaultParts.affiliate,
    tiers: [noTier],
    links: [{ key: unnamed, title: '', description: '', link: '' }],
    tools: [{ id: unnamed, title: '', description: '', file: '' }],
  },
};
