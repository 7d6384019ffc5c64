import * as z from 'zod';
import { unsigned } from '../lib/schemas.ts';

const ids = z.array(z.int().min(1)).max(200);

/** What a coupon takes off. */
export const CouponDiscount = z
  .object({
    value: z
      .number()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .describe(
        'A percentage with at most 4 decimals, or an amount in the smallest currency unit.',
      ),
    type: z.enum(['percentage', 'fixed']),
    usage: z.enum(['per_item', 'total']).describe('A fixed amount counts for each item, or once.'),
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

/** When a coupon applies. */
export const CouponRule = z
  .object({
    apply_only: ids.describe('Only these products; empty = all.'),
    cant_apply: ids.describe('Never these products.'),
    max_discount: unsigned.describe('Most it takes off; 0 = no limit.'),
    minimum_amount: unsigned.describe('Least goods value.'),
    use_by_affiliate: z.boolean().describe('A template that affiliates may copy.'),
    limit_affiliate_coupon: unsigned.describe('Copies an affiliate may have; 0 = no limit.'),
    renewal_coupon: z.boolean().describe('Only for renewals of a subscription.'),
    first_order_only: z.boolean().describe("Only for a buyer's first order."),
    user_ids: ids.describe('Only these buyers; empty = all.'),
    group_ids: ids.describe('Only buyers in these groups; empty = all.'),
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
