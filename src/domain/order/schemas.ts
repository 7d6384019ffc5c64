import * as z from 'zod';
import { record } from '../../kernel/endpoint/envelope.ts';
import { pageParameters } from '../../kernel/endpoint/pagination.ts';
import { dateParameters, queryBoolean, queryId, search } from '../../kernel/endpoint/parameters.ts';
import {
  Id,
  Instant,
  Meta,
  noteText,
  payable,
  shortText,
  textUpTo,
  webLink,
} from '../../lib/schemas.ts';
import {
  attributionSources,
  orderStatuses,
  orderTypes,
  paymentStatuses,
  productTypes,
  statusGroups,
} from '../../schema/lists.ts';
import { actorTypes } from '../../kernel/auth/actor.ts';

/** What an order of a subscription is, as callers may say. */
export const orderTypeInput = z
  .enum(orderTypes)
  .describe(
    'Of a product that is a subscription. By default what comes next for the buyer: a trial, a sign-up, a regular term, as far as the product has them.',
  );

export const orderParentInput = Id.describe(
  'An order of the subscription that this one renews; without it a new subscription begins.',
);

const amount = z.int();

const Shipping = z
  .object({
    option_id: z.string(),
    courier: z.string(),
    service: z.string(),
    cost: z.int(),
    receiver: z.string(),
    phone: z.string(),
    address: z.string(),
    postal_code: z.string(),
    country: z.string(),
    tracking_number: z.string(),
    tracking_url: z.string(),
  })
  .meta({ id: 'OrderShipping' });

/** An order as every endpoint shows it. Amounts are in the smallest unit of `currency`. */
export const Order = z
  .object({
    id: Id,
    number: z.string().describe('Printable invoice number, unique.'),
    order_parent_id: Id.nullable().describe('First order of a renewal chain.'),
    product_id: Id,
    user_id: Id,
    affiliate_id: Id.nullable(),
    coupon_id: Id.nullable(),
    coupon_code: z.string().nullable(),
    quantity: z.int(),
    type: z.enum(orderTypes),
    status: z.enum(orderStatuses),
    status_group: z.enum(statusGroups).describe('Derived from the status.'),
    payment_status: z.enum(paymentStatuses).describe('Derived from status and refunds.'),
    payment_gateway: z.string(),
    currency: z.string(),
    unit_price: amount,
    subtotal: amount,
    variant_total: amount,
    signup_fee: amount,
    discount_total: amount.describe('Positive: 10000 lowers the total by 10000.'),
    shipping_total: amount,
    fee_total: amount,
    unique_code: amount.describe('Signed.'),
    tax_total: amount.describe('Tax added to the price; tax contained in it is not here.'),
    adjustment_total: amount.describe('Signed: what an override of the total changed.'),
    grand_total: amount,
    refunded_total: amount,
    net_total: amount.describe('grand_total − refunded_total.'),
    variants: z.array(
      z.object({
        group: z.string(),
        option_id: z.string(),
        label: z.string(),
        extra_price: amount,
        extra_weight: z.int(),
      }),
    ),
    shipping: Shipping.nullable(),
    attribution: z
      .object({
        affiliate_id: Id.nullable(),
        source: z.enum(attributionSources),
        rejected_reason: z.enum(['self', 'not-eligible', 'disabled', 'fraud']).optional(),
      })
      .nullable()
      .describe('Why the order counts for its affiliate, or why it counts for none.'),
    note: z.string().nullable(),
    meta: z.record(z.string(), z.json()),
    next_statuses: z.array(z.enum(orderStatuses)).describe('Statuses it may change to now.'),
    paid_at: Instant.nullable(),
    completed_at: Instant.nullable(),
    cancelled_at: Instant.nullable(),
    refunded_at: Instant.nullable(),
    expires_at: Instant.nullable().describe(
      'Unpaid until then, the order is cancelled, unless there is nothing to pay.',
    ),
    created_at: Instant,
    updated_at: Instant,
    version: z.int(),
    product: z.object({ id: Id, title: z.string(), type: z.enum(productTypes) }),
    user: z.object({ id: Id, display_name: z.string(), email: z.string() }),
    affiliate: z.object({ id: Id, display_name: z.string() }).nullable(),
  })
  .meta({ id: 'Order', description: 'Amounts are in the smallest unit of `currency`.' });

export type Order = z.output<typeof Order>;

/** One change of an order's status. */
export const HistoryEntry = z
  .object({
    at: Instant,
    from: z.enum(orderStatuses).nullable(),
    to: z.enum(orderStatuses),
    actor_type: z.enum(actorTypes),
    actor_id: Id.nullable(),
    note: z.string().nullable(),
  })
  .meta({
    id: 'OrderHistoryEntry',
    description:
      "A change of an order's status; where `from` is `to`, the reason of another total.",
  });

export type HistoryEntry = z.output<typeof HistoryEntry>;

/** An order with everything that happened to it. */
export const OrderWithHistory = Order.extend({ history: z.array(HistoryEntry) }).meta({
  id: 'OrderWithHistory',
});

/** The reply to an update of an order. */
export const ChangedOrder = record(Order).extend({
  changed: z.boolean().optional().describe('False when the order already had the status.'),
});

const ShippingInput = z.object({
  option_id: textUpTo(64).describe("One of the product's shipping options; the server prices it."),
  receiver: shortText.default(''),
  phone: textUpTo(32).default(''),
  address: shortText.default(''),
  postal_code: textUpTo(20).default(''),
  country: z
    .string()
    .regex(/^([A-Z]{2})?$/, 'must be an ISO 3166-1 code of two capitals, or empty')
    .default('')
    .describe('Needed for a way to ship that goes to certain countries only.'),
});

const gateway = z
  .string()
  .regex(
    /^[a-z][a-z0-9-]{0,31}(:[A-Za-z0-9_-]{1,32})?$/,
    'must be a gateway id like manual or manual:BCA',
  );

export const OrderCreate = z
  .object({
    product_id: Id,
    user_id: Id.describe('The buyer.'),
    quantity: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe(
        '1 by default. A subscription is bought once an order, unless it issues licences: then that many. A renewal has the quantity of the first order of its subscription, and no other.',
      ),
    status: z.enum(orderStatuses).optional().describe('Reached by the same rules as an update.'),
    coupon_code: textUpTo(64)
      .min(1)
      .optional()
      .describe(
        'A coupon. Where there is nothing to take off, as of a free trial, it is not used up: the order has no coupon then, and counts for its owner all the same.',
      ),
    affiliate_id: Id.optional(),
    ref: textUpTo(64)
      .min(1)
      .optional()
      .describe(
        'What an affiliate link left with the buyer. It counts for the setting `affiliate_link_days`, whichever product the buyer ends up with; older or unknown ones change nothing.',
      ),
    note: noteText.nullable().optional(),
    meta: Meta.optional(),
    variants: z.array(textUpTo(64)).max(20).optional().describe('Ids of variant options.'),
    shipping: ShippingInput.optional(),
    payment_gateway: gateway
      .optional()
      .describe(
        '`manual` (bank transfer) by default; `manual:BCA` picks an account; `cod`, where the way to ship can be paid on delivery.',
      ),
    type: orderTypeInput.optional(),
    order_parent_id: orderParentInput.optional(),
    access_code: textUpTo(100).min(1).optional().describe("Opens a closed product's checkout."),
    quote_token: textUpTo(4096)
      .min(1)
      .optional()
      .describe(
        'A quote of `GET /checkout/quote`: what it says beside product and buyer need not be said again.',
      ),
  })
  .meta({
    id: 'OrderCreate',
    examples: [
      { product_id: 1, user_id: 4, quantity: 2, note: 'Please send the invoice to my office.' },
    ],
  });

export type OrderCreate = z.output<typeof OrderCreate>;

export const trackingNumber = textUpTo(100).describe('Needed to enter `shipping`.');

export const OrderUpdate = z
  .object({
    status: z.enum(orderStatuses),
    quantity: z
      .int()
      .min(1)
      .max(1_000_000)
      .describe(
        'Only while unpaid; prices the order again by what was agreed. One that leaves nothing to pay is refused.',
      ),
    payment_gateway: gateway.describe('Only while unpaid.'),
    grand_total: payable.describe(
      'Overrides the total; the difference is adjustment_total. More than what was refunded. While the order waits for a transfer it is the exact amount to transfer, `unique_code` included; otherwise `unique_code` becomes 0. Once money came for the order the history tells of it: with the `reason`, or without one with both totals.',
    ),
    affiliate_id: Id.nullable(),
    note: noteText.nullable(),
    meta: Meta,
    shipping: z
      .object({ tracking_number: trackingNumber, tracking_url: webLink })
      .partial()
      .describe('What is known of the parcel; the rest stays as it was ordered.'),
    tracking_number: trackingNumber.describe('Short for `shipping.tracking_number`.'),
    reason: shortText.describe('Kept in the history beside a change of status or total.'),
  })
  .partial()
  .meta({
    id: 'OrderUpdate',
    examples: [{ status: 'in-progress', reason: 'Transfer seen in the account.' }],
  });

export type OrderUpdate = z.output<typeof OrderUpdate>;

export const OrderFilters = z.object({
  status: z.enum(orderStatuses).optional(),
  user_id: queryId.optional().describe('Orders this user placed.'),
  product_id: queryId.optional(),
  affiliate_id: queryId.optional(),
  search: search
    .optional()
    .describe(
      "Number, buyer's name or e-mail. A whole number or e-mail address finds what it names, alone.",
    ),
  ...dateParameters,
});

export type OrderFilters = z.output<typeof OrderFilters>;

export const OrderQuery = OrderFilters.extend({
  ...pageParameters,
  output: z
    .literal('default', { error: 'must be default, count or sum' })
    .optional()
    .describe(
      '`count` and `sum` answer like `/orders/count` and `/orders/sum`: with figures instead of the orders.',
    ),
});

export type OrderQuery = z.output<typeof OrderQuery>;

export const OrderDelete = z.object({
  force: queryBoolean
    .optional()
    .describe('Erase instead of hiding; only a cancelled order on which no money moved.'),
});

export const OrderDeleteBody = z
  .object({
    force: z.boolean().optional().describe('The same in the body; the query comes first.'),
  })
  .meta({ id: 'OrderDelete', examples: [{}] });

export const OrderCount = z.object({ count: z.int() }).meta({ id: 'OrderCount' });

export const OrderSums = z
  .object({
    count: z.int(),
    sums: z
      .array(
        z.object({
          currency: z.string(),
          grand_total: amount,
          refunded_total: amount,
          net_total: amount,
          quantity: z.int(),
        }),
      )
      .describe('By currency; one row, also where nothing matches.'),
  })
  .meta({ id: 'OrderSums' });
