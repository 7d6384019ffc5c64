import * as z from 'zod';
import { CouponDiscount, CouponRule } from '../../schema/coupon-parts.ts';
import { pageParameters } from '../../kernel/lists/query.ts';
import { queryBoolean, queryId, search } from '../../kernel/schemas/parameters.ts';
import { Id, Instant, InstantInput, changeFields, codeUpTo, unsigned } from '../../lib/schemas.ts';
import { plainCode } from '../../lib/text.ts';
import { couponStates, couponStatuses } from '../../schema/lists.ts';

/** A coupon. A copy shows its parent's rule, discount, dates and limits. */
export const Coupon = z
  .object({
    id: Id,
    code: z.string().meta({ examples: ['HEMAT10'] }),
    user_id: Id.nullable()
      .describe("The affiliate whose coupon it is; null = the store's own.")
      .meta({ examples: [null] }),
    coupon_parent_id: Id.nullable().describe('The template this coupon is a copy of.'),
    coupon_parent_code: z.string().nullable(),
    discount: CouponDiscount,
    rule: CouponRule,
    usage: z
      .int()
      .describe('Number of orders that use it now.')
      .meta({ examples: [37] }),
    limit_use: z
      .int()
      .describe(
        'Maximum number of orders that use it; 0 = no limit. A template and each copy count separately.',
      )
      .meta({ examples: [500] }),
    limit_use_per_user: z
      .int()
      .describe(
        'Maximum number of orders by one buyer that use it; 0 = no limit. A template and its copies count together.',
      )
      .meta({ examples: [1] }),
    start_date: Instant.nullable().describe('The time from which it can be used; null = at once.'),
    limit_date: Instant.nullable().describe('The time until which it can be used; null = no end.'),
    status: z.enum(couponStatuses),
    state: z
      .enum(couponStates)
      .describe('Derived from status, dates and usage.')
      .meta({ examples: ['active'] }),
    ...changeFields,
  })
  .meta({ id: 'Coupon' });
export type Coupon = z.output<typeof Coupon>;

/** Stored in upper case. */
export const CouponCode = z
  .string()
  .overwrite(plainCode)
  .regex(/^[A-Z0-9_-]{3,40}$/, 'takes 3 to 40 letters, digits, _ and -')
  .regex(/[A-Z]/, 'must contain at least one letter')
  .meta({ examples: ['WELCOME10'] });

const fields = {
  code: CouponCode,
  user_id: Id.nullable().describe("The affiliate whose coupon it is; null = the store's own."),
  coupon_parent_id: Id.nullable().describe('The template to copy.'),
  discount: CouponDiscount.strict().partial().meta({ id: 'CouponDiscountInput' }),
  rule: CouponRule.strict().partial().meta({ id: 'CouponRuleInput' }),
  limit_use: unsigned
    .max(1_000_000_000)
    .describe(
      'Maximum number of orders that use it; 0 = no limit. A template and each copy count separately.',
    ),
  limit_use_per_user: unsigned
    .max(1_000_000_000)
    .describe(
      'Maximum number of orders by one buyer that use it; 0 = no limit. A template and its copies count together.',
    ),
  start_date: InstantInput.nullable().describe(
    'The time from which it can be used; null = at once.',
  ),
  limit_date: InstantInput.nullable().describe(
    'The time until which it can be used; null = no end.',
  ),
  status: z.enum(couponStatuses),
};

export const CouponCreate = z
  .strictObject(fields)
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
  search: search.optional().describe('Part of the code, or an id.'),
  status: z
    .enum(couponStatuses)
    .optional()
    .describe("The status as shown; for a copy, the stricter of its own and its template's."),
  user_id: queryId.optional().describe('Only coupons of this affiliate.'),
  coupon_parent_id: queryId.optional().describe('Only copies of this template.'),
  product_id: queryId.optional().describe('Only coupons that apply to this product.'),
  templates: queryBoolean
    .optional()
    .describe('True: only templates that affiliates may copy; false: only other coupons.'),
});
export type CouponQuery = z.output<typeof CouponQuery>;

/** A coupon in a path: its code, or its id if it has only digits. */
export const CouponParams = z.object({
  id: codeUpTo(60).meta({ description: "The coupon's code or id.", examples: ['WELCOME10'] }),
});
