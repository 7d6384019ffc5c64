import * as z from 'zod';
import type { Shape } from '../lib/documents.ts';
import { Id } from '../lib/schemas.ts';
import { CommissionTier, noTier, rateTypes } from './product-parts.ts';

export const GroupName = z.object({ id: Id, name: z.string() }).meta({ id: 'GroupName' });

/** The discount of members on one item. */
export const GroupDiscount = z
  .object({
    enabled: z.boolean(),
    value: z
      .number()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .describe(
        'A percentage with at most 4 decimals, or an amount in the smallest unit of the currency.',
      ),
    type: z.enum(rateTypes),
  })
  .meta({ id: 'GroupDiscount' });
export type GroupDiscount = z.output<typeof GroupDiscount>;

const commissions = z
  .array(CommissionTier)
  .max(20)
  .describe(
    "Commission of members on each tier, instead of the product's own fee. An order pays no tier above the highest of its product, and nobody if its product has none.",
  );

/** The terms of a group for one product, which take precedence over its general ones. */
export const GroupProductTerms = z
  .object({
    product_id: z.int().min(1),
    discount: GroupDiscount,
    commissions,
  })
  .meta({ id: 'GroupProductTerms' });
export type GroupProductTerms = z.output<typeof GroupProductTerms>;

/** The structured parts of a user group, as stored and as sent. */
export const GroupParts = z.object({
  discount: GroupDiscount.meta({ examples: [{ enabled: true, value: 10, type: 'percentage' }] }),
  commissions: commissions.meta({ examples: [[{ tier: 1, fee: 25, type: 'percentage' }]] }),
  per_product: z
    .array(GroupProductTerms)
    .max(200)
    .meta({ examples: [[]] }),
});
export type GroupParts = z.output<typeof GroupParts>;

export const noDiscount: GroupDiscount = { enabled: false, value: 0, type: 'percentage' };

export const noTerms: Shape<GroupProductTerms> = {
  product_id: 0,
  discount: noDiscount,
  commissions: [noTier],
};
