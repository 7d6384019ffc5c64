import * as z from 'zod';
import { queryId, queryInteger } from '../../kernel/schemas/parameters.ts';
import { Id, Instant, codeUpTo, textUpTo, trimmedUpTo, nameUpTo } from '../../lib/schemas.ts';
import { trimmed } from '../../lib/text.ts';
import { attributionSources, productTypes, priceLineKinds } from '../../schema/lists.ts';
import { couponRefusals } from '../coupon/rules.ts';
import { orderParentInput, orderTypeInput } from '../order/request-schemas.ts';

const country = z
  .string()
  .regex(/^[A-Z]{2}$/, 'must be an ISO 3166-1 code')
  .describe('ISO 3166-1 code. Required for a shipping option limited to certain countries.');

const gateway = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}(:[A-Za-z0-9_-]{1,32})?$/, 'must be a gateway id like manual');

const quantity = z.int().min(1).max(1_000_000);
const quantityText =
  "1 by default. A renewal always has the quantity of its subscription's first order.";
const accessCode = trimmedUpTo(100)
  .min(1)
  .optional()
  .describe(
    'Lets the buyer order a closed product. Quotes do not contain it: send it with the order again.',
  );

export const CartInput = z
  .object({
    product_id: Id,
    quantity: quantity.optional().describe(quantityText),
    coupon: codeUpTo(64).min(1).optional().describe('A coupon code.'),
    user_id: Id.optional().describe('The buyer. Coupon rules that depend on the buyer require it.'),
    affiliate_id: Id.optional(),
    variants: z
      .array(trimmedUpTo(64))
      .max(20)
      .optional()
      .describe('Ids of the chosen variant options.'),
    shipping_option_id: trimmedUpTo(64).optional(),
    country: country.optional(),
    postal_code: textUpTo(20).optional(),
    payment_gateway: gateway.optional().describe('`manual` by default.'),
    type: orderTypeInput.optional(),
    order_parent_id: orderParentInput.optional(),
    access_code: accessCode,
  })
  .meta({ id: 'Cart', examples: [{ product_id: 1, quantity: 2, coupon: 'HEMAT10' }] });

export type CartInput = z.output<typeof CartInput>;

/** Variants are separated by commas. */
export const CartQuery = z.object({
  product_id: queryId,
  quantity: queryInteger({ min: 1, max: 1_000_000 }).optional().describe(quantityText),
  coupon: codeUpTo(64).optional().describe('A coupon code.'),
  user_id: queryId
    .optional()
    .describe('The buyer. Coupon rules that depend on the buyer require it.'),
  affiliate_id: queryId.optional(),
  variants: nameUpTo(1400)
    .transform((list) => list.split(',').map(trimmed))
    .optional()
    .meta({
      type: 'string',
      description: 'Ids of the chosen variant options, separated by commas.',
    }),
  shipping_option_id: trimmedUpTo(64).optional(),
  country: country.optional(),
  postal_code: textUpTo(20).optional(),
  payment_gateway: gateway.optional().describe('`manual` by default.'),
  type: orderTypeInput.optional(),
  order_parent_id: queryId.optional().describe(orderParentInput.description ?? ''),
  access_code: accessCode,
});

const amount = z.int();

/** A line of a price. Lines that aren't `included` in others sum to the total. */
export const PriceLine = z
  .object({
    kind: z.enum(priceLineKinds),
    label: z.string(),
    amount: amount.describe('In the smallest unit of the currency; discounts are negative.'),
    included: z
      .literal(true)
      .optional()
      .describe('Tax already included in the other lines; not added to the total.'),
  })
  .meta({ id: 'PriceLine' });

export const Calculation = z
  .object({
    valid: z.boolean().describe('True if an order for this cart would be accepted now.'),
    product: z
      .object({
        id: Id,
        title: z.string(),
        type: z.enum(productTypes),
        image_url: z.string(),
      })
      .meta({ id: 'CalculationProduct' }),
    quantity: z.int(),
    currency: z.string(),
    unit_price: amount,
    lines: z.array(PriceLine).meta({
      examples: [
        [
          { kind: 'product', label: 'Selling Online, the Course', amount: 700_000 },
          { kind: 'discount', label: 'HEMAT10', amount: -70_000 },
        ],
      ],
    }),
    subtotal: amount,
    variant_total: amount,
    signup_fee: amount,
    discount_total: amount,
    shipping_total: amount,
    fee_total: amount,
    tax_total: amount,
    grand_total: amount
      .describe(
        'An order paid by transfer may add a unique code of up to 999 to this amount, or subtract it.',
      )
      .meta({ examples: [630_000] }),
    subscription: z
      .object({
        duration: z.int().meta({ examples: [1] }),
        period: z.string().meta({ examples: ['monthly'] }),
        price: amount,
        payments: z
          .int()
          .nullable()
          .describe('Payments of its plan that follow this order; null = it has no plan.')
          .meta({ examples: [5] }),
      })
      .meta({ id: 'CalculationSubscription' })
      .nullable()
      .describe(
        'Price of the goods of a further term: for the quantity and variants, with the discount of the group; null for other products.',
      ),
    coupon: z
      .object({
        code: z.string().meta({ examples: ['HEMAT10'] }),
        valid: z.boolean(),
        reason: z.enum(couponRefusals).nullable(),
        value: amount.describe('Discount of the coupon.').meta({ examples: [70_000] }),
        free_shipping: z.boolean(),
        limit_use: z.int().optional().describe('Shown only to keys with the scope `coupons:read`.'),
        usage: z.int().optional().describe('Shown only to keys with the scope `coupons:read`.'),
      })
      .meta({ id: 'CalculationCoupon' })
      .nullable(),
    affiliate: z
      .object({ id: Id, display_name: z.string(), source: z.enum(attributionSources) })
      .meta({ id: 'CalculationAffiliate' })
      .nullable()
      .describe('The affiliate an order would count for; null if none.')
      .meta({ examples: [{ id: 3, display_name: 'Citra Wijaya', source: 'coupon' }] }),
    stock: z
      .object({
        available: z.int().nullable().describe('Units left; null = stock is not counted.'),
      })
      .meta({ id: 'CalculationStock' }),
    messages: z
      .array(z.string())
      .describe('The reasons why the cart is not valid, for people.')
      .meta({ examples: [[]] }),
  })
  .meta({
    id: 'Calculation',
    description: 'A priced cart. Amounts are in the smallest unit of `currency`.',
  });

export type Calculation = z.output<typeof Calculation>;

export const Quote = Calculation.extend({
  quote_token: z
    .string()
    .nullable()
    .describe(
      'Send it with `POST /orders` to be charged exactly this total, or get an error. Null if `valid` is false.',
    )
    .meta({ examples: ['eyJ0b3RhbCI6NjMwMTQ3fQ.c2lnbmF0dXJl'] }),
  expires_at: Instant.nullable().describe('The end of the quote; null if there is no token.'),
}).meta({
  id: 'Quote',
  description: 'A priced cart with a signed quote. Amounts are in the smallest unit of `currency`.',
});
