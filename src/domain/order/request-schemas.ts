import * as z from 'zod';
import { changeParameters } from '../../kernel/lists/query.ts';
import {
  dateParameters,
  metaValues,
  queryBoolean,
  queryId,
  queryIds,
  search,
} from '../../kernel/schemas/parameters.ts';
import {
  Id,
  Meta,
  Phone,
  codeUpTo,
  nameUpTo,
  noteText,
  payable,
  shortText,
  textUpTo,
  trimmedUpTo,
  webLink,
} from '../../lib/schemas.ts';
import { orderStatuses, orderTypes } from '../../schema/lists.ts';
import { Email } from '../../lib/email.ts';

export const orderTypeInput = z
  .enum(orderTypes)
  .describe(
    'Only for subscription products. By default whichever comes next for the buyer: a trial, a sign-up or a regular term, as far as the product offers them.',
  );

export const orderParentInput = Id.describe(
  'Any order of the subscription to renew. Without it, a new subscription begins.',
);

const ShippingInput = z.object({
  option_id: trimmedUpTo(64).describe(
    "Id of one of the product's shipping options; the server prices it.",
  ),
  receiver: shortText.default(''),
  phone: Phone.default(''),
  address: shortText.default(''),
  postal_code: textUpTo(20).default(''),
  country: z
    .string()
    .regex(/^([A-Z]{2})?$/, 'must be an ISO 3166-1 code of two capitals, or empty')
    .default('')
    .describe('ISO 3166-1 code. Required for a shipping option limited to certain countries.'),
});

const gateway = z
  .string()
  .regex(
    /^[a-z][a-z0-9-]{0,31}(:[A-Za-z0-9_-]{1,32})?$/,
    'must be a gateway id like manual or manual:BCA',
  );

const OrderBuyer = z
  .object({
    email: Email,
    name: nameUpTo(200).min(1).optional().describe('Display name of a new user.'),
    phone: Phone.optional(),
  })
  .meta({
    id: 'OrderBuyer',
    examples: [{ email: 'budi.santoso@example.com', name: 'Budi Santoso' }],
  });

export const OrderCreate = z
  .object({
    product_id: Id,
    user_id: Id.optional().describe('The buyer. Required unless there is a `buyer`.'),
    buyer: OrderBuyer.optional().describe(
      'The buyer by e-mail address, in place of `user_id`. A user who has the address is the buyer, and is not changed; otherwise one is created.',
    ),
    quantity: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe(
        "1 by default. A subscription is bought one at a time, unless it issues licences: then the quantity is their number. A renewal always has the quantity of its subscription's first order.",
      ),
    status: z
      .enum(orderStatuses)
      .optional()
      .describe('The status to start in; the rules of status changes apply.'),
    coupon_code: codeUpTo(64)
      .min(1)
      .optional()
      .describe(
        "A coupon that takes nothing off (a free trial, a discount that rounds to 0, free shipping of goods that are not shipped) is not used up: the order then has no coupon, but still counts for the coupon's owner.",
      ),
    affiliate_id: Id.optional(),
    ref: trimmedUpTo(64)
      .min(1)
      .optional()
      .describe(
        'The `ref` an affiliate link gave the buyer. It counts for `affiliate_link_days` (a setting), whichever product the buyer orders. An older or unknown one is ignored.',
      ),
    note: noteText.nullable().optional(),
    meta: Meta.optional(),
    variants: z
      .array(trimmedUpTo(64))
      .max(20)
      .optional()
      .describe('Ids of the chosen variant options.'),
    shipping: ShippingInput.optional(),
    payment_gateway: gateway
      .optional()
      .describe(
        '`manual` (bank transfer) by default. `manual:BCA` picks an account; `cod` is for shipping options that can be paid on delivery.',
      ),
    type: orderTypeInput.optional(),
    order_parent_id: orderParentInput.optional(),
    access_code: trimmedUpTo(100)
      .min(1)
      .optional()
      .describe('Lets the buyer order a closed product.'),
    quote_token: trimmedUpTo(4096)
      .min(1)
      .optional()
      .describe(
        'A token from `GET /checkout/quote`. Apart from product and buyer, nothing the quote contains needs to be sent again.',
      ),
  })
  .refine(({ user_id, buyer }) => user_id !== undefined || buyer !== undefined, {
    path: ['user_id'],
    message: 'is required, or buyer in its place',
    // Also runs if other fields are missing, so that one reply names all faults.
    when: () => true,
  })
  .refine(({ user_id, buyer }) => user_id === undefined || buyer === undefined, {
    path: ['buyer'],
    message: 'must not be sent together with user_id',
  })
  .meta({
    id: 'OrderCreate',
    examples: [
      { product_id: 1, user_id: 4, quantity: 2, note: 'Please send the invoice to my office.' },
    ],
  });

export type OrderCreate = z.output<typeof OrderCreate>;

export const trackingNumber = trimmedUpTo(100).describe(
  'Required to change the status to `shipping`.',
);

export const OrderUpdate = z
  .object({
    status: z.enum(orderStatuses),
    quantity: z
      .int()
      .min(1)
      .max(1_000_000)
      .describe(
        'Only while unpaid. The order is priced again by what was agreed when it was placed; a quantity that would leave nothing to pay is refused.',
      ),
    payment_gateway: gateway.describe('Only while unpaid.'),
    grand_total: payable.describe(
      'Overrides the total, in the smallest unit of `currency`; the difference becomes `adjustment_total`. Must be more than what was refunded. While the order waits for a transfer, this is the exact amount to transfer, including `unique_code`; otherwise `unique_code` becomes 0. Once the order has been paid, the total can only be lowered: 409 `order_not_unpaid` otherwise. Lowering it moves no money; it is recorded in the history, with the `reason` or, without one, with both totals.',
    ),
    affiliate_id: Id.nullable().describe(
      "Another affiliate, or null for none. The order's commissions are cancelled, and all tiers of the new affiliate earn anew, also tiers whose commission was cancelled or deleted before. 409 `commission_paid` once one was paid.",
    ),
    note: noteText.nullable(),
    meta: Meta,
    shipping: z
      .object({ tracking_number: trackingNumber, tracking_url: webLink })
      .partial()
      .describe('Tracking of the parcel. The rest of `shipping` cannot change.'),
    tracking_number: trackingNumber.describe(
      'Shorthand for `shipping.tracking_number`. Required to change the status to `shipping`.',
    ),
    reason: shortText.describe('Recorded in the history with a change of status or total.'),
  })
  .partial()
  .meta({
    id: 'OrderUpdate',
    examples: [{ status: 'in-progress', reason: 'Transfer seen in the account.' }],
  });

export type OrderUpdate = z.output<typeof OrderUpdate>;

export const OrderFilters = z.object({
  status: z.enum(orderStatuses).optional(),
  user_id: queryId.optional().describe('Only orders of this buyer.'),
  product_id: queryId.optional(),
  affiliate_id: queryId.optional(),
  coupon_id: queryId.optional(),
  ids: queryIds.optional(),
  payment_gateway: textUpTo(64)
    .optional()
    .describe('As in orders, for example `midtrans`, or `manual:BCA` for one bank account.'),
  search: search
    .optional()
    .describe(
      "Part of the order number, or of the buyer's name, e-mail address or phone number, in any spelling; the code of the coupon or the amount of the bank transfer, in full. For a complete order number, e-mail address or licence code, only exact matches are returned. Under 3 characters, only ids and numbers are compared.",
    ),
  ...dateParameters,
  updated_since: changeParameters.updated_since,
  meta: metaValues,
});

export type OrderFilters = z.output<typeof OrderFilters>;

export const OrderQuery = OrderFilters.extend({
  ...changeParameters,
  output: z
    .literal('default', { error: 'must be default, count or sum' })
    .optional()
    .describe(
      '`count` and `sum` return totals instead of orders, as `/orders/count` and `/orders/sum` do.',
    ),
});

export type OrderQuery = z.output<typeof OrderQuery>;

export const OrderDelete = z.strictObject({
  force: queryBoolean
    .optional()
    .describe(
      'Erase the order instead of hiding it. Only for a cancelled order on which no money moved.',
    ),
});

export const OrderDeleteBody = z
  .strictObject({
    force: z.boolean().optional().describe('Same as `force` in the query, which takes precedence.'),
  })
  .meta({ id: 'OrderDelete', examples: [{}] });
