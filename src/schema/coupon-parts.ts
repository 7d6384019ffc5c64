import * as z from 'zod';
import { unsigned } from '../lib/schemas.ts';

const ids = z.array(z.int().min(1)).max(200);

export const discountUsages = ['per_item', 'total'] as const;

export const CouponDiscount = z
  .object({
    value: z
      .number()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .describe(
        'A percentage with at most 4 decimals, or an amount in the smallest unit of the currency.',
      )
      .meta({ examples: [10] }),
    type: z.enum(['percentage', 'fixed']).meta({ examples: ['percentage'] }),
    usage: z
      .enum(discountUsages)
      .describe('Application of a fixed amount: off each item, or once per order.'),
    free_shipping: z.boolean(),
  })
  .meta({ id: 'CouponDiscount' });
export type CouponDiscount = z.output<typeof CouponDiscount>;

export const noDiscount: CouponDiscount = {
  value: 0,
  type: 'percentage',
  usage: 'total',
  free_shipping: false,
};

export const CouponRule = z
  .object({
    apply_only: ids
      .describe('Ids of the only products it applies to; empty = all.')
      .meta({ examples: [[]] }),
    cant_apply: ids.describe('Ids of products it never applies to.').meta({ examples: [[]] }),
    max_discount: unsigned.describe(
      'Maximum discount, in the smallest unit of the currency; 0 = no limit.',
    ),
    minimum_amount: unsigned.describe(
      'Minimum value of the goods, in the smallest unit of the currency.',
    ),
    use_by_affiliate: z.boolean().describe('True if it is a template that affiliates may copy.'),
    limit_affiliate_coupon: unsigned.describe(
      'Maximum number of copies per affiliate; 0 = no limit.',
    ),
    renewal_coupon: z.boolean().describe('True if it applies only to renewals of a subscription.'),
    first_order_only: z
      .boolean()
      .describe(
        "True if it applies only to a buyer's first order. Unpaid orders of the shop don't count, unless they have such a coupon.",
      ),
    user_ids: ids
      .describe('Ids of the only buyers who may use it; empty = all.')
      .meta({ examples: [[]] }),
    group_ids: ids
      .describe('Ids of the user groups whose members may use it; empty = all buyers.')
      .meta({ examples: [[]] }),
  })
  .meta({ id: 'CouponRule' });
export type CouponRule = z.output<typeof CouponRule>;

export const noRule: CouponRule = {
  apply_only: [],
  cant_apply: [],
  max_discount: 0,
  minimum_amount: 0,
  use_by_affiliate: false,
  limit_affiliate_coupon: 0,
  renewal_coupon: false,
  first_order_only: false,
  user_ids: [],
  group_ids: [],
};
