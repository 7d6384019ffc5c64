import * as z from 'zod';
import { CouponDiscount, CouponRule } from '../../schema/coupon-parts.ts';
import { pageParameters } from '../../kernel/endpoint/pagination.ts';
import { queryBoolean, queryId, search } from '../../kernel/endpoint/parameters.ts';
import { Id, Instant, InstantInput, textUpTo, unsigned } from '../../lib/schemas.ts';
import { couponStates, couponStatuses } from '../../schema/lists.ts';

/** A coupon. One with a parent shows the parent's rule, discount, dates and limits. */
export const Coupon = z
  .object({
    id: Id,
    code: z.string(),
    user_id: Id.nullable().describe("The affiliate it belongs to; null = the store's own."),
    coupon_parent_id: Id.nullable().describe('The template it is a copy of.'),
    coupon_parent_code: z.string().nullable(),
    discount: CouponDiscount,
    rule: CouponRule,
    usage: z.int().describe('Orders that use it now.'),
    limit_use: z.int().describe('Most orders that may use it; 0 = no limit.'),
    limit_use_per_user: z.int().describe('Most orders of one buyer; 0 = no limit.'),
    start_date: Instant.nullable(),
    limit_date: Instant.nullable(),
    status: z.enum(couponStatuses),
    state: z.enum(couponStates).describe('Derived from status, dates and usage.'),
    created_at: Instant,
    updated_at: Instant,
    version: z.int(),
  })
  .meta({ id: 'Coupon' });
export type Coupon = z.output<typeof Coupon>;

/** How a code is written; it is kept in upper case. */
export const CouponCode = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9_-]{3,40}$/, 'takes 3 to 40 letters, digits, _ and -')
  .regex(/[A-Z]/, 'needs a letter at least')
  .meta({ examples: ['WELCOME10'] });

const fields = {
  code: CouponCode,
  user_id: Id.nullable(),
  coupon_parent_id: Id.nullable(),
  discount: CouponDiscount.partial(),
  rule: CouponRule.partial(),
  limit_use: unsigned.max(1_000_000_000),
  limit_use_per_user: unsigned.max(1_000_000_000),
  start_date: InstantInput.nullable(),
  limit_date: InstantInput.nullable(),
  status: z.enum(couponStatuses),
};

export const CouponCreate = z
  .object(fields)
  .partial()
  .required({ code: true })
  .meta({
    id: 'CouponCreate',
    examples: [
      { code: 'LEBARAN15', discount: { value: 15, type: 'percentage' }, limit_use_per_user: 1 },
    ],
  });
export type CouponCreate = z.output<typeof CouponCreate>;

export const CouponUpdate = z
  .object(fields)
  .omit({ coupon_parent_id: true })
  .partial()
  .meta({ id: 'CouponUpdate', examples: [{ limit_use: 500 }] });
export type CouponUpdate = z.output<typeof CouponUpdate>;

export const CouponQuery = z.object({
  ...pageParameters,
  search: search.optional().describe('A part of the code, or the id.'),
  status: z
    .enum(couponStatuses)
    .optional()
    .describe('As shown: the stricter of a copy’s own and its template’s.'),
  user_id: queryId.optional().describe('Coupons of this affiliate.'),
  coupon_parent_id: queryId.optional().describe('Copies of this template.'),
  product_id: queryId.optional().describe('Coupons that apply to this product.'),
  templates: queryBoolean.optional().describe('Whether affiliates may copy it.'),
});
export type CouponQuery = z.output<typeof CouponQuery>;

/** A coupon in an address: its code, or its id when it is all digits. */
export const CouponParams = z.object({
  id: textUpTo(60).meta({ description: 'The code, or the id.', examples: ['WELCOME10'] }),
});
