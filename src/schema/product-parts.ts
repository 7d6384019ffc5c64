import * as z from 'zod';
import type { Shape } from '../lib/documents.ts';
import { largestAmount } from '../lib/money.ts';
import { payable, percentage, shortText, unsigned, webLink } from '../lib/schemas.ts';

export const periods = ['daily', 'monthly', 'yearly'] as const;
export const rateTypes = ['fixed', 'percentage'] as const;

const period = z.enum(periods);
const key = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'letters, digits, _ and - only, at most 64');

/** One level of an affiliate commission: tier 1 is the seller, tier n + 1 the n-th upline. */
export const CommissionTier = z.object({
  tier: z.int().min(1).max(20),
  fee: z
    .number()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .describe(
      'A percentage with at most 4 decimals, or a fixed amount in the smallest currency unit per item.',
    ),
  type: z.enum(rateTypes),
});

export type CommissionTier = z.output<typeof CommissionTier>;

export const ShippingOption = z.object({
  id: key,
  courier: shortText,
  service: shortText,
  label: shortText,
  cost: payable.describe('Flat part of the cost, in the smallest currency unit.'),
  per_kg: payable.describe('Added for each started kilogram.'),
  free_above: unsigned.nullable().describe('Goods value from which shipping is free.'),
  countries: z
    .array(z.string().regex(/^[A-Z]{2}$/))
    .max(250)
    .describe('ISO 3166-1; empty = all.'),
  etd_days_min: z.int().min(0).max(365),
  etd_days_max: z.int().min(0).max(365),
  cod: z.boolean().describe('Can be paid on delivery.'),
});

export const VariantOption = z.object({
  id: key,
  key,
  label: shortText,
  extra_price: z.int().min(-largestAmount).max(largestAmount),
  extra_weight: z.int().min(-1_000_000).max(1_000_000).describe('Grams.'),
  sku: shortText,
  stock: unsigned.nullable().describe('Units left; null = not counted.'),
  active: z.boolean(),
});

export const VariantGroup = z
  .object({
    id: key,
    key,
    label: shortText,
    required: z.boolean(),
    options: z.array(VariantOption).min(1).max(100),
  })
  .meta({ id: 'VariantGroup' });

/**
 * The structured parts of a product, as stored and as sent. Amounts are in the currency's smallest
 * unit, weights in grams, percentages in percent with at most four decimals.
 */
export const ProductParts = z.object({
  tax: z.object({ enabled: z.boolean(), rate: percentage, inclusive: z.boolean() }),
  shipping: z.object({
    active: z.boolean(),
    weight_g: z.int().min(0).max(1_000_000),
    free: z.boolean(),
    options: z.array(ShippingOption).max(50),
  }),
  cod: z.object({ active: z.boolean(), fee: payable }),
  variants: z.array(VariantGroup).max(20),
  subscription: z.object({
    active: z.boolean(),
    regular: z.object({
      duration: z.int().min(1).max(1200),
      period,
      price: payable.describe('Of a term; 0 = the price of the product.'),
    }),
    tryout: z.object({
      active: z.boolean(),
      duration: z.int().min(1).max(1200),
      period,
      first_only: z.boolean(),
    }),
    signup: z.object({ active: z.boolean(), fee: payable }),
    max_renewal: z
      .int()
      .min(0)
      .max(1200)
      .describe('Days after the end in which it can be renewed; 0 = always.'),
  }),
  license: z.object({
    active: z.boolean(),
    count: z.int().min(0).max(1_000_000).describe('Activations per licence; 0 = no limit.'),
    expires_days: z.int().min(0).max(36_500).describe('0 = never.'),
    max_resets: z.int().min(0).max(1000),
  }),
  affiliate: z.object({
    enabled: z.boolean(),
    require_purchase: z.boolean(),
    tiers: z.array(CommissionTier).max(20),
    hold_days: z.int().min(0).max(365),
    landing_page: webLink,
    links: z
      .array(z.object({ key, title: shortText, description: shortText, link: webLink }))
      .max(50),
    tools: z
      .array(z.object({ id: key, title: shortText, description: shortText, file: webLink }))
      .max(200),
  }),
  group: z.object({
    buy_list: z.array(z.int().min(1)).max(100).describe('User groups that may buy; empty = all.'),
    update_group_to: z
      .int()
      .min(1)
      .nullable()
      .describe(
        'The user group that completed orders bring their buyers into, never a lower one than theirs; they go back when the order is refunded in full, cancelled or deleted.',
      ),
  }),
});
export type ProductParts = z.output<typeof ProductParts>;

/** What a product has where nothing was said: everything optional is off. */
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

/** What a commission tier is read against. */
export const noTier: CommissionTier = { tier: 1, fee: 0, type: 'percentage' };

/** Stands for an id or key that is missing, which may not be empty. */
const unnamed = '-';

/** What the stored parts of a product are read against: written before a key existed, they lack it. */
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
